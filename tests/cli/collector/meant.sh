# "Did you mean": of commands, options, words, formats, benchmarks and keys; and never where
# nothing is near.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END2'
[benchmark "deflate"]
	command = true
[benchmark "inflate"]
	command = true
END2
commit_all . one
commit_all . two

# meant WORDS HINT: pawl WORDS ends with status 2 and that hint
meant() {
	# shellcheck disable=SC2086  # several words on purpose
	pawl $1 >"$T/out" 2>"$T/err"
	is "pawl $1" "$? $(sed -n 's/^hint: //p' "$T/err")" "2 $2"
}

meant 'compar' "did you mean 'pawl compare'?"
meant 'ocmpare' "did you mean 'pawl compare'?"
meant 'Compare' "did you mean 'pawl compare'?"
meant 'help reprot' "did you mean 'pawl report'?"
meant 'measure' "see 'pawl --help'"
meant 'compare --theshold 1%' "did you mean '--threshold'?"
meant 'compare --treshold=1%' "did you mean '--threshold'?"
meant 'report --limit 3' "see 'pawl report --help'"
meant 'report -z' "see 'pawl report --help'"
meant 'hook instal' "did you mean 'pawl hook install'?"
meant 'hook remove' 'pawl hook install | uninstall | status'
meant 'hook' 'pawl hook install | uninstall | status'
meant 'token lst' "did you mean 'pawl token list'?"
meant 'token show' 'use token add, token list or token revoke'
meant 'completion zhs' "did you mean 'pawl completion zsh'?"
meant 'report --format jsno' "did you mean 'json'?"
meant 'report --write jsno=x' "did you mean 'json'?"
meant 'history --format htlm' "did you mean 'html'?"
meant 'why --format sgv' "did you mean 'svg'?"
meant 'why --format pdf' 'the formats are: text, json, html, svg'
meant 'import --format gogle x' "did you mean 'google'?"
meant 'export --format benchr' "did you mean 'bencher'?"
meant 'export --format google-benchmark' "did you mean 'google'?"
meant 'compare --build true -b deflat' "did you mean 'deflate'?"
meant 'compare --build true -b crc' \
	"name a section, 'deflate', 'inflate', or one inside it as SECTION/NAME"
meant 'why -b infalte' "did you mean 'inflate'?"
meant 'accept HEAD --benchmark deflat --because x' "did you mean 'deflate'?"
meant 'accept HEAD --benchmark crc --because x' \
	"write it as 'pawl report' shows it; a '*' at its end matches any end of a name"

printf 'BenchmarkSort 100 5 ns/op\nBenchmarkFind 100 5 ns/op\n' >"$T/go.txt"
pawl import "$T/go.txt" >/dev/null 2>&1
pawl history BenchmarkSrot >"$T/out" 2>"$T/err"
is 'pawl history BenchmarkSrot' "$? $(sed -n 's/^hint: //p' "$T/err")" "5 did you mean 'BenchmarkSort'?"

# key NAME HINT: as above of the configuration that standard input holds
key() {
	cat >.pawlconfig
	pawl report >"$T/out" 2>"$T/err"
	is "$1" "$? $(sed -n 's/^hint: //p' "$T/err")" "2 $2"
}
key 'a key of [pawl]' "did you mean 'threshold'?" <<'END2'
[pawl]
	treshold = 1%
END2
key 'one that is near no key' 'pawl-config(5) lists the keys' <<'END2'
[pawl]
	colour = red
END2
key 'a key of a benchmark' "did you mean 'command'?" <<'END2'
[benchmark "x"]
	comand = true
END2
key 'a metric' "did you mean 'wall'?" <<'END2'
[benchmark "x"]
	command = true
	metric = wal
END2
key 'a section' 'did you mean [pawl]?' <<'END2'
[pwal]
	build = true
END2
