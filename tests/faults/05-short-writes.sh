# Row 5: short reads and writes, EINTR and EAGAIN: gone on with.
# See: tests/faults/04-failing-calls.sh: no answer is another one without a word
# See: tests/faults/04-failing-calls.sh: no result is lost or stored in silence
