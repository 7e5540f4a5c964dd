"""The exceptions whose messages are for the user."""


class UserError(Exception):
    """Bad input: the message names the file and place, what was expected, and the remedy.

    Scripts print the message alone, without a traceback.
    """


class LeftOutError(UserError):
    """The data do not allow this setting or system; others go on without it.

    The message says why and takes the place of figures in the tables.
    """
