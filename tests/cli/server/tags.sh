# What was asked before and has not changed is not sent again, and what is sent may be compressed.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
doc one 'summary(1)'
doc two 'judged(2)'
doc other 'summary(3, project="other")'
send one
history='/api/v1/projects/zlib/history?benchmark=deflate/6'

# tag: of the answer in head
tag() {
	sed -n 's/^ETag: *\([^[:cntrl:]]*\).*/\1/p' "$T/head"
}

ask "$history"
first=$(tag)
like 'an answer about a project has a tag' "$T/head" '^ETag: W/"[0-9a-f]+-[0-9a-f]+"'
like 'and may be kept, but is asked for again' "$T/head" '^Cache-Control: private, no-cache'
ask "$history" -H "If-None-Match: $first"
is 'the same tag is 304' "$status" 304
is 'without a body' "$(wc -c <"$T/body")" 0
for wrong in '&limit=0' '&nosuch=1' '&since=never' '&better=odd'; do
	ask "$history$wrong" -H "If-None-Match: $first"
	echo "$status" >>"$T/wrong"
done
is 'but not of a question that is wrong' "$(tr '\n' ' ' <"$T/wrong")" '400 400 400 400 '
ask "$history&limit=1" -H "If-None-Match: W/\"x\", $first"
is 'also among others' "$status" 304
send other
ask "$history" -H "If-None-Match: $first"
is 'what another project gets does not count' "$status" 304
send one
ask "$history" -H "If-None-Match: $first"
is 'nor the same summary again' "$status" 304
send two
ask "$history" -H "If-None-Match: $first"
is 'a new one does' "$status $(json "$T/body" 'd["points"]["value"]')" '200 [1001, 1002]'
check 'with another tag' [ "$(tag)" != "$first" ]
second=$(tag)
ask "/api/v1/projects/zlib/history?benchmark=none" -H "If-None-Match: $first"
is 'what is not there is 404' "$status" 404
unlike 'and has no tag' "$T/head" '^ETag'
ask /api/v1/projects -H "If-None-Match: $second"
is 'the list of projects has its own' "$status" 200
check 'which is another' [ "$(tag)" != "$second" ]
stop_server
start_server --no-auth || exit 1
ask "$history" -H "If-None-Match: $second"
is 'after a restart all is sent again: it may be another store' "$status" 200

# ---- compressed ----------------------------------------------------------------------

py 'c = connect(sys.argv[1])
for n in range(100, 200): post(c, summary(n, "%040x" % n))'
ask "$history"
cp "$T/body" "$T/plain"
unlike 'nobody is sent what he does not ask for' "$T/head" '^Content-Encoding'
ask "$history" -H 'Accept-Encoding: gzip, br, zstd;q=0.5'
like 'zstd is used where it is accepted' "$T/head" '^Content-Encoding: zstd'
like 'and caches are told' "$T/head" '^Vary: Accept, Accept-Encoding'
check 'it is a fifth at most' [ "$(($(wc -c <"$T/body") * 5))" -lt "$(wc -c <"$T/plain")" ]
/usr/bin/python3 -ISc 'import ctypes, sys
zstd = ctypes.CDLL("libzstd.so.1"); zstd.ZSTD_decompress.restype = ctypes.c_size_t
frame = open(sys.argv[1], "rb").read(); plain = ctypes.create_string_buffer(1 << 20)
n = zstd.ZSTD_decompress(plain, ctypes.c_size_t(1 << 20), frame, ctypes.c_size_t(len(frame)))
sys.stdout.buffer.write(plain.raw[:n])' "$T/body" >"$T/unpacked"
check 'of the same bytes' cmp "$T/plain" "$T/unpacked"
ask "$history" -H 'Accept-Encoding: gzip, zstd;q=0'
unlike 'where it is refused it is not' "$T/head" '^Content-Encoding: zstd'
ask "$history" -H 'Accept-Encoding: br, gzip;q=0, zstd;q=0'
unlike 'but not where it is refused' "$T/head" '^Content-Encoding'
check 'that is plain' cmp "$T/plain" "$T/body"

# ---- from memory -------------------------------------------------------------------------

for form in text/csv application/vnd.pawl.f64 application/json; do
	ask "$history&metric=cpu" -H "Accept: $form"
	cp "$T/body" "$T/first"
	ask "$history&metric=cpu" -H "Accept: $form"
	like "what is asked for again as $form is of that type" "$T/head" "^Content-Type: $form"
	check 'and the same' cmp "$T/first" "$T/body"
done
ask "$history&metric=cpu" -H 'Accept: image/png'
is 'what there is in no form wanted is refused all the same' "$status" 406
ask "$history&metric=cpu&limit=1" -H 'Accept: application/json'
is 'another page is another answer' "$(json "$T/body" 'len(d["points"]["value"])')" 1
like 'with the address of the next' "$T/head" '^Link: '
ask "$history&metric=cpu&limit=1" -H 'Accept: application/json'
like 'also when it is asked for again' "$T/head" '^Link: '
py 'c = connect(sys.argv[1])
post(c, summary(200, "%040x" % 200))'
ask "$history&metric=cpu" -H 'Accept: application/json'
check 'a new result is in it at once' [ "$(json "$T/body" 'len(d["points"]["value"])')" -gt \
	"$(json "$T/first" 'len(d["points"]["value"])')" ]
stop_server

exit 0
