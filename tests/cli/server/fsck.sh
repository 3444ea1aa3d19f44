# A bit of a point flips on the disk: that history is refused, all else goes on, and fsck mends it.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
# Medians that are nowhere else in the file.
doc one '(lambda d: d["benchmarks"][0]["metrics"].__setitem__(0, metric("cpu", 1234.5678)) or d)(summary(1))'
doc two 'judged(2)'
send one
send two
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'a history' "$status $(json "$T/body" 'd["points"]["value"]')" '200 [1234.5678, 1002]'
mv "$T/body" "$T/before"
stop_server
runs 0 'a sound store is sound' "$BUILD/pawld" fsck --store "sqlite:$T/server.db"
is 'and that is told' "$(cat "$T/out")" '2 summaries, 4 points: 0 documents and 0 points damaged'

/usr/bin/python3 -ISc 'import struct, sys
data = bytearray(open(sys.argv[1], "rb").read()); value = struct.pack("<d", 1234.5678)
at = data.index(value)
assert data.find(value, at + 1) < 0
data[at + 1] ^= 4
open(sys.argv[1], "wb").write(data)' "$T/server.db"
start_server --no-auth || exit 1
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
is 'one with a flipped bit is 500' "$status" 500
like 'that names fsck' "$T/body" "'pawld fsck'"
ask '/api/v1/projects/zlib/history?benchmark=deflate/6&metric=wall'
is 'another one is shown' "$status $(json "$T/body" 'd["points"]["value"]')" '200 [2001, 2002]'
ask "/api/v1/projects/zlib/compare?base=$A&head=$B"
is 'a comparison with it is 500' "$status" 500
runs 5 'fsck finds it, also while the server runs' "$BUILD/pawld" fsck --store "sqlite:$T/server.db"
like 'and says where' "$T/out" "^project 'zlib': summary 01JD0000000000000000000001: 1 of 2 points are damaged"
runs 0 'it makes it again from the document' "$BUILD/pawld" fsck --repair --store "sqlite:$T/server.db"
like 'and says so' "$T/out" '1 points damaged, 1 points repaired$'
ask '/api/v1/projects/zlib/history?benchmark=deflate/6'
check 'the history is what it was' cmp "$T/before" "$T/body"
send one
is 'and the summary is still the same' "$status" 200
stop_server

runs 2 'fsck without a store' "$BUILD/pawld" fsck
runs 2 'or with what is no option' "$BUILD/pawld" fsck --store "sqlite:$T/server.db" --mend
runs 5 'of a store that is not there' "$BUILD/pawld" fsck --store "sqlite:$T/none.db"

exit 0
