# What a runner of continuous integration takes for a command ("::name::" at the beginning of a line, "##[name]" and
# "##vso[name]" anywhere): none of it gets from a repository, a benchmark or a build into what pawl writes, in any format.
. "$(dirname "$0")/../../lib.sh"
CC=${CC:-cc}

bad='##\[|##vso|^[[:space:]]*::'

# quiet NAME COMMAND...: whatever it ends with, neither stream holds a command to a runner
quiet() {
	name=$1
	shift
	"$@" >"$T/quiet" 2>&1
	[ $? -lt 126 ] && ! grep -Eq "$bad" "$T/quiet"
	result $? "no command: $name" "$(grep -E -m 3 "$bad" "$T/quiet")"
	cat "$T/quiet" >>"$T/all"
}

cd "$T" || exit 1
mkdir '##[debug]here'
new_repo '##[debug]here/##vso[x]'
cd '##[debug]here/##vso[x]' || exit 1
cat >work.c <<'END'
int main(void)
{
	volatile unsigned i;
	for (i = 0; i < 100000; i++)
		;
	return 0;
}
END
printf 'work: work.c\n\t@echo "##[error]made" >&2; echo "::error::made"\n\t%s -O1 -o $@ work.c\n' "$CC" >Makefile
cat >loud.sh <<'END'
#!/bin/sh
echo '##[error]loud'
printf '::error::loud\n##vso[task.complete]\n' >&2
exit $#
END
chmod +x loud.sh
cat >.pawlconfig <<'END'
[pawl]
	project = "##[group]p"
	build = make && ./loud.sh
	runs = 4..4
	minTime = 1ms
[benchmark "##[error]one"]
	command = "./work ##[word]"
	input = "##[no]file"
[benchmark "::error::two"]
	command = ./work
[benchmark "fails"]
	command = "./loud.sh ##vso[argument]"
END
echo work >.gitignore
commit_all . '##[error]the first'
git tag '##v1'
sed -i 's/100000/300000/' work.c
: >'##[a]new'
commit_all . '::error::the second'
git checkout -q -b '##side'
: >"$T/all"
quiet 'a comparison' pawl compare -v --explain --explain-build --plot
quiet 'a comparison of two commands' pawl compare --pairs 6 --base-cmd './work ##[a]' --head-cmd './work ::error::b' --json
quiet 'a collection' pawl collect -v
for format in text json markdown comment csv html junit openmetrics metrics codequality badge porcelain; do
	quiet "report --format $format" pawl report --format $format -v
	quiet "the comparison, in $format" pawl report --last --format $format
done
for format in text svg html json csv; do
	quiet "history --format $format" pawl history --format $format '##[error]one'
	quiet "the list of histories, in $format" pawl history --format $format
done
for format in json csv benchstat google github-action-benchmark bencher codespeed influx lnt pushgateway; do
	quiet "export --format $format" pawl export --format "$format"
done
quiet 'doctor' pawl doctor
quiet 'doctor, in JSON' pawl doctor --json
quiet 'why' pawl why -b '##[error]one'
quiet 'why, in JSON' pawl why -b '##[error]one' --json
quiet 'bisect' pawl bisect HEAD~1..HEAD --benchmark '##[error]one' --quick
quiet 'bisect, in JSON' pawl bisect HEAD~1..HEAD --benchmark '##[error]one' --quick --json
quiet 'backfill' pawl backfill HEAD~1..HEAD --quick
quiet 'backfill of a matrix' pawl backfill HEAD~1..HEAD --matrix --part 2
quiet 'accept' pawl accept --benchmark '##[error]none' --change +5% --because '##[x]'
quiet 'accept all' pawl accept --all --because '::error::x'
quiet 'hyperfine' pawl hyperfine -r 2 -w 0 './work ##[x]' './loud.sh ::error::x'
quiet 'site' pawl site "$T/site"
quiet 'fsck' pawl fsck
quiet 'a benchmark that is not there' pawl compare -b '##[error]none'
quiet 'a revision that is not there' pawl compare '##[error]none'
quiet 'an option that is not there' pawl compare '--##[error]none'
quiet 'a command that is not there' pawl '##[error]none'
quiet 'a file that is no result' pawl import --format google '##[a]new'
git init -q --bare "$T/remote"
git remote add '##origin' "$T/remote"
git push -q '##origin' HEAD~1:refs/heads/main 2>/dev/null
quiet 'the hook' pawl hook install
quiet 'a push' git push '##origin' HEAD:refs/heads/main
echo '##[error]' >>Makefile
commit_all . '##[error]does not build'
quiet 'a build that fails' pawl compare --explain-build
quiet 'a file that make cannot read' pawl init --dry-run
printf '[pawl]\n\tprojekt = ##[error]x\n\tthreshold = ##[x]\n' >.pawlconfig
quiet 'a configuration with a fault' pawl compare
rm .pawlconfig
git checkout -q HEAD~1 -- Makefile
quiet 'init' pawl init
quiet 'init with a command' pawl init --dry-run -- ./loud.sh '##[x]'
check 'they were met' [ "$(grep -c '##\|#.u0023\|#..#' "$T/all")" -gt 60 ]

# What a document says is as it was.
runs 4 'a result in JSON, with a benchmark that fails' pawl report --json HEAD~1
is 'has the same names' "$(json "$T/out" "sorted(b['name'] for b in d['benchmarks'])")" "['##[error]one', '::error::two', 'fails']"
is 'and the same project' "$(json "$T/out" "d['project']")" '##[group]p'
