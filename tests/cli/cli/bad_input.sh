# Bad input: each gets a clear message that names the place and the cure, and loses nothing.
. "$(dirname "$0")/../../lib.sh"

cd "$T" || exit 1
runs 5 'outside a repository' pawl collect
like 'it says so' "$T/err" 'no .*repository'
runs 2 'an unknown command' pawl colect
like 'gets a proposal' "$T/err" "did you mean 'pawl collect'"
runs 2 'an unknown option' pawl collect --run 3
like 'gets a proposal too' "$T/err" "did you mean '--runs'"
runs 2 'an option without its value' pawl collect --runs
runs 2 'an option given twice' pawl collect --threshold 2% --threshold=3%
like 'is no silent choice of one' "$T/err" "option '--threshold' is given twice"
runs 2 'by its letter too' pawl accept HEAD -b one -btwo --because none
like 'is named' "$T/err" "option '--benchmark' is given twice"
runs 5 'what takes no value may be repeated' pawl collect -qq --quiet
runs 0 'help' pawl collect --help
like 'shows the options' "$T/out" '--min-time TIME'
runs 0 'version' pawl --version

new_repo repo
cd repo || exit 1
runs 5 'an unborn HEAD' pawl collect -- true
like 'is explained' "$T/err" 'commit'
echo one >file
commit_all . 'one'
runs 2 'no configuration' pawl collect
like 'names the cure' "$T/err" "^hint: run 'pawl init', .*'pawl collect -- COMMAND'"

runs 128 'compare for git bisect without configuration' pawl compare --bisect HEAD
like 'says how every commit has one' "$T/err" "^hint: use 'git config benchmark.NAME.command"
runs 2 'bisect without benchmarks' pawl bisect HEAD HEAD --benchmark x
like 'names its own words' "$T/err" "^hint: run 'pawl init', .*name a program: 'pawl bisect GOOD BAD --benchmark NAME -- PROGRAM'$"
runs 2 'calibrate without benchmarks' pawl calibrate
like 'names a command of its own' "$T/err" "^hint: .*'pawl calibrate -- COMMAND'"
unlike 'before it begins' "$T/err" 'comparison 1'
runs 2 'calibrate with --list and --reset' pawl calibrate --list --reset
like 'says that they exclude each other' "$T/err" '--list and --reset exclude each other'

touch Makefile
runs 4 'an executable that no build has made' sh -c 'git config benchmark.x.command ./x && pawl collect'
like 'is told with the build' "$T/err" "no build is configured, and './x' is not there; there is a Makefile"
like 'that would be used' "$T/err" "hint: git config pawl.build '?make"
git config --remove-section benchmark.x
rm Makefile

printf '[pawl]\n\truns = 20..30\n[benchmark "x"\n\tcommand = true\n' >.pawlconfig
runs 2 'a malformed file' pawl collect
like 'names file and line' "$T/err" '\.pawlconfig.*3'
printf '[pawl]\n\tthreshhold = 2%%\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
runs 2 'an unknown key' pawl collect
like 'names the line' "$T/err" '\.pawlconfig.*2'
like 'and the nearest key' "$T/err" "threshold"
printf '[pawl]\n\truns = 30..20\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
runs 2 'a value out of range' pawl collect
like 'names its line' "$T/err" '\.pawlconfig.*2'
printf '[benchmark "x"]\n\tformat = pawl\n' >.pawlconfig
runs 2 'a benchmark without a command' pawl collect
like 'is named' "$T/err" "'x'.*no command"
printf '[pawl]\n\tserver = http://evil.invalid/\n\truns = 2..2\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
runs 0 'a server in the committed file' pawl collect
like 'is ignored with a warning' "$T/err" 'warning: .*server'
unlike 'nothing is posted' "$T/err" 'evil'

fixture=$BUILD/helpers/fixture
config() {
	printf '[pawl]\n\truns = 2..2\n\tminTime = 1ms\n[benchmark "good"]\n\tcommand = true\n[benchmark "bad"]\n\tcommand = %s\n%s' \
		"$1" "${2:-}" >.pawlconfig
}
config ./missing
runs 4 'a missing executable' pawl collect
cat "$T/out" "$T/err" >"$T/both"
like 'with its path and a cure' "$T/both" "cannot run '.*missing': No such file"
like 'the others are measured' "$T/out" '^.*good '
config ./file
runs 4 'a file that is not executable' pawl collect
like 'is named with the reason' "$T/out" 'Permission denied'
config "$fixture exit 3"
runs 4 'a benchmark that exits with 3' pawl collect
like 'is failed with its status' "$T/out" 'exited with status 3'
config "$fixture signal 11"
runs 4 'one that crashes' pawl collect
like 'is failed with the signal' "$T/out" 'SIGSEGV'
config "$fixture hang" '	timeout = 300ms
'
runs 4 'one that hangs and ignores SIGTERM' pawl collect
like 'is ended at its timeout' "$T/out" 'timeout of 300 ms'
like 'and can be given more' "$T/out" "more time: --budget, or 'timeout = 10m' in its section of .pawlconfig"
cat >never.c <<'END'
#include <fcntl.h>
#include <unistd.h>
int main(int c, char **v)
{
	int fd = open(v[c - 1], O_WRONLY | O_APPEND);
	while (write(fd, "x", 1) == 1)
		pause();
	return 1;
}
END
${CC:-cc} -o never never.c
: >"$T/ran"
config "./never $T/ran" '	timeout = 300ms
'
runs 4 'one that never ends' pawl collect
like 'is ended at its timeout, too' "$T/out" 'timeout of 300 ms'
is 'and waited for once' "$(cat "$T/ran")" x
much=67108864
[ -z "${PAWL_TEST_SLOW:-}" ] || much=1073741824
config "$fixture print $much"
runs 0 "one that prints $much bytes" pawl collect
like 'is measured' "$T/out" '^.*bad '
config "$fixture records '{\\\"type\\\":\\\"hello\\\",\\\"protocol\\\":1}' {broken" '	format = pawl
'
runs 4 'one that writes broken records' pawl collect
like 'is failed and says so' "$T/out" 'broken record'
config "$fixture daemons 1"
runs 0 'one that leaves a daemon behind' pawl collect
check 'the daemon is gone' not running "$fixture daemons"
config true '	format = pawl
'
runs 4 'a plain program called a libpawl one' pawl collect
like 'is told from one' "$T/out" 'does not answer as a program linked to libpawl'

printf '[pawl]\n\tbuild = "echo broken >&2; exit 7"\n\truns = 2..2\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
runs 4 'a build that fails' pawl collect
cat "$T/out" "$T/err" >"$T/both"
like 'shows the end of its output' "$T/both" 'status 7.*broken|broken'
like 'and where the rest is' "$T/both" 'build\.log'
runs 0 'with --no-build the benchmarks run' pawl collect --no-build

runs 2 'a folder to write to that is not there' pawl collect --no-build -o /nonexistent/x
like 'is told before any measuring' "$T/err" "cannot write '/nonexistent/x': No such file"
runs 0 'a plot of a benchmark that is not there' pawl collect --no-build --plot -b nosuch
like 'does not take the table away' "$T/out" '^. x '
like 'and is warned of' "$T/err" 'no plot: .*nosuch'
like 'too few runs to judge are warned of' "$T/err" 'with fewer than 9 runs of each side no change can be called'

runs 2 'an unknown format' pawl report --format pdf
runs 2 'an unknown format of a collection' pawl collect --format pdf
like 'is told with those there are' "$T/err" '^hint: the formats are: text, json, markdown'
for command in collect compare report history why; do
	runs 2 "$command with two formats" pawl "$command" --json --format text
	like 'says that they exclude each other' "$T/err" '--json and --format text exclude each other'
done
runs 2 'two numbers of pairs' pawl compare --pairs 30 --runs 12..20
like 'exclude each other' "$T/err" '--pairs and --runs exclude each other'
runs 5 'a commit that does not exist' pawl report nosuch
like 'is named' "$T/err" 'nosuch'

printf '[pawl]\n\truns = 2..2\n[benchmark "x"]\n\tcommand = true\n' >.pawlconfig
runs 0 'closed standard descriptors do no harm' sh -c 'pawl collect <&- 2>&-'
store=.git/pawl/results.db
check 'the store is still sound' pawl fsck
dd if=/dev/urandom of="$store" bs=1 count=64 conv=notrunc 2>/dev/null
runs 5 'a damaged store' pawl collect
like 'is refused with the cure' "$T/err" 'pawl fsck --repair'
runs 5 'the repair of a file whose first page is gone' pawl fsck --repair
like 'says that nothing could be read, and keeps it' "$T/out" 'no result could be read.*results.db.corrupt-'
runs 0 'lets the next collection work' pawl collect

# ---- what it is made of -----------------------------------------------------------------------

runs 0 'what pawl is made of is told' pawl --version --build-info
for part in pawl compiler libgit2 libcurl sqlite; do
	like "with $part" "$T/out" "^$part +[^ ]"
done

runs 0 'and where its files are' pawl --exec-path
check 'which has what CI calls' [ -x "$(cat "$T/out")/ci/shell/pawl-step" ]
mkdir -p "$T/moved/bin" "$T/moved/share/pawl/ci/shell" && cp "$BUILD/pawl" "$T/moved/bin"
runs 5 'a pawl without its files' "$T/moved/bin/pawl" --exec-path
like 'says so' "$T/err" 'are not beside'
cp "$ROOT/ci/shell/pawl-step" "$T/moved/share/pawl/ci/shell"
runs 0 'one with them, wherever it is' "$T/moved/bin/pawl" --exec-path
is 'finds them' "$(cat "$T/out")" "$T/moved/share/pawl"

runs 5 'a program without --' pawl compare /bin/true
like 'is told with the way to run it' "$T/err" "^hint: to run '/bin/true', write: pawl compare -- /bin/true\$"

# ---- names that begin as options do -------------------------------------------------------------

runs 2 'history takes one for an option' pawl history -x
like 'and says how it can be asked for' "$T/err" "^hint: .*begins with '-' is given after '--'\$"

# ---- where answers go ---------------------------------------------------------------------------

runs 0 'an answer may go to /dev/null' pawl doctor --output /dev/null
check 'which stays a device' [ -c /dev/null ]
is 'and to /dev/stdout' "$(pawl report --output /dev/stdout | grep -c verdict)" "$(pawl report | grep -c verdict)"
echo before >"$T/descriptor"
runs 0 'a descriptor of a file is written to' sh -c "pawl report --output /dev/fd/3 3>>'$T/descriptor'"
is 'behind what was there' "$(head -n 1 "$T/descriptor") $(grep -c verdict "$T/descriptor")" "before $(pawl report | grep -c verdict)"
echo before >"$T/answer"
ln -s answer "$T/link"
runs 0 'what a link leads to is written' pawl report --output "$T/link"
is 'and the link stays' "$(readlink "$T/link") $(grep -c verdict "$T/answer")" "answer $(pawl report | grep -c verdict)"
ln -s missing/answer "$T/link2"
runs 0 'one that leads nowhere is replaced' pawl report --output "$T/link2"
runs 5 'one that is not open is told' pawl report --output /proc/self/fd/999
runs 5 'a full device is told' pawl report --output /dev/full
