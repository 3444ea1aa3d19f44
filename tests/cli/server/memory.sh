# What a body may take of memory, whatever is in it, and that a large one in order is stored.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

case $BUILD in
*asan* | *tsan*)
	skip 'memory' 'the sanitizer has its own use of memory'
	exit 0
	;;
esac

# bodies FILLER: eight bodies of 16 MiB at once, as a python expression makes them; whether all were refused, some for
# what is in them, the others because there are too many
bodies() {
	py "one = json.dumps(summary(1)); key = '\"benchmarks\": ['; at = one.index(key) + len(key)
def whole(filler): return filler * ((1 << 24) // len(filler))
def inside(filler): return one[:at] + whole(filler)[:(1 << 24) - len(one) - 9].rpartition(',')[0] + one[one.rindex(']'):]
body = ($1).encode()[:1 << 24]
statuses = []
def one_post():
    c = connect(sys.argv[1])
    c.request('POST', '/api/v1/summaries', body, {'Content-Type': 'application/json'})
    reply = c.getresponse(); text = reply.read()
    assert json.loads(text)['error']['message']
    statuses.append(reply.status)
threads = [threading.Thread(target=one_post) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(len(statuses), 422 in statuses, set(statuses) <= {422, 503})"
}

# peak: of pawld, in MiB
peak() {
	awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVER_PID/status"
}

# 64 MiB of bodies, of which one is read at a time: it may take 72.
all=
! slow_only 'eight bodies of four other kinds' || all=yes
while IFS='|' read -r name filler; do
	case $name in
	'empty objects' | members) ;;
	*) [ -n "$all" ] || continue ;;
	esac
	start_server --no-auth || exit 1
	is "eight bodies of $name are refused" "$(bodies "$filler")" '8 True True'
	most=$(peak)
	check "and a peak of at most 160 MiB ($most)" [ "$most" -le 160 ]
	stop_server
done <<'END'
empty objects|"[" + whole("{},")
empty arrays|"[" + whole("[],")
numbers|"[" + whole("1,")
empty objects for benchmarks|inside("{},")
metrics without a value|inside('{"name":"a","status":"ok","metrics":[' + ",".join('{"name":"%d","unit":"n","better":"lower"}' % i for i in range(60)) + ']},')
members|'{"a":{' + "".join('"%x":0,' % i for i in range(1900000))
END

# ---- large ones that are in order -------------------------------------------------------------------

start_server --no-auth || exit 1
# 4,000 benchmarks
wide='(lambda d: d.update(benchmarks=[dict(d["benchmarks"][0], name="b%d" % i) for i in range(4000)]) or d)'
doc large "$wide(summary(1))"
check 'a good one is large' [ "$(wc -c <"$T/large")" -gt 1048576 ]
send large
is 'it is stored' "$status" 201
ask /api/v1/projects/zlib/summaries/01JD0000000000000000000001
check 'and comes back byte for byte' cmp "$T/large" "$T/body"
doc second "$wide(summary(2))"
PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 -B -c 'import sys; from posts import frame
open(sys.argv[2], "wb").write(frame(open(sys.argv[1], "rb").read()))' "$T/second" "$T/framed"
send framed -H 'Content-Encoding: zstd'
is 'as a frame, too' "$status" 201
doc third "$wide(summary(3))"
cat "$T/second" "$T/third" >"$T/both"
ask /api/v1/summaries:batch -H 'Content-Type: application/x-ndjson' --data-binary "@$T/both"
is 'and in a batch, line by line' "$(sed 's/^{"status":\([0-9]*\).*/\1/' "$T/body" | tr '\n' ' ')" '409 201 '
sed 's/"median": 1001/"median": 7/' "$T/large" >"$T/wrong"
send wrong
is 'what is wrong in one is said' "$status $(json "$T/body" 'd["error"]["where"]')" \
	'422 benchmarks[0].metrics[0].median'
stop_server
is 'and it ends well' "$SERVER_STATUS" 0

exit 0
