# The pages for those who come from another tool: their blocks are run, as docs.sh runs those of others.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/docs/pages.sh"

case $BUILD in
*asan* | *coverage*)
	skip 'the blocks of the pages' 'a reader links libpawl without the flags of this build'
	exit
	;;
esac

# Quick settings: the verdicts that are asked for are about changes of 100 % and more.
PAWL_RUNS=12..12 PAWL_MIN_TIME=1ms
export PAWL_RUNS PAWL_MIN_TIME
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
pages='docs/howto/google-benchmark.md docs/howto/benchstat.md docs/howto/bencher.md'
if slow_only 'the block of docs/howto/asv.md'; then
	pages="$pages docs/howto/asv.md"
fi
for page in $pages; do
	page_test "$page" "$ROOT/$page" "$T/pages/$page" || result 1 "$page has blocks"
done

# ---- what is called what: each command and option of the tables is one -------------------------------

n_options=0
for page in google-benchmark benchstat asv bencher codspeed hyperfine; do
	# `pawl COMMAND ... --option` in backquotes
	grep -o '`pawl [a-z]*[^`]*`' "$ROOT/docs/howto/$page.md" | tr -d '`' | sort -u >"$T/named"
	check "$page.md names commands" [ -s "$T/named" ]
	while read -r _ command words; do
		[ "$command" != hyperfine ] || continue
		pawl "$command" --help >"$T/help" 2>&1 ||
			result 1 "$page.md: pawl $command is a command" "$(cat "$T/help")"
		for option in $(echo "$words" | grep -o -e '--[a-z][a-z-]*'); do
			n_options=$((n_options + 1))
			like "$page.md: pawl $command has $option" "$T/help" "$option( |,|\$)"
		done
	done <"$T/named"
done
check 'they name options' [ "$n_options" -gt 8 ]
