"""What a terminal shows; for answer.py."""
import re
import unicodedata


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


def wide(text, n):
    """The lines that take more than n columns; colours count nothing, a line that is drawn anew each time."""
    lines = (re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line) for line in re.split(r"[\r\n]", text))
    return "\n".join(line for line in lines if columns(line) > n)
