# Row 64: descriptors 0 to 2 closed, a full device, a reader that is gone.
# See: tests/cli/cli/bad_input.sh: closed standard descriptors do no harm
# See: tests/cli/cli/bad_input.sh: a full device is told
