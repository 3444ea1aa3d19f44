# Names as nobody would choose them: what pawld takes and shows, and what it refuses and why.
. "$(dirname "$0")/../../lib.sh"

. "$ROOT/tests/server.sh"

start_server --no-auth || exit 1
doc long '(lambda d: d["benchmarks"][0].update(name="x" * 256) or d)(summary(2))'
send long
is 'a name that is too long is 422' "$status" 422
is 'the error names the field and its limit' "$(json "$T/body" 'd["error"]["where"], d["error"]["message"]')" \
	"('benchmarks[0].name', 'is longer than 255 bytes')"
doc many '(lambda d: d["machine"].update(facts={str(i): "" for i in range(257)}) or d)(summary(2))'
send many
is 'too many facts too' "$(json "$T/body" 'd["error"]["where"], d["error"]["message"]')" "('machine.facts', 'has more than 256 entries')"
for name in . ..; do
	doc step "dict(summary(2), project='$name')"
	send step
	is "the project '$name', a step in an address, is refused" "$status $(json "$T/body" 'd["error"]["where"]')" '422 project'
done
# Its own page, and the lists' links lead there.
n=10
for name in .. 'a/b' '%2F' '<i>' "'" '?#&' '😀' ' '; do
	n=$((n + 1))
	name=$name py 'import os
with open(sys.argv[2], "w") as f:
    d = summary(int(sys.argv[3]))
    d["project"] = "a/b%2F?"
    d["benchmarks"][0]["name"] = os.environ["name"]
    json.dump(d, f)' "$T/odd" "$n"
	send odd
	is "a benchmark named '$name' is taken" "$status" 201
done
ask '/p/a%2Fb%252F%3F'
grep -o 'href="/p/a%2Fb%252F%3F/b[^"]*"' "$T/body" | sed 's/^href="//; s/"$//; s/&amp;/\&/g' | sort -u >"$T/links"
is 'each has a link' "$(wc -l <"$T/links")" 8
while read -r link; do
	# curl resolves steps in a path as browsers do, unless it is told not to.
	status=$(curl -sS -o "$T/body" -w '%{http_code}' "$SERVER$link")
	is "$link is a page" "$status" 200
done <"$T/links"
