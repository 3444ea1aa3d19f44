# Row 66: narrow, dumb, without colour, no terminal at all.
# See: tests/cli/reporter/terminal.sh: twenty columns are few, and no fault
# See: tests/cli/reporter/terminal.sh: a dumb one gets no line that is drawn anew
# See: tests/cli/reporter/terminal.sh: a file neither
# See: tests/cli/reporter/terminal.sh: colour is never the meaning
