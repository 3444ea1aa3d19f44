# --porcelain: the same lines whatever terminal and locale are like, read by awk and by python's csv.
. "$(dirname "$0")/../../lib.sh"

new_stored_repo "$T/repo"

fill each
runs 4 'a stored result' pawl report --project proj --porcelain
cp "$T/out" "$T/lines"
is 'starts with name and version' "$(head -n 1 "$T/lines")" 'pawl-porcelain	1'
is 'ends with its end' "$(tail -n 1 "$T/lines")" end
is 'names the head' "$(awk -F '\t' '$1 == "head" { print $2 }' "$T/lines")" "$head"
is 'and the base' "$(awk -F '\t' '$1 == "base" { print $2 }' "$T/lines")" "$base"
is 'each benchmark has all its fields' \
	"$(awk -F '\t' '$1 == "benchmark" && NF != 19' "$T/lines")" ''
is 'the verdicts are those of the document' \
	"$(awk -F '\t' '$1 == "benchmark" && $2 == "regressed" { print $3 }' "$T/lines")" \
	"$(pawl report --project proj --json | /usr/bin/python3 -ISc 'import json, sys
for b in json.load(sys.stdin)["benchmarks"]:
    if any(m["name"] == b.get("gate") and (m.get("delta") or {}).get("verdict") == "regressed"
           for m in b["metrics"]):
        print(b["name"])')"
for setting in LC_ALL=de_DE.UTF-8 LC_ALL=C COLUMNS=20 CLICOLOR_FORCE=1 TERM=dumb; do
	env "$setting" pawl report --project proj --porcelain >"$T/out" 2>/dev/null
	check "the same with $setting" cmp "$T/lines" "$T/out"
done
/usr/bin/python3 "$ROOT/tests/helpers/terminal.py" 40 \
	pawl report --project proj --porcelain --color always >"$T/out"
check 'the same on a narrow terminal, in colour' cmp "$T/lines" "$T/out"
pawl report --project proj --write porcelain="$T/file" >/dev/null 2>&1
check 'the same in a file' cmp "$T/lines" "$T/file"
pawl report --project proj --format porcelain >"$T/out" 2>/dev/null
check 'the same by its name as a format' cmp "$T/lines" "$T/out"
runs 4 'the further metrics' pawl report --project proj --porcelain -v
like 'have lines of their own' "$T/out" '^metric	'

fill hostile
pawl report --project proj --porcelain >"$T/out" 2>/dev/null
unlike 'hostile names bring no control character along' "$T/out" "$(printf '[\001-\010\013-\037]')"
is 'and no field' "$(awk -F '\t' '$1 == "benchmark" && NF != 19' "$T/out")" ''
is 'nor a line' "$(cut -f 1 "$T/out" | sort -u | tr '\n' ' ')" \
	'base benchmark end head machine pawl-porcelain project '

runs 2 'two answers at once' pawl report --porcelain --json
like 'is refused' "$T/err" '^pawl: error: --porcelain and --json exclude each other'
runs 2 'or by the name of a format' pawl report --porcelain --format text
runs 0 'a comparison' pawl compare --porcelain --build true -- true
like 'has them too' "$T/out" '^benchmark	identical	true	'
runs 0 'a collection' pawl collect --porcelain --runs 8..8 --project proj -- true
like 'too' "$T/out" '^benchmark	no-baseline	true	cpu|^benchmark	[a-z-]*	true	'
is 'and nothing but them' "$(head -n 1 "$T/out" | cut -f 1) $(tail -n 1 "$T/out")" \
	'pawl-porcelain end'
