"""Prints the lines of standard input that take more than N columns.

usage: wide.py N      colours count nothing; a line that is drawn anew counts each time
"""
import re
import sys
import unicodedata


def columns(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in text)


text = sys.stdin.buffer.read().decode("utf-8", "replace")
for line in re.split(r"[\r\n]", text):
    line = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)
    if columns(line) > int(sys.argv[1]):
        print(line)
