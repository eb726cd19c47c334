"""The one kind of error whose message is meant for the person at the keyboard: it says what is wrong and what to do."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can put right; the shell prints it without a traceback."""
