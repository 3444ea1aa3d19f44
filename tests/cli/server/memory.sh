# What a body may take of memory: about twice its bytes, whatever is in it.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

case $BUILD in
*asan* | *tsan*)
	skip 'memory' 'the sanitizer has its own use of memory'
	exit 0
	;;
esac

# bodies FILLER: four bodies of 16 MiB at once, as the python expression fill(n) makes them; their statuses
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
threads = [threading.Thread(target=one_post) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
print(sorted(set(statuses)))"
}

# peak: of pawld, in MiB
peak() {
	awk '/^VmHWM:/ { print int($2 / 1024) }' "/proc/$SERVER_PID/status"
}

# 64 MiB of bodies, two trees of at most 32 MiB at a time, and what is read of them.
while IFS='|' read -r wanted name filler; do
	start_server --no-auth || exit 1
	is "four bodies of $name: the status" "$(bodies "$filler")" "$wanted"
	most=$(peak)
	check "and a peak of at most 200 MiB ($most)" [ "$most" -le 200 ]
	stop_server
done <<'END'
[422]|empty objects|"[" + whole("{},")
[422]|empty arrays|"[" + whole("[],")
[422]|numbers|"[" + whole("1,")
[422]|empty objects for benchmarks|inside("{},")
[422]|metrics without a value|inside('{"name":"a","status":"ok","metrics":[' + ",".join('{"name":"%d","unit":"n","better":"lower"}' % i for i in range(60)) + ']},')
[422]|members|'{"a":{' + "".join('"%x":0,' % i for i in range(1900000))
END

exit 0
