# What else the machine does is warned of where something was measured, and only there.
. "$(dirname "$0")/../../lib.sh"

warning='^warning: other programs keep the processors busy'
echo '999.00 999.00 999.00 1/100 100' >"$T/loadavg"

# busy COMMAND...: runs it on a machine with that load
busy() {
	unshare -Urm sh -c 'mount --bind "$0" /proc/loadavg && exec "$@"' "$T/loadavg" "$@"
}

if ! busy grep -q ^999 /proc/loadavg 2>/dev/null; then
	skip 'warnings of noise' 'no namespace in which /proc/loadavg can be another file'
	exit
fi

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '#!/bin/sh\n:\n' >run
chmod +x run
commit_all . one
echo ': two' >>run
commit_all . two

runs 0 'what is measured on a busy machine' busy pawl compare --pairs 6 -- ./run
like 'has a warning' "$T/out" "$warning"
runs 0 'a collection' busy pawl collect --runs 6..6 -- ./run
like 'has it, too' "$T/out" "$warning"
runs 0 'identical code' busy pawl compare HEAD..HEAD -- ./run
like 'is not measured' "$T/out" 'nothing to measure'
unlike 'and has none' "$T/out" '^warning:'
runs 0 'unless that is asked for' busy pawl compare --pairs 6 --measure-identical HEAD..HEAD -- ./run
like 'then it has' "$T/out" "$warning"
echo 1 >new
runs 4 'where nothing can be compared' busy pawl compare --working-tree -- ./run new
like 'that is said' "$T/out" '^Nothing was compared: '
unlike 'without a warning of noise' "$T/out" '^warning:'
