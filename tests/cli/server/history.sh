# One series in every form: order, pages, thinned, CSV, doubles, compressed; and what is refused.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
# 200 commits; the 100th is measured three times, and what was measured last comes first.
is 'many results' "$(py 'c = connect(sys.argv[1])
def one(n, at, value, measured=None, **more):
    d = summary(n, "%040x" % (0xabc0000 + at), "2026-11-01T%02d:%02d:00Z" % (at // 60, at % 60))
    d["benchmarks"][0]["metrics"][0].update(metric("cpu", value), **more)
    if measured: d["finished"] = measured
    return post(c, d)
statuses = {one(n, n, 1000 + n) for n in range(200) if n != 100}
statuses |= {one(900, 100, 9000, "2026-11-03T00:00:00Z"), one(901, 100, 10, "2026-11-01T12:00:00Z"),
             one(902, 100, 5000, "2026-11-02T00:00:00Z")}
print(statuses)')" '{201}'
all='/api/v1/projects/zlib/history?benchmark=deflate/6'

ask "$all"
is 'those of one commit stand as they were measured' "$(json "$T/body" 'd["points"]["value"][99:104]')" \
	'[1099, 10, 5000, 9000, 1101]'
is 'and nothing is thinned' "$(json "$T/body" '[d["thinned"], d["next"]]')" '[None, None]'
unlike 'there is no next page' "$T/head" '^Link:'

# ---- pages -----------------------------------------------------------------------------

is 'pages of every size give all of it once, by next and by Link alike' "$(py 'import re
c = connect(sys.argv[1])
def get(path):
    c.request("GET", path); reply = c.getresponse()
    return json.loads(reply.read()), reply.getheader("Link")
whole = get("'"$all"'")[0]["points"]
for limit in (1, 7, 101, 102, 202, 1000):
    for by_link in (False, True):
        path, got = "'"$all"'&limit=%d" % limit, []
        while path:
            d, link = get(path)
            got += d["points"]["value"]
            assert (link is None) == (d["next"] is None) and len(d["points"]["value"]) <= limit
            if by_link: path = link and re.fullmatch("<(/.*)>; rel=\"next\"", link).group(1)
            else: path = d["next"] and "'"$all"'&limit=%d&cursor=%s" % (limit, d["next"])
        assert got == whole["value"], (limit, by_link, got)
print("same")')" same
ask "$all&limit=1"
cursor=$(json "$T/body" 'd["next"]')
for wrong in x "$(echo "$cursor" | tr 0-9a-f f0-9a-e)" "${cursor%?}" "${cursor}00" '%00' '%C3%A9'; do
	ask "$all&limit=1&cursor=$wrong"
	is "cursor $wrong is 400" "$status" 400
done
ask "$all&limit=1&cursor=${cursor%?}"
is 'the error names it' "$(json "$T/body" '[d["error"]["code"], d["error"]["where"]]')" "['syntax', 'cursor']"
ask "$all&limit=1&metric=wall&cursor=$cursor"
is 'that of another question, too' "$status $(json "$T/body" 'd["error"]["where"]')" '400 cursor'
ask "$all&limit=1&metric=cpu&cursor=$cursor"
is 'but not that of the same in other words' "$status $(json "$T/body" 'd["points"]["value"]')" '200 [1001]'

# ---- thinned ---------------------------------------------------------------------------

ask "$all&px=8"
is 'thinned to some buckets the extremes are there' "$(json "$T/body" \
	'[min(d["points"]["value"]), max(d["points"]["value"]), d["points"]["value"][0], d["points"]["value"][-1], len(d["points"]["value"]) <= 2 * 8 + 2, d["thinned"]["of"], d["thinned"]["buckets"] <= 8]')" \
	'[10, 9000, 1000, 1199, True, 202, True]'
ask "$all&px=1"
is 'one bucket will do' "$(json "$T/body" 'd["points"]["value"]')" '[1000, 10, 9000, 1199]'
ask "$all&px=10000"
is 'in more than there are points all are there' "$(json "$T/body" '[len(d["points"]["value"]), d["thinned"]]')" \
	"[202, {'of': 202, 'buckets': 202}]"
for wrong in 0 -1 10001 1e9 99999999999999999999 x; do
	ask "$all&px=$wrong"
	is "px=$wrong is 400" "$status $(json "$T/body" '[d["error"]["where"], d["error"]["message"]]')" \
		"400 ['px', \"parameter 'px' must be 1 to 10000\"]"
done
ask "$all&px=5&limit=5"
is 'px and limit are two questions' "$status" 400

# ---- some columns ----------------------------------------------------------------------

ask "$all&limit=3"
is 'all columns are there, if none are named' "$(json "$T/body" 'list(d["points"])')" \
	"['commit', 'time', 'value', 'low', 'high', 'n', 'verdict', 'ratio', 'machine', 'id', 'untrusted']"
cp "$T/body" "$T/whole"
ask "$all&limit=3&columns=value,commit"
is 'else those alone, each as it was' "$(py 'whole, some = (json.load(open(sys.argv[2] + x)) for x in ("/whole", "/body"))
for name in set(whole["points"]) - {"value", "commit"}: del whole["points"][name]
print(whole == some, list(some["points"]))' "$T")" "True ['commit', 'value']"
like 'the next page has the same' "$T/head" '^Link: </api/v1/projects/zlib/history\?benchmark=deflate/6&limit=3&columns=value,commit&cursor='
ask "$all&limit=2&columns=n&cursor=$(json "$T/whole" 'd["next"]')"
is 'a page goes on with other ones' "$(json "$T/body" 'd["points"]')" "{'n': [3, 3]}"
ask "$all&limit=3&columns=suspect&columns=suspect"
is 'twice is once too much' "$status" 400
ask "$all&px=1&columns=suspect,value,suspect"
is 'one that is not usual' "$(json "$T/body" '[d["points"], d["thinned"]["of"]]')" \
	"[{'value': [1000, 10, 9000, 1199], 'suspect': [False, False, False, False]}, 202]"
for wrong in x value,x value, ,value 'value%20' VALUE '%C3%A9'; do
	ask "$all&columns=$wrong"
	is "columns=$wrong is 400" "$status $(json "$T/body" 'd["error"]["where"]')" '400 columns'
done
for form in '&format=csv' '&format=f64'; do
	ask "$all&columns=value$form"
	is "as is columns with $form" "$status $(json "$T/body" 'd["error"]["where"]')" '400 columns'
done
ask "$all&columns=value" -H 'Accept: text/csv'
is 'or with Accept' "$status" 400
ask "$all&columns="
is 'nothing is not given' "$(json "$T/body" 'len(d["points"])')" 11

# ---- other forms -----------------------------------------------------------------------

ask "$all&limit=3" -H 'Accept: text/csv'
is 'CSV has its type' "$(sed -n 's/^Content-Type: \([^\r]*\).$/\1/p' "$T/head")" 'text/csv; charset=utf-8; header=present'
is 'and a line a point' "$(/usr/bin/python3 -ISc 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print(len(rows), [r["value"] for r in rows], rows[0]["commit"], rows[0]["metric"], rows[0]["unit"], rows[0]["moved"])' "$T/body")" \
	"3 ['1000', '1001', '1002'] $(printf %040x 180092928) cpu ns 0"
like 'and a Link' "$T/head" '^Link: </api/v1/projects/zlib/history\?benchmark=deflate/6&limit=3&cursor=[0-9a-f]*>; rel="next"'
cp "$T/body" "$T/csv"
ask "$all&limit=3&format=csv" -H 'Accept: application/json'
check 'format= is the same, whatever is accepted' cmp "$T/csv" "$T/body"
ask "$all&format=f64"
is 'doubles are what JSON says' "$(/usr/bin/python3 -ISc 'import array, json, struct, sys
b = open(sys.argv[1], "rb").read()
magic, n, columns, m = struct.unpack("<8sQII", b[:24])
head = json.loads(b[24:24 + m])
x = struct.unpack("<%dd" % (n * columns), b[24 + m:])
c = {name: list(x[i * n:(i + 1) * n]) for i, name in enumerate(head["columns"])}
print(magic, n, m % 8, head["unit"], c["value"][99:104], c["time_us"][0], c["n"][0], head["verdicts"][int(c["verdict"][0])], c["ratio"][0])' "$T/body")" \
	"b'PAWLF64\\n' 202 0 ns [1099.0, 10.0, 5000.0, 9000.0, 1101.0] 1793491200000000.0 3.0 no-baseline nan"
for accept in 'application/json' '*/*' 'text/html, */*;q=0.8' 'text/csv;q=0.1, application/*' '' \
	'text/csv;q=0, */*' 'APPLICATION/JSON'; do
	ask "$all&limit=1" -H "Accept: $accept"
	is "Accept: $accept gets JSON" "$status $(json "$T/body" 'd["points"]["value"]')" '200 [1000]'
done
for accept in 'text/csv, application/json;q=0.5' '*/*;q=0.1, text/csv' 'text/*'; do
	ask "$all&limit=1" -H "Accept: $accept"
	like "Accept: $accept gets CSV" "$T/head" '^Content-Type: text/csv'
done
ask "$all&limit=1" -H 'Accept: application/vnd.pawl.f64'
like 'doubles have a type, too' "$T/head" '^Content-Type: application/vnd.pawl.f64'
ask "$all" -H 'Accept: image/png, text/html;q=0.9'
is 'what there is not is 406' "$status $(json "$T/body" '[d["error"]["code"], d["error"]["where"]]')" "406 ['form', 'Accept']"
ask "$all&format=xml"
is 'a format that there is not 400' "$status $(json "$T/body" 'd["error"]["where"]')" '400 format'
# What a history says of itself is an alert, and answers get another tag with it.
looked() {
	[ "$(sql 'SELECT count(*) FROM project WHERE watched>=(SELECT max(run_id) FROM run)')" = 1 ]
}
wait_for looked
ask "$all" -H 'Accept: text/csv'
tag=$(sed -n 's/^ETag: \([^ ]*\).$/\1/p' "$T/head")
ask "$all" -H 'Accept: text/csv' -H "If-None-Match: $tag"
is 'a tag holds' "$status" 304
ask "$all" -H "If-None-Match: $tag"
is 'for its form alone' "$status" 200
ask "$all" -H "If-None-Match: *"
is 'any is any' "$status" 304
ask "$all&px=0" -H "If-None-Match: *"
is 'what is wrong is wrong all the same' "$status" 400

# ---- compressed ------------------------------------------------------------------------

ask "$all"
cp "$T/body" "$T/plain"
ask "$all" -H 'Accept-Encoding: gzip, deflate'
like 'gzip is told' "$T/head" '^Content-Encoding: gzip'
gzip -dc "$T/body" >"$T/unpacked"
check 'and is the same' cmp "$T/plain" "$T/unpacked"
check 'and smaller' [ "$(wc -c <"$T/body")" -lt "$(($(wc -c <"$T/plain") / 3))" ]
ask "$all" -H 'Accept-Encoding: gzip, zstd'
like 'zstd goes first' "$T/head" '^Content-Encoding: zstd'
ask "$all&limit=1" -H 'Accept-Encoding: gzip'
unlike 'little stays plain' "$T/head" '^Content-Encoding'
ask "$all" -H 'Accept-Encoding: gzip;q=0'
unlike 'as does all for who wants none' "$T/head" '^Content-Encoding'

# ---- units -----------------------------------------------------------------------------

doc other '(lambda d: d["benchmarks"][0]["metrics"][0].update(unit="bytes") or d)(summary(990, at="2026-11-22T10:00:00Z"))'
send other
ask "$all"
is 'the unit of before stays, and the newer one is told' \
	"$(json "$T/body" '[d["unit"], len(d["points"]["value"]), [[o["unit"], o["time"], o["newer"]] for o in d["other_units"]]]')" \
	"['ns', 202, [['bytes', '2026-11-22T10:00:00Z', True]]]"
ask "$all&unit=bytes"
is 'and unit= shows it' "$(json "$T/body" '[d["unit"], d["points"]["value"], [o["newer"] for o in d["other_units"]]]')" \
	"['bytes', [1990], [False]]"
ask "$all&unit=furlong"
is 'one that there is not is 404' "$status $(json "$T/body" 'd["error"]["where"]')" '404 unit'
ask "$all&unit=ns&better=higher"
is 'as is another direction' "$status" 404
ask "$all&better=worse"
is 'what is no direction is 400' "$status $(json "$T/body" 'd["error"]["where"]')" '400 better'
doc bare '(lambda d: d["benchmarks"][0]["metrics"][0].update(unit="") or d)(summary(991, at="2026-11-22T11:00:00Z"))'
send bare
ask "$all&unit="
is 'one without a unit is asked for by none' "$status $(json "$T/body" '[d["unit"], d["points"]["value"]]')" "200 ['', [1991]]"
ask /p/zlib/b/deflate%2F6
link=$(sed -n 's/.*href="\([^"]*\)">no unit<.*/\1/p' "$T/body" | sed 's/&#38;/\&/g')
ask "${link:-/}"
is 'where the page leads, too' "$status $(grep -o '>1[.]99 k<' "$T/body")" '200 >1.99 k<'
ask "$all&unit=bytes&limit=1&cursor=$cursor"
is 'a cursor is not taken to another series' "$status" 400

# ---- what a later result of the commit takes back ----------------------------------------

# says N FINISHED VERDICT [EDIT]: a result of B against A
says() {
	doc said '(lambda d: ('"${4:-0}"', d.update(project="back", finished="2026-11-20T'"$2"':00Z"), d["benchmarks"][0]["metrics"][0]["delta"].update(verdict="'"$3"'")) and d)(judged('"$1"'))'
	send said
}
# changes QUERY: those that each form of the history has
changes() {
	ask "/api/v1/projects/back/history?benchmark=deflate%2F6${1:-}"
	json "$T/body" '[c["id"][-2:] for c in d["change_points"]]'
	ask "/api/v1/projects/back/history?benchmark=deflate%2F6${1:-}&format=csv"
	awk -F, 'NR > 1 { n += $12 } END { print n + 0 }' "$T/body"
}
says 1 11:00 regressed
is 'a change' "$(echo $(changes))" "['01'] 1"
says 2 11:01 inconclusive
says 3 11:02 unchanged 'd["baseline"].update(commit="c" * 40)'
says 4 11:03 unchanged 'd["commit"].update(dirty=True)'
says 5 10:59 unchanged
says 6 11:04 unchanged 'd["machine"].update(id="0011223344556678")'
is 'is one, whatever was not decided, is of another base, tree or machine, or older' "$(echo $(changes))" "['01'] 1"
says 7 11:05 unchanged 'd["commit"].update(branch="side")'
is 'a later result of the same commit and base takes it back' "$(echo $(changes))" '[] 0'
is 'also where the history is thinned' "$(echo $(changes '&px=10'))" '[] 0'
is 'or of one branch' "$(echo $(changes '&branch=main'))" '[] 0'
says 9 11:05 unchanged
ask /p/back
like 'the list names no last change, once its own branch has one, too' "$T/body" '<td class="by">-</td>'
for n in 7 9; do "$BUILD/pawld" retract --store "$STORE" --project back "$(printf 01JD00000000000000%08d $n)"; done
is 'until that is retracted' "$(echo $(changes) $(changes '&branch=main'))" "['01'] 1 ['01'] 1"
says 8 11:06 regressed
is 'of two that say the same the later one is it' "$(echo $(changes))" "['08'] 1"
stop_server

exit 0
