# What is there, a page at a time: projects, benchmarks, summaries, commits, machines.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

fork=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write --untrusted)
here=$("$BUILD/pawld" token add --store "$STORE" --project zlib --scope write,read,admin)
start_server --public-read || exit 1
is 'results of three machines on two branches' "$(TOKEN=$here FORK=$fork py 'import os
c = connect(sys.argv[1])
def one(n, token="TOKEN", **more):
    d = summary(n, "%040x" % (0xabc0000 + n // 2), "2026-11-20T10:%02d:00Z" % (n // 2))
    d["machine"]["id"] = "%016d" % (n % 3)
    d["commit"]["branch"] = "main" if n % 4 else "side"
    d["benchmarks"] = [dict(d["benchmarks"][0], name="b%d" % k) for k in range(7)]
    c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ[token]})
    r = c.getresponse(); r.read(); return r.status
print({one(n) for n in range(25)}, one(100, "FORK"))')" '{201} 201'
api=/api/v1/projects/zlib

# walk LIST KEY QUERY: the values of KEY over pages of 4, and whether they are those of one page
walk() {
	py 'c = connect(sys.argv[1])
def get(path):
    c.request("GET", path); r = c.getresponse(); d = json.loads(r.read())
    assert r.status == 200, (r.status, d)
    return d, r.getheader("Link")
whole, link = get("'"$api/$1?$3"'")
assert whole["next"] is None and link is None
pages, path = [], "'"$api/$1?limit=4&$3"'"
while path:
    d, link = get(path)
    assert 0 < len(d["'"$1"'"]) <= 4 and (link is None) == (d["next"] is None)
    pages += d["'"$1"'"]
    path = link and link[1:link.index(">")]
# how often each was tried changes meanwhile
def lasting(x): return {k: v for k, v in x.items() if k in ("event", "target")} if "'"$1"'" == "messages" else x
print([lasting(x) for x in pages] == [lasting(x) for x in whole["'"$1"'"]], " ".join(str(x["'"$2"'"])[-2:] for x in pages))'
}
is 'benchmarks' "$(walk benchmarks name '')" 'True b0 b1 b2 b3 b4 b5 b6'
is 'machines' "$(walk machines id '')" 'True 00 01 02'
is 'summaries, the newest first' "$(walk summaries id '')" \
	"True $(seq -s ' ' -f %02g 24 -1 0)"
is 'of a branch' "$(walk summaries id branch=side)" 'True 24 20 16 12 08 04 00'
is 'of a machine' "$(walk summaries id machine=0000000000000001)" 'True 22 19 16 13 10 07 04 01'
is 'of both' "$(walk summaries id 'machine=0000000000000001&branch=side')" 'True 16 04'
is 'of a commit' "$(walk summaries id "commit=$(printf %040x $((0xabc0005)))")" 'True 11 10'
is 'with untrusted ones' "$(walk summaries untrusted untrusted=1)" "True ue $(yes se | head -n 25 | tr '\n' ' ' | sed 's/ $//')"
is 'commits, the newest first' "$(walk commits commit '')" 'True 0c 0b 0a 09 08 07 06 05 04 03 02 01 00'
is 'of a branch' "$(walk commits summaries branch=side)" 'True 1 1 1 1 1 1 1'
ask "$api/summaries?limit=1"
is 'a summary is told with what it is of' "$(json "$T/body" 'sorted(d["summaries"][0])')" \
	"['base', 'branch', 'commit', 'dirty', 'finished', 'how', 'id', 'machine', 'points', 'received', 'subject', 'time', 'untrusted']"
is 'and how many points' "$(json "$T/body" 'd["summaries"][0]["points"]')" 14
cursor=$(json "$T/body" 'd["next"]')

# ---- what is wrong ---------------------------------------------------------------------

for wrong in 'limit=0' 'limit=10001' 'limit=1e3' 'cursor=x' 'commit=zz' 'commit=00' 'untrusted=2' \
	'brnach=x' "cursor=$cursor&branch=side" "cursor=${cursor}0"; do
	ask "$api/summaries?$wrong"
	is "summaries?$wrong is 400" "$status" 400
done
ask "$api/summaries?limit=0"
is 'the error names field and limit' "$(json "$T/body" '[d["error"]["where"], d["error"]["message"]]')" \
	"['limit', \"parameter 'limit' must be 1 to 10000\"]"
for wrong in 'summaries?commit=zz commit' 'summaries?commit=123 commit' 'compare?base=x&head=aaaa base' \
	'compare?base=aaaa&head=AAAA head' 'compare?base=aaaa head' 'commits?brnach=x brnach' 'alerts?state=closed state'; do
	ask "$api/${wrong% *}"
	is "${wrong% *} names it" "$status $(json "$T/body" 'd["error"]["where"]')" "400 ${wrong#* }"
done
ask "$api/commits?cursor=$cursor"
is 'a cursor of another list is refused' "$status" 400
ask "$api/summaries?commit=ffff0000"
is 'a commit that is not there is 404' "$status" 404
ask "$api/summaries?machine=none"
is 'of a machine that is not there is nothing' "$status $(json "$T/body" 'd["summaries"]')" '200 []'
for list in summaries commits machines benchmarks; do
	ask "/api/v1/projects/none/$list"
	is "$list of no project are 404" "$status" 404
	ask "$api/$list"
	tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
	ask "$api/$list" -H "If-None-Match: $tag"
	is "$list have a tag that holds" "$status" 304
done

# ---- projects --------------------------------------------------------------------------

ask /api/v1/projects
tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
ask /api/v1/projects -H "If-None-Match: $tag"
is 'projects have one' "$status" 304
doc one "summary(1, project='another')"
other=$("$BUILD/pawld" token add --store "$STORE" --scope write --project another)
send one -H "Authorization: Bearer $other"
ask /api/v1/projects -H "If-None-Match: $tag"
is 'until there is another' "$status $(json "$T/body" '[p["name"] for p in d["projects"]]')" "200 ['another', 'zlib']"
ask '/api/v1/projects?limit=1'
is 'pages of them' "$(json "$T/body" '[p["name"] for p in d["projects"]]')" "['another']"
ask "/api/v1/projects?limit=1&cursor=$(json "$T/body" 'd["next"]')"
is 'follow each other' "$(json "$T/body" '[[p["name"] for p in d["projects"]], d["next"]]')" "[['zlib'], None]"
ask '/api/v1/projects?limit=x'
is 'a wrong limit is 400' "$status" 400

# ---- what moved ------------------------------------------------------------------------

is 'changes' "$(TOKEN=$here py 'import os
c = connect(sys.argv[1])
def one(n):
    d = judged(n); d["commit"]["id"] = "%040x" % (0xdef0000 + n)
    b = d["benchmarks"][0]
    d["benchmarks"] = [dict(b, name="b%d" % k) for k in range(3)]
    c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["TOKEN"]})
    r = c.getresponse(); r.read(); return r.status
print({one(n) for n in range(50, 54)})')" '{201}'
is 'what moved, the newest first' "$(walk regressions benchmark '')" 'True b0 b1 b2 b0 b1 b2 b0 b1 b2 b0 b1 b2'
ask "$api/regressions?limit=5&cursor=$cursor"
is 'not by a cursor of another list' "$status" 400

# ---- retracted -------------------------------------------------------------------------

ask "$api/summaries/01JD0000000000000000000053" -X DELETE -H "Authorization: Bearer $here"
ask "$api/summaries?limit=1"
is 'what is retracted is in no list' "$(json "$T/body" 'd["summaries"][0]["id"][-2:]')" 52
ask "$api/commits?limit=1"
is 'nor is its commit' "$(json "$T/body" 'd["commits"][0]["commit"][-2:]')" 34
ask "$api/summaries/01JD0000000000000000000023" -X DELETE -H "Authorization: Bearer $here"
ask "$api/retractions?limit=1" -H "Authorization: Bearer $here"
is 'the log of it has pages, too' "$(json "$T/body" '[r["id"][-2:] for r in d["retractions"]]')" "['23']"
ask "$api/retractions?limit=1&cursor=$(json "$T/body" 'd["next"]')" -H "Authorization: Bearer $here"
is 'and an end' "$(json "$T/body" '[[r["id"][-2:] for r in d["retractions"]], d["next"]]')" "[['53'], None]"
# ---- what regressed, and what was sent about it ------------------------------------------

(umask 077; echo key >"$T/secret")
for n in 1 2 3 4 5 6; do
	"$BUILD/pawld" alert add --store "$STORE" --project zlib --webhook "http://127.0.0.1:1/$n" --secret-file "$T/secret" --allow-private
done >/dev/null
is 'a result with many regressions' "$(TOKEN=$here py 'import os
c = connect(sys.argv[1])
d = judged(70); d["commit"]["id"] = "%040x" % 0xdef0070; d["commit"]["branch"] = "many"
d["benchmarks"] = [dict(d["benchmarks"][0], name="m%03d" % k) for k in range(501)]
c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["TOKEN"]})
print(c.getresponse().status)')" 201
is 'messages' "$(walk messages target '')" 'True 27 26 25 24 23 22'
is 'alerts of a benchmark' "$(walk alerts benchmark 'benchmark=b1&state=open')" 'True b1'
is 'all of them, by pages' "$(py 'c = connect(sys.argv[1])
names, path = [], "'"$api"'/alerts?state=open&limit=200"
while path:
    c.request("GET", path); r = c.getresponse(); d = json.loads(r.read()); link = r.getheader("Link")
    names += [a["benchmark"] for a in d["alerts"]]
    path = link and link[1:link.index(">")]
print(len(names), len(set(names)), sorted(names) [:4])')" "504 504 ['b0', 'b1', 'b2', 'm000']"
ask /p/zlib/alerts
is 'the page shows 500' "$(grep -o 'class="name"' "$T/body" | wc -l)" 500
more=$(sed -n 's/.*rel="next" href="\([^"]*\)">More.*/\1/p' "$T/body" | sed 's/&#38;/\&/g')
ask "$more"
is 'and leads to the rest, which is the end' "$status $(grep -o 'class="name"' "$T/body" | wc -l) $(grep -c 'rel="next"' "$T/body")" '200 4 0'
ask "$api/messages?limit=4"
next=$(json "$T/body" 'd["next"]')
ask "/p/zlib/messages?cursor=$next"
is 'so does that of messages' "$status $(grep -o 'class="name"' "$T/body" | wc -l)" '200 2'
ask "$api/alerts?cursor=$next"
is 'a cursor of messages is none of alerts' "$status" 400

# ---- parents ---------------------------------------------------------------------------

is 'a merge of three' "$(TOKEN=$here py 'import os
c = connect(sys.argv[1])
def at(n, commit, parents):
    d = summary(n, commit * 40, "2026-11-25T0%d:00:00Z" % (n - 79)); d["commit"]["branch"] = "merged"; d["commit"]["parents"] = [p * 40 for p in parents]
    c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["TOKEN"]})
    r = c.getresponse(); r.read(); return r.status
print([at(80, "1", ""), at(81, "4", "1"), at(82, "5", "4213"), at(83, "6", "5")])')" '[201, 201, 201, 201]'
ask "$api/commits?branch=merged"
is 'has all of its parents, the first one first' \
	"$(json "$T/body" '[(c["commit"][0], (c["parent"] or "-")[0], "".join(p[0] for p in c["parents"])) for c in d["commits"]]')" \
	"[('6', '5', '5'), ('5', '4', '4123'), ('4', '1', '1'), ('1', '-', '')]"
ask "$api/commits?branch=merged&limit=2"
is 'also the last one of a page' "$(json "$T/body" '["".join(p[0] for p in c["parents"]) for c in d["commits"]]')" "['5', '4123']"
ask "$api/commits?branch=merged&limit=2&cursor=$(json "$T/body" 'd["next"]')"
is 'before the next page' "$(json "$T/body" '["".join(p[0] for p in c["parents"]) for c in d["commits"]]')" "['1', '']"

# ---- a metric both ways ----------------------------------------------------------------

ways=$("$BUILD/pawld" token add --store "$STORE" --project ways --scope write)
is 'a metric that is for the better both ways' "$(TOKEN=$ways py 'import os
c = connect(sys.argv[1])
def one(n, better):
    d = summary(n, project="ways"); d["benchmarks"][0]["metrics"][0]["better"] = better
    d["benchmarks"] = [dict(d["benchmarks"][0], name="b%d" % k) for k in range(30)]
    c.request("POST", "/api/v1/summaries", json.dumps(d), {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["TOKEN"]})
    r = c.getresponse(); r.read(); return r.status
print(one(60, "higher"), one(61, "lower"))')" '201 201'
ask /api/v1/projects/ways/benchmarks
is 'is two series, lower first, whatever came first and in either store' \
	"$(json "$T/body" '{tuple(s["better"] for s in b["metrics"][0]["series"]) for b in d["benchmarks"]}')" "{('lower', 'higher')}"

stop_server

exit 0
