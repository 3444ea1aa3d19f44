# Row 65: commas of the locale reach no number.
# See: tests/cli/harness/harness_locale.sh: --clocks has a point in each figure
# See: tests/cli/reporter/terminal.sh: a document is the same in every locale
