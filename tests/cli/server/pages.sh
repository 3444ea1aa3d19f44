# The dashboard without a browser: every page, hostile names, limits. A browser looks at them in
# `make page-check`.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/server.sh"

# fine PAGE: what every page has, and no page may have
fine() {
	is "$1: 200" "$status" 200
	like "$1: is HTML" "$T/head" '^Content-Type: text/html; charset=utf-8'
	like "$1: loads nothing from elsewhere" "$T/head" \
		"^Content-Security-Policy: default-src 'none'; style-src 'self'; "
	grep -v '^<script src="/plot.js"></script>$' "$T/body" >"$T/page"
	unlike "$1: no script, no style within, nothing from a name" "$T/page" \
		'<script|<style|style=|src=|<b>|javascript:|href="(https?:)?//'
	is "$1: is well formed" "$(PYTHONPATH=$ROOT/tests/helpers /usr/bin/python3 -B \
		"$ROOT/tests/page/wellformed.py" "$T/body")" ok
}

start_server --no-auth || exit 1
ask /
like 'before the first post the first page says what to do' "$T/body" 'pawl\.server'
check 'a history is posted' /usr/bin/python3 -B "$ROOT/tests/page/fill.py" "$SERVER" 14 30
ask /
fine 'projects'
like 'the project is a link, its counts are shown' "$T/body" \
	'href="/p/zlib">zlib</a></th><td class="n">30</td><td class="n">14</td>'
ask /p/zlib
fine 'project'
is 'a line for each benchmark' "$(grep -c '<th scope="row"' "$T/body")" 30
like 'a slash in a name is encoded' "$T/body" 'href="/p/zlib/b/deflate%2F6">deflate/6</a>'
like 'markup in a name, too' "$T/body" 'href="/p/zlib/b/%3Cscript%3Ealert%281%29%3C%2Fscript%3E">&lt;script'
like 'a name that is a step in a path is a parameter' "$T/body" 'href="/p/zlib/b\?benchmark=\.\.">'
like 'with its history as a picture' "$T/body" 'aria-label="14 levels'
ask '/api/v1/projects/zlib/alerts?state=open&limit=500'
n_open=$(json "$T/body" 'len(d["alerts"])')
names_open=$(json "$T/body" 'len(set(a["benchmark"] for a in d["alerts"]))')
ask /p/zlib
like 'how much is open is said' "$T/body" "href=\"/p/zlib/alerts\">What regressed</a>: $n_open open"
is 'and of which benchmarks, also where that is no move any more' "$(grep -c 'href="/p/zlib/alerts/[0-9]*">open</a></td></tr>$' "$T/body")" "$names_open"
# Each link of the page leads to a page.
sed -n 's/.*<a href="\(\/p\/zlib\/b[^"]*\)">.*/\1/p' "$T/body" | sed 's/&#38;/\&/g' >"$T/links"
wrong=
while read -r link; do
	ask "$link"
	[ "$status" = 200 ] || wrong="$wrong $status $link"
done <"$T/links"
is 'each name leads to its history' "$(grep -c . "$T/links")$wrong" 30
ask '/p/zlib?q=DEFLATE&branch=main&machine=0011223344556677'
is 'a filter is a piece of the name' "$(grep -c '<th scope="row"' "$T/body")" 2
like 'and goes on in the links' "$T/body" 'deflate%2F6\?branch=main&#38;machine=0011223344556677"'
ask '/p/zlib?q=%22%3E%3Cb%3Ex'
fine 'a hostile filter'
ask '/p/zlib?branch=nosuch'
is 'a branch without results still names the benchmarks' "$(grep -c 'no result' "$T/body")" 30

ask '/p/zlib/b/deflate%2F6'
fine 'history'
is 'a row for each result' "$(sed '1,/<h2 id="results">/d' "$T/body" | grep -c '<tr><th scope="row"')" 14
is 'and above them one for each regression' "$(sed '/<h2 id="results">/,$d' "$T/body" | grep -c '<tr><th scope="row"')" 3
is 'and one picture' "$(grep -c 'class="pawl-median"' "$T/body")" 1
like 'the number of its runs leads to them' "$T/body" \
	'href="/p/zlib/runs\?id=01JE[0-9]*&#38;benchmark=deflate%2F6&#38;metric=cpu">5</a>'
ask '/p/zlib/runs?id=01JE0000000000000000000009&benchmark=deflate%2F6'
fine 'runs'
is 'a curve for each side' "$(grep -c 'class="pawl-\(base\|head\)" .*d="M' "$T/body")" 2
is 'and a row' "$(grep -c '<tr><th scope="row">\(base\|head\) <code>' "$T/body")" 2
ask '/p/zlib/runs?id=01JE0000000000000000000001&benchmark=d%E2%80%AEdrawkcab&metric=wall'
fine 'runs of the first commit, of a hostile name'
is 'it has no base' "$(grep -c '<tr><th scope="row">' "$T/body")" 1
ask '/p/zlib/b/%3Cscript%3Ealert%281%29%3C%2Fscript%3E'
fine 'history of a hostile name'
ask '/p/zlib/b/deflate%2F6?since=2026-01-02&until=2026-01-02'
is 'days bound it' "$(sed '1,/<h2 id="results">/d' "$T/body" | grep -c '<tr><th scope="row"')" 6
ask '/p/zlib/b/deflate%2F6?machine=nosuch'
like 'nothing fits' "$T/body" 'No result fits'

ask /p/zlib/regressions?show=all
fine 'changes'
like 'a change leads to its comparison' "$T/body" 'href="/p/zlib/compare\?base=[0-9a-c]*&#38;head='
like 'the subject is text' "$T/body" '&lt;b&gt;change'
ask /p/zlib/alerts
fine 'what regressed'
like 'each with branch and machine' "$T/body" '<span class="soft">main, 0011223344556677</span>'
ask /p/zlib/compare
fine 'comparison, not yet asked'
ask '/p/zlib/compare?base=a000000&head=a001eef'
fine 'comparison'
is 'a row for each benchmark' "$(grep -c '<tr><th scope="row"' "$T/body")" 30
ask '/p/zlib/compare?base=a000000&head=a003dde'
like 'two that were not run side by side are not judged' "$T/body" 'not judged'

ask '/p/zlib/badge.svg?benchmark=deflate%2F6'
is 'a badge of a benchmark' "$status" 200
like 'is a picture' "$T/head" '^Content-Type: image/svg'
like 'that says the newest verdict' "$T/body" '<title>deflate/6: unchanged</title>'
ask '/p/zlib/badge.svg?benchmark=%3Cscript%3Ealert%281%29%3C%2Fscript%3E'
like 'of a hostile name' "$T/body" '<title>&lt;script&gt;alert'
ask '/p/zlib/badge.svg?benchmark=parse%2Fsmall&metric=wall'
like 'where nothing was judged, the level' "$T/body" '<title>parse/small: [0-9.]+ [a-z]+</title>'
ask /p/zlib/badge.svg
cp "$T/body" "$T/badge"
for same in /p/zlib/badge /badge/zlib.svg /badge/zlib; do
	ask "$same"
	is "$same is the same badge" "$status $(cmp "$T/badge" "$T/body" && echo same)" '200 same'
done
is 'one of no project is 404' "$(ask /badge/none.svg; echo "$status") $(ask /badge/.svg; echo "$status")" '404 404'
ask /p/zlib/badge.svg
like 'a badge of the project: what the newest commit moved' "$T/body" \
	'<title>performance: [1-9][0-9]* (regressed|improved)</title>'

is 'one benchmark on three machines' "$(py 'c = connect(sys.argv[1])
def one(n):
    d = judged(n); d["project"] = "thrice"; d["machine"]["id"] = "%016d" % n
    d["benchmarks"][0]["metrics"][0]["delta"]["verdict"] = "improved"
    return post(c, d)
print([one(n) for n in (1, 2, 3)])')" '[201, 201, 201]'
ask /badge/thrice.svg
like 'is one that improved' "$T/body" '<title>performance: 1 improved</title>'
ask '/p/thrice/regressions?show=all'
is 'and one row' "$(grep -c '<tr><th scope="row"' "$T/body") $(grep -c 'in 3 results' "$T/body")" '1 1'

is 'what changed of older commits, and uncommitted work on a newer one' "$(py 'c = connect(sys.argv[1])
def one(n, commit, at, names, verdict="regressed"):
    d = judged(n); d["project"] = "late"; d["commit"].update(id="%040x" % commit, commit_time=at, parents=["%040x" % (commit - 1)])
    d["benchmarks"] = [dict(copy.deepcopy(d["benchmarks"][0]), name=name) for name in names]
    for b in d["benchmarks"]: b["metrics"][0]["delta"]["verdict"] = verdict
    return d
newest = one(1, 0xb00, "2026-11-20T11:00:00Z", ["a", "b", "c"]); newest["benchmarks"][2]["metrics"][0]["delta"]["verdict"] = "improved"
dirty = one(2, 0xb01, "2026-11-20T12:00:00Z", ["a", "b"], "improved"); dirty["commit"]["dirty"] = True
older = [one(10 + n, 0xa00 + n, "2026-11-19T11:00:00Z", ["k%d" % k for k in range(100)]) for n in range(11)]
print({post(c, d) for d in [newest, dirty] + older})')" '{201}'
ask /badge/late.svg
like 'hide nothing of the newest commit' "$T/body" '<title>performance: 2 regressed</title>'
ask /api/v1/projects/late
is 'which is the newest of a clean tree' "$(json "$T/body" 'd["latest"]["commit"][-3:]')" b00

# A change that somebody accepts is no longer one to be red for.
is 'two that regressed, one of them accepted by its commit' "$(py 'c = connect(sys.argv[1])
d = judged(1); d["project"] = "known"
first = d["benchmarks"][0]; other = dict(copy.deepcopy(first), name="other", accepted={"commit": B, "because": "stronger checks"})
d["benchmarks"] = [first, other]
print(post(c, d))')" 201
ask /badge/known.svg
like 'are one that regressed' "$T/body" '<title>performance: 1 regressed</title>'
ask '/badge/known.svg?benchmark=other'
like 'and one that is accepted' "$T/body" '<title>other: accepted \+3.4[0 ]*%</title>'
ask '/badge/known.svg?benchmark=deflate%2F6'
like 'as the other is not' "$T/body" '<title>deflate/6: regressed \+3.4[0 ]*%</title>'
# settle STATE: the alert of deflate/6
settle() {
	ask '/api/v1/projects/known/alerts?benchmark=deflate%2F6'
	ask "/api/v1/projects/known/alerts/$(json "$T/body" 'd["alerts"][0]["alert"]')?state=$1" -X POST
}
settle accepted
ask /badge/known.svg
like 'somebody accepts that one, too' "$T/body" '<title>performance: 2 accepted</title>'
ask '/badge/known.svg?benchmark=deflate%2F6'
like 'of it alone' "$T/body" '<title>deflate/6: accepted \+3.4[0 ]*%</title>'
settle open
ask /badge/known.svg
like 'and takes it back' "$T/body" '<title>performance: 1 regressed</title>'

# What fails has no point in a history: it was what it had been before, for good.
is 'a benchmark that fails since the second result of a commit' "$(py 'c = connect(sys.argv[1])
def one(n, commit, at, **more):
    d = judged(n); d["project"] = "broken"; d["commit"].update(id="%040x" % commit, parents=["%040x" % (commit - 1)], commit_time="2026-11-20T%02d:00:00Z" % (commit - 0xc00))
    d["baseline"]["commit"] = "%040x" % 0xc00; d["finished"] = "2026-11-20T12:%02d:00Z" % at
    b = d["benchmarks"][0]; b["metrics"][0]["delta"].update(verdict="unchanged", ratio=1.0, ci=[0.99, 1.01])
    b["name"] = "broken"; d["benchmarks"].append(dict(copy.deepcopy(b), name="mended"))
    for name, status in more.items():
        next(b for b in d["benchmarks"] if b["name"] == name).update(status=status, metrics=[])
    return d
print({post(c, d) for d in [one(1, 0xc00, 0), one(3, 0xc01, 2, broken="failed"), one(2, 0xc01, 1, mended="failed"),
    one(4, 0xc02, 3, broken="timeout", mended="skipped")]})')" '{201}'
ask '/badge/broken.svg?benchmark=broken'
like 'its badge says so' "$T/body" '<title>broken: timeout</title>'
ask '/badge/broken.svg?benchmark=broken&branch=main&machine=0011223344556677'
like 'of its branch and machine, too' "$T/body" '<title>broken: timeout</title>'
for elsewhere in branch=side machine=0; do
	ask "/badge/broken.svg?benchmark=broken&$elsewhere"
	like "of $elsewhere none does" "$T/body" '<title>broken: no result</title>'
done
ask '/badge/broken.svg?benchmark=mended'
like 'one that was measured again later works, and one that was skipped is what it was' "$T/body" '<title>mended: unchanged</title>'
ask /badge/broken.svg
like 'and the badge of the project' "$T/body" '<title>performance: 1 failed</title>'
ask /p/broken
like 'so does the list' "$T/body" '<td class="verdict"><span class="failed">timeout</span>'
like 'of it alone' "$T/body" '<td class="verdict"><span class="unchanged">unchanged</span>'
ask /p/broken/b/broken
fine 'history whose newest result failed'
like 'where that is' "$T/body" "^<p>The newest result has no value: <span class=\"failed\">timeout</span> at <code>0000000</code> 2026-11-20.</p>"
ask "/api/v1/projects/broken/compare?base=$(printf %040x $((0xc00)))&head=$(printf %040x $((0xc01)))"
is 'two commits beside each other: the result measured last decides' \
	"$(json "$T/body" '[(b["name"], {(m["head"]["status"], m["delta"] and m["delta"]["verdict"]) for m in b["metrics"] if m["gate"]}) for b in d["benchmarks"]], [f["name"] for f in d["head_failures"]]')" \
	"([('broken', {('failed', None)}), ('mended', {('ok', 'unchanged')})], ['broken'])"
"$BUILD/pawld" retract --store "$STORE" --project broken "$(printf 01JD00000000000000%08d 4)"
ask '/badge/broken.svg?benchmark=broken'
like 'what is retracted says nothing' "$T/body" '<title>broken: failed</title>'

# A hint against stored samples is no verdict.
is 'what is only suspected' "$(py 'c = connect(sys.argv[1])
d = judged(1); d["project"] = "hint"; d["benchmarks"][0]["metrics"][0]["delta"]["suspect"] = True; d["baseline"]["how"] = "stored"
print(post(c, d))')" 201
ask '/badge/hint.svg?benchmark=deflate%2F6'
like 'is called so on the badge' "$T/body" '<title>deflate/6: suspect</title>'
for page in /p/hint /p/hint/b/deflate%2F6; do
	ask "$page"
	like "and on $page" "$T/body" '<span class="suspect">suspect</span>'
	unlike "$page: which is no verdict" "$T/body" '>regressed<'
done

ask '/p/zlib/compare/a000000..a001eef'
is 'a range as people write it' "$status" 303
like 'leads there' "$T/head" '^Location: /p/zlib/compare\?base=a000000&head=a001eef.$'
ask '/p/zlib/compare/a%0d%0aX:y..%3Cb%3E'
like 'whatever it is made of' "$T/head" '^Location: .*base=a%0D%0AX%3Ay&head=%3Cb%3E.$'

# What is refused is a page, too.
for wrong in '404 /p/nosuch' '404 /p/zlib/b/nosuch' '400 /p/zlib?pgae=2' '400 /p/zlib?page=0' \
	'400 /p/zlib/b/crc32?since=x' '404 /p/zlib/compare?base=ffff&head=a000000' '400 /p/zlib/runs' '400 /p/zlib/compare/..a' '404 /p/zlib/runs?id=x&benchmark=crc32' \
	'404 /p/zlib/runs?id=01JE0000000000000000000009&benchmark=x' '400 /p/zlib/b' '404 /p/zlib/badge.svg?benchmark=x' '400 /p/zlib/badge.svg?metric=x' \
	'400 /p/zlib/regressions?show=%3Cb%3E'; do
	ask "${wrong#* }"
	is "$wrong" "$status" "${wrong%% *}"
	like "$wrong: says why" "$T/body" '<p class="error">'
	unlike "$wrong: as text" "$T/body" '<b>'
done
ask /p/zlib/b/crc32 -X POST
is 'a page cannot be posted to' "$status" 405

ask /style.css
is 'the style sheet' "$status" 200
tag=$(sed -n 's/^ETag: \([^\r]*\).*/\1/p' "$T/head" | tr -d '\r')
ask /style.css -H "If-None-Match: $tag"
is 'is kept by browsers' "$status" 304
ask /p/zlib
tag=$(sed -n 's/^ETag: //p' "$T/head" | tr -d '\r')
ask /p/zlib -H "If-None-Match: $tag"
is 'and so is a page until there is news' "$status" 304
like 'what it may load stays what it was' "$T/head" "^Content-Security-Policy: default-src 'none'; style-src 'self'"
unlike 'and what it is' "$T/head" '^Content-Type'
ask /plot.js
like 'the script is a file of this server' "$T/head" '^Content-Type: text/javascript'

# 51 benchmarks are two pages.
check 'another project' /usr/bin/python3 -B "$ROOT/tests/page/fill.py" "$SERVER" 2 51 many
ask /p/many
is 'fifty fit on a page' "$(grep -c '<th scope="row"' "$T/body")" 50
like 'with a link to the next one' "$T/body" 'href="/p/many\?page=2">Next'
ask '/p/many?page=2'
is 'where the last one is' "$(grep -c '<th scope="row"' "$T/body")" 1

# Of a long history the picture shows a part of all, and leads to the rest.
check 'a long history' /usr/bin/python3 -B "$ROOT/tests/page/fill.py" "$SERVER" 2010 1 long
ask '/p/long/b/deflate%2F6'
fine 'a long history'
like 'is told whole' "$T/body" 'is better: 2010 results of machine'
like 'also of the picture' "$T/body" '>medians of 2010 results with their intervals'
like 'which shows the least and the greatest' "$T/body" 'the least and the greatest'
sed -n 's/.* data-points="\([^"]*\)".*/\1/p' "$T/body" | tr ';' '\n' >"$T/points"
n=$(grep -c . "$T/points")
check 'with some of its points' test "$n" -gt 700 -a "$n" -lt 2000
like 'from the first one' "$T/points" '^[^ ]* [^ ]* [^ ]* a000000c* 2026-01-01 '
is 'to the last one' "$(tail -1 "$T/points" | cut -d' ' -f5)" 2026-12-27
moved() { grep -c ' [0-9][0-9.e+-]* -*1 [^ ]*$' "$1"; }
is 'each that moved among them' "$(moved "$T/points")" \
	"$(grep -c '<g class="pawl-regressed\|<g class="pawl-improved' "$T/body")"
like 'the way to the rest of the same is there for the script' "$T/body" \
	' data-part="/p/long/b/deflate%2F6[?]metric=cpu&#38;unit=ns&#38;better=lower&#38;machine=0011223344556677" '
like 'the figures are on pages' "$T/body" '<span>page 1 of 21</span>'
ask '/p/long/b/deflate%2F6?page=21'
is 'of which the last one has the oldest' "$(sed '1,/<h2 id="results">/d' "$T/body" | grep -c '<tr><th scope="row"')" 10
like 'to the first one of all' "$T/body" '<code>a000000</code>'
ask '/p/long/b/deflate%2F6?since=2026-06-01&until=2026-06-28'
like 'a part of it is shown whole' "$T/body" 'is better: 168 results of machine'
unlike 'and needs no such way' "$T/body" 'data-part='
is 'each of it is in the picture' "$(sed -n 's/.* data-points="\([^"]*\)".*/\1/p' "$T/body" | tr ';' '\n' | grep -c .)" 168

# A benchmark that is gone.
/usr/bin/python3 -B -c 'import sys
sys.path.append(sys.argv[1])
from posts import *
d = summary(7, "e" * 40, "2026-11-22T00:00:00Z")
d["benchmarks"][0]["name"] = "deflate/9"
put(sys.argv[2], d)' "$ROOT/tests/helpers" "$T/later"
send later
ask '/p/zlib?q=deflate'
like 'what was not measured for long has its day' "$T/body" '<span class="soft">\(.*2026-[0-9-]*.*\)</span>'
is 'and what was has none' "$(grep -c '<span class="soft">(' "$T/body")" 1

# A page for who looks, JSON for programs.
ask /nosuch -H 'Accept: text/html,*/*;q=0.8'
is 'an address that there is not' "$status" 404
like 'is told on a page' "$T/body" '<p class="error">there is nothing at this address</p>'
like 'with the policy of pages' "$T/head" "^Content-Security-Policy: .*style-src"
ask /nosuch
is 'a program is told in JSON' "$status $(json "$T/body" 'd["error"]["code"]')" '404 absent'
ask /api/v1/nosuch -H 'Accept: text/html,*/*;q=0.8'
is 'of the API everybody' "$status $(json "$T/body" 'd["error"]["code"]')" '404 absent'

# Another unit from some day on, for good.
/usr/bin/python3 -B -c 'import sys
sys.path.append(sys.argv[1])
from posts import *
d = summary(8, "f" * 40, "2026-11-23T00:00:00Z")
d["benchmarks"][0]["metrics"][0]["unit"] = "<b>"
put(sys.argv[2], d)' "$ROOT/tests/helpers" "$T/converted"
send converted
ask /p/zlib/b/deflate%2F6
fine 'history in two units'
is 'the unit of before is shown' "$(grep -c 'class="pawl-median"' "$T/body") $(grep -c '<tr><th scope="row"><a .*>ffffff' "$T/body")" '1 0'
like 'and where the newer ones are' "$T/body" \
	'^<p>Newer results are in another unit or direction: <a href="/p/zlib/b/deflate%2F6\?metric=cpu&#38;unit=%3Cb%3E&#38;better=lower">&lt;b&gt;</a>, less is better; the newest is of <code>fffffff</code> 2026-11-23.</p>'
ask '/p/zlib?q=deflate'
like 'also in the list' "$T/body" '<span class="soft">newer in <a .*>&lt;b&gt;</a></span>'
ask '/p/zlib/b/deflate%2F6?metric=cpu&unit=%3Cb%3E&better=lower'
fine 'history in the other unit'
like 'it leads back' "$T/body" '^<p>There are results in another unit or direction, too: <a .*unit=ns.*>ns</a>, less is better.</p>'

# shown QUERY: what the form sends along, and the unit that is shown then
shown() {
	ask "/p/zlib/b?benchmark=deflate%2F6&$1"
	echo "$status $(sed -n 's/^<input type="hidden" name="\([^"]*\)" value="\([^"]*\)">$/\1=\2/p' "$T/body" | tr '\n' ' ')" \
		"$(grep -c 'in another unit or direction, too: .*>ns</a>' "$T/body")"
}
is 'Show keeps the unit that was chosen' "$(shown 'metric=cpu&unit=%3Cb%3E&better=lower')" \
	'200 benchmark=deflate/6 unit=&#60;b&#62; better=lower of=cpu  1'
is 'also with another choice' "$(shown 'metric=cpu&unit=%3Cb%3E&better=lower&of=cpu&since=2026-11-01&branch=')" \
	'200 benchmark=deflate/6 unit=&#60;b&#62; better=lower of=cpu  1'
is 'but not of another metric' "$(shown 'metric=wall&unit=%3Cb%3E&better=lower&of=cpu')" '200 benchmark=deflate/6  0'
is 'one that nobody chose is not said' "$(shown metric=cpu)" '200 benchmark=deflate/6  0'
is 'one that there is not is 404' "$(shown 'metric=wall&unit=%3Cb%3E' | cut -d' ' -f1)" 404
ask '/p/zlib/regressions?limit=7'
like 'how many changes are looked at is kept, too' "$T/body" '^<input type="hidden" name="limit" value="7">$'

# A benchmark that was compared with another commit than the rest of its result.
doc own '(lambda d: d.update(project="own") or d["benchmarks"][0].update(baseline_commit="cccc456789abcdef0123456789abcdef01234567", baseline_how="rerun") or d["benchmarks"][0]["metrics"][0].update(baseline_samples=[1000, 1001, 1002]) or d)(judged(77))'
send own
is 'a result with two bases' "$status" 201
ask '/p/own/runs?id=01JD0000000000000000000077&benchmark=deflate%2F6'
like 'its runs name that of the benchmark' "$T/body" '<th scope="row">base <code>cccc456</code>'

exit 0
