# Row 69: slow clients, crowds, endless bodies, odd addresses.
# See: tests/cli/server/crowd.sh: a post beside 600 idle connections is stored
# See: tests/cli/server/server.sh: a body without an end is told 413 and cut off
# See: tests/cli/server/server.sh: dots and slashes are characters of a name
# See: tests/cli/server/server.sh: a NUL in the address is 400
