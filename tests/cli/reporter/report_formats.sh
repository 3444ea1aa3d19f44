# Every format of a report, read by a program that is not ours.
. "$(dirname "$0")/../../lib.sh"

python='/usr/bin/python3 -IS'
new_stored_repo "$T/repo"

# has TOOL NAME: whether it is here; else a skip under that name
has() {
	command -v "$1" >/dev/null && return 0
	skip "$2" "$1 is not installed"
	return 1
}

formats=$(pawl report --help | sed -n '/^Formats:/,$s/^  \([a-z]*\): .*/\1/p')

# write_all DIR [FORMAT...]: every format, or these, in one call
write_all() {
	to=$1
	shift
	[ $# -gt 0 ] || set -- $formats
	mkdir -p "$to"
	set -- "$to" $(for f; do echo "--write $f=$to/$f"; done)
	shift
	pawl report --project proj "$@" -q >"$T/out" 2>"$T/err"
}

# ---- one call writes them all, and each reader takes its own -------------------------------

fill each
write_all "$T/each"
is 'the status is the verdict, not the writing' "$?" 4
fill hostile
write_all "$T/hostile"
fill many 9999
# Those that are looked at below.
if [ -n "${PAWL_TEST_SLOW:-}" ]; then write_all "$T/many"; else write_all "$T/many" markdown comment junit html; fi
is 'all formats are written' "$(ls "$T/each" | wc -l)" "$(echo $formats | wc -w)"

# To hold a document of 10,000 benchmarks against the schema takes ten seconds.
for kind in each hostile ${PAWL_TEST_SLOW:+many}; do
	d=$T/$kind
	check "$kind: json is a summary" $python -c 'import json, sys; json.load(open(sys.argv[1]))' \
		"$d/json"
	valid "$kind: by its schema" "$d/json"
	check "$kind: csv" $python "$ROOT/tests/helpers/look.py" csv "$d/csv"
	check "$kind: the page runs and fetches nothing" \
		$python "$ROOT/tests/helpers/look.py" page "$d/html"
	check "$kind: codequality" $python "$ROOT/tests/helpers/look.py" codequality "$d/codequality"
	if has xmllint "$kind: junit by its schema"; then
		check "$kind: junit by its schema" \
			xmllint --huge --noout --schema "$ROOT/tests/schema/junit.xsd" "$d/junit"
		check "$kind: the badge is XML" xmllint --noout "$d/badge"
		for count in testcase failure error skipped; do
			attribute=$(echo $count | sed 's/testcase/tests/; s/e$/es/; s/r$/rs/')
			is "$kind: junit counts of $count agree" \
				"$(xmllint --huge --xpath "count(//$count)" "$d/junit")" \
				"$(xmllint --huge --xpath "string(/testsuites/@$attribute)" "$d/junit")"
		done
	fi
	for f in openmetrics metrics; do
		metrics "$kind: Prometheus takes $f" "$d/$f"
		is "$kind: $f ends" "$(tail -n 1 "$d/$f")" '# EOF'
	done
	if has tidy "$kind: the page is HTML"; then
		# tidy does not know that an <svg> has its own style and attributes
		tidy -qe "$d/html" 2>&1 | grep -v -e '<style> tag to <head>' -e '<svg> proprietary' |
			head -n 5 >"$T/tidy"
		is "$kind: the page is HTML" "$(cat "$T/tidy")" ''
	fi
done

# ---- limits of those who show it -----------------------------------------------------------

size() {
	wc -c <"$1" | tr -d ' '
}
check 'a job summary stays below 1 MiB' [ "$(size "$T/many/markdown")" -lt 1048576 ]
check 'a comment stays within 65,536' [ "$(size "$T/many/comment")" -le 65536 ]
like 'what is left out is counted' "$T/many/comment" '^[0-9]+ more rows are left out here'
like 'the worst comes first' "$T/many/comment" 'suite/case/9998'
like 'a comment can be found again' "$T/many/comment" '^<!-- pawl -->$'
check 'junit stays below 30 MB' [ "$(size "$T/many/junit")" -lt 30000000 ]
check 'a page of 9,999 benchmarks stays below 16 MB' [ "$(size "$T/many/html")" -lt 16000000 ]
like 'the page says that only the table has them all' "$T/many/html" '9899 more are in the table'

# ---- what stands in them -------------------------------------------------------------------

is 'codequality: regressed, failed and suspected ones' \
	"$($python "$ROOT/tests/helpers/look.py" codequality "$T/each/codequality")" 5
like 'the page has the distributions' "$T/each/html" 'median 2.11 ms of 20 runs'
like 'and the machine' "$T/each/html" '<th>microcode</th><td>0xa0011d1'
like 'and the warnings' "$T/each/html" '<li>the processor changes its clock speed'
like 'the badge says the worst' "$T/each/badge" '<title>performance: 2 failed</title>'
unlike 'a hostile name is no markup' "$T/hostile/html" '<script|</style></svg>.*deflate'
unlike 'nor a command to the log of a CI' "$T/hostile/junit" '^::'

# ---- in a browser --------------------------------------------------------------------------

# shoot NAME WIDTH SCHEME: a picture of the page
shoot() {
	timeout 600 chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars \
		--disable-background-networking --user-data-dir="$T/chromium" \
		"--blink-settings=preferredColorScheme=$3" --window-size="$2,1200" \
		"--screenshot=$T/$1.png" "file://$T/page.html" >"$T/chromium.log" 2>&1
}
if has chromium 'the page in a browser'; then
	cp "$T/hostile/html" "$T/page.html"
	! slow_only 'it is light and dark where its reader wants that' || {
		shoot light 1100 1
		is 'it is light where its reader wants that' \
			"$($python "$ROOT/tests/helpers/look.py" pixel "$T/light.png")" '255 255 255'
		shoot dark 500 0
		is 'it is dark where its reader wants that' "$($python "$ROOT/tests/helpers/look.py" pixel "$T/dark.png")" '13 17 23'
	}
	timeout 600 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$T/chromium" \
		--enable-logging=stderr --v=0 --dump-dom "file://$T/page.html" \
		>"$T/dom" 2>"$T/chromium.log"
	unlike 'no script came out of a name' "$T/dom" '<script'
	like 'all of it was read' "$T/dom" 'What was measured, and how'
	unlike 'nothing was refused by the policy for content' "$T/chromium.log" \
		'Content Security Policy'
fi

# ---- wrong ones ----------------------------------------------------------------------------

runs 2 'an unknown format' pawl report --write sarif=x
like 'those there are' "$T/err" '^hint: the formats are: text, json, markdown, '
runs 2 'a format as an option' pawl report --html x.html
like 'is told how it is written' "$T/err" '^hint: write --format html'
runs 2 'no file' pawl report --write html
runs 2 'an empty file' pawl report --write html=
runs 2 'a folder that is not there' pawl report --write html=no/such/x.html
runs 2 'a range into one file' pawl report HEAD~1.. --write html=x.html
check 'nothing was written' [ ! -e x.html ]
runs 2 'history writes one answer' pawl history --write html=x.html

# ---- measured once, written as often as wanted ---------------------------------------------

new_work_repo "$T/work"
cd "$T/work" || exit 1
set_work 2000 one
set_work 80000 two
runs 1 'a comparison writes its reports' pawl compare --write html="$T/c.html" \
	--write junit="$T/c.xml" --write json="$T/c.json" --json
is 'of one measuring' "$(json "$T/c.json" 'd["id"]')" "$(json "$T/out" 'd["id"]')"
like 'the page' "$T/c.html" 'class="bad">regressed'
like 'the cases' "$T/c.xml" '<failure message="[a-z]* is .* slower'
