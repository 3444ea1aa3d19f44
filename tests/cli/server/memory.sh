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
path, type = '/api/v1/summaries', 'application/json'
def others(where, body):
    global path, type
    path, type = where, 'application/x-www-form-urlencoded' if body[0] == 'j' else type
    return body
def lnt(tests):
    run = dict.fromkeys(('start_time', 'end_time'), '2026-01-01T00:00:00')
    text = json.dumps({'format_version': '2', 'machine': {'name': 'm'}, 'run': dict(run, llvm_project_revision='1'), 'tests': []})
    return text[:-2] + tests + ']}'
body = ($1).encode()[:1 << 24]
statuses = []
def one_post():
    c = connect(sys.argv[1])
    c.request('POST', path, body, {'Content-Type': type})
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
	'empty objects' | members | 'tests of LNT') ;;
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
as many results of Codespeed|others('/result/add/json/', 'json=[' + whole('{},'))
tests of LNT|others('/api/db_zlib/v4/nts/runs', lnt(','.join('{"name":"t%d","execution_time":1.0}' % i for i in range(300000))))
metrics of one|others('/api/db_zlib/v4/nts/runs', lnt('{"name":"t",' + ','.join('"m%d":1.0' % i for i in range(400000)) + '}'))
metrics without a value|inside('{"name":"a","status":"ok","metrics":[' + ",".join('{"name":"%d","unit":"n","better":"lower"}' % i for i in range(60)) + ']},')
members|'{"a":{' + "".join('"%x":0,' % i for i in range(1900000))
END

# ---- one alone --------------------------------------------------------------------------------------

# refused EXPRESSION: how such a body is answered
refused() {
	py "one = json.dumps(summary(1)); key = '\"benchmarks\": ['; at = one.index(key) + len(key)
def benchmarks(n): return one[:at] + ','.join('{\"name\":\"b%07d\",\"status\":\"ok\",\"metrics\":[]}' % i for i in range(n)) + one[one.rindex(']'):]
name = 'x' * (1 << 20)
def edited(f): d = summary(1); f(d); return json.dumps(d)
body = $1
head = {'Content-Type': 'application/json'}
if isinstance(body, bytes): head['Content-Encoding'] = 'zstd'
c = connect(sys.argv[1])
try: c.request('POST', '/api/v1/summaries', body, head)
except OSError: pass
reply = c.getresponse(); said = json.loads(reply.read())
print(reply.status, said['error']['code'] if 'error' in said else said)"
}

while IFS='|' read -r wanted name body; do
	start_server --no-auth || exit 1
	is "$name: refused" "$(refused "$body")" "$wanted"
	most=$(peak)
	check "$name: with at most 32 MiB ($most)" [ "$most" -le 32 ]
	stop_server
done <<'END'
413 limit|a million benchmarks|benchmarks(1000000)
422 limit|300,000 benchmarks|benchmarks(300000)
422 limit|a benchmark with a name of 1 MiB|edited(lambda d: d['benchmarks'][0].update(name=name))
422 limit|a metric with one|edited(lambda d: d['benchmarks'][0]['metrics'][0].update(name=name))
422 limit|a project|edited(lambda d: d.update(project=name))
422 limit|a fact|edited(lambda d: d['machine'].update(facts={name: 'x'}))
400 syntax|a key twice|one[:-1] + ',\"k\":1' * 1000000 + '}'
422 limit|a million keys|one[:-1] + ''.join(',\"%x\":1' % i for i in range(1000000)) + '}'
400 syntax|NaN|one.replace('1001', 'NaN', 1)
422 range|a bomb of 16 MiB|bomb(128, True)
413 limit|one of 128 MiB|bomb(1024, True)
413 limit|one of 12 GiB that does not say so|bomb(100000, False)
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
