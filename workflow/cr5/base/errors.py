"""The exceptions that are meant for the user's eyes."""


class UserError(Exception):
    """Bad input: the message names the file and place, what was expected and what to do.

    Scripts print the message alone, without a traceback.
    """


class LeftOutError(UserError):
    """These data do not allow this one setting or system; others may go on without it.

    The message says why. It stands in the tables in the place of figures.
    """
