"""The one exception that is meant for the user's eyes."""


class UserError(Exception):
    """Bad input: the message names the file and place, what was expected and what to do.

    Scripts print the message alone, without a traceback.
    """
