# A range that other machines measure: parts as JSON, each measured in a clone of its own, joined; what is
# lost is said with what to type; what Slurm gets.
. "$(dirname "$0")/../../../lib.sh"

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
sed 's/runs = .*/runs = 12..12\n\tthreshold = 20%/' .pawlconfig >c && mv c .pawlconfig
set_work 1000 one
git tag v1
set_work 1001 two
echo '#error no' >>work.c
commit_all . 'does not build'
broken=$(git rev-parse HEAD)
git revert -n HEAD
set_work 3000 'three times the work'
moved=$(git rev-parse HEAD)
set_work 3001 four
export PAWL_POOL=test PAWL_LAYOUTS=off PAWL_MIN_TIME=1ms

# ---- the parts -------------------------------------------------------------------------------------

runs 0 'the parts for a CI' pawl backfill v1..HEAD --matrix 2
is 'are JSON, as many as were asked for' "$(json "$T/out" '[p["part"] for p in d["include"]]')" '[1, 2]'
json "$T/out" '"\n".join(p["commits"] for p in d["include"])' >parts
is 'each begins where the one before it ends' "$(sed -n '1s/.*,//p' parts)" "$(sed -n '2s/,.*//p' parts)"
is 'together they have all neighbours' "$(tr -cd , <parts | wc -c)" 4
runs 0 'more parts than there are neighbours' pawl backfill v1..HEAD --matrix 99
is 'are one for each' "$(json "$T/out" 'len(d["include"])')" 4

# part N: measured as a job does, in a clone and with another store
part() {
	rm -rf "$T/clone$1" && git clone -q "$T/repo" "$T/clone$1"
	(cd "$T/clone$1" && pawl backfill --part "$(sed -n "$1p" "$T/repo/parts")" \
		--files "$T/files/part-$1")
}
# result_of N: the file of part N that says of no commit that it failed; names begin with any digit, f too
result_of() {
	find "$T/files/part-$1" -name '*.json' ! -name 'failed-*' | head -n 1
}
runs 0 'a part is measured elsewhere' part 2
like 'its commits alone' "$T/out" '^[23] commits, [12] steps? measured side by side, [12] comparisons? now'
runs 4 'the other part is lost' pawl backfill v1..HEAD --join --files "$T/files"
like 'which is counted' "$T/out" '^5 commits, 3 steps: 1 done, 1 of them joined now, 2 missing$'
ids=$(for id in v1 "$broken~1" "$moved"; do git rev-parse --short=12 "$id^{commit}"; done | paste -sd ,)
like 'with what to type' "$T/out" "^  PAWL_POOL=test pawl backfill --part=$ids --files=$T/files\$"
like 'also on a cluster' "$T/out" "^  pawl backfill v1\.\.HEAD --slurm=1 --files=$T/files\$"
runs 0 'the lost part' part 1
like 'has the commit that does not build' "$T/err" "$(printf %.10s "$broken") is left out"
runs 0 'the one that was not, once more' part 2
like 'is not measured again' "$T/out" ' 0 comparisons now'
sed -i 's,"work/chain","other/chain",' "$(result_of 2)"
runs 0 'and where a benchmark was configured since' part 2
like 'anew, as no other result is joined' "$T/out" ' 1 comparison now'
runs 4 'of two parts that lose a commit between them' pawl backfill v1..HEAD --join --files "$T/files"
like 'one comparison is left, each other is there once' "$T/out" \
	'^5 commits, 3 steps: 2 done, 1 of them joined now, 1 missing$'
runs 0 'it is measured as it is told to' \
	sh -c "$(sed -n '/pawl backfill --part/p' "$T/out")"
runs 0 'now all are joined' pawl backfill v1..HEAD --join --files "$T/files"
like 'the commit that does not build is named' "$T/out" "^left out, as it failed: $(printf %.10s "$broken"): the build exited with status 2: .*error no\$"
like 'with what tries it again' "$T/out" '^to try again what failed: the same command with --again$'
like 'and nothing is missing' "$T/out" '^5 commits, 3 steps: 3 done, [01] of them joined now, 0 missing$'
machine=$(sed -n 's/^to see what moved: pawl history --machine //p' "$T/out")
runs 1 'the history has it' pawl history work/chain --machine "$machine" --json
is 'with the step where it was made' \
	"$(json "$T/out" '[p["commit"] for p in d["points"] if p["verdict"] == "regressed"]')" "['$moved']"
cp "$T/out" "$T/shown"
runs 4 'the same command with --again' pawl backfill v1..HEAD --join --files "$T/files" --again
like 'says how to measure that one, where the others were' "$T/out" "^  PAWL_POOL=test pawl backfill --part=.*,$(printf %.12s "$broken"),"
mv "$T/shown" "$T/out"
is 'and each commit once' "$(json "$T/out" 'len(d["points"]) == len({p["commit"] for p in d["points"]})')" True
runs 0 'joined again' pawl backfill v1..HEAD --join --files "$T/files"
like 'nothing is joined twice' "$T/out" ' 0 of them joined now, 0 missing$'
runs 0 'a matrix of nothing' pawl backfill v1..HEAD --matrix 9 --files "$T/files"
is 'has no part' "$(json "$T/out" 'd["include"]')" '[]'
like 'which is said' "$T/err" '^pawl: nothing is left to measure'
unlike 'and has not the word by which a workflow leaves the job out' "$T/out" commits
git commit -q --allow-empty -m 'one more'
runs 0 'with one commit more' pawl backfill v1..HEAD --matrix 9 --files "$T/files"
is 'there is one part' "$(json "$T/out" 'len(d["include"])')" 1
git reset -q --hard HEAD~1

# ---- what failed for one machine ----------------------------------------------------------------------

cp -r "$T/files" "$T/killed"
mv .git/pawl/results.db "$T/all.db"
sed -i 's/the build exited with status [0-9]*/the build was killed by SIGKILL/' "$T"/killed/*/failed-*.json
runs 4 'a build that was killed on one machine' pawl backfill v1..HEAD --join --files "$T/killed"
like 'says nothing of the commit' "$T/err" "^pawl: warning: $(printf %.10s "$broken") failed there, and is to be measured again: "
like 'whose steps are missing' "$T/out" '^5 commits, 4 steps: 2 done, [23] of them joined now, 2 missing$'
unlike 'and which is not left out' "$T/out" '^left out'

# A run that failed, which leaves a commit out when it comes twice; and one where it went well.
rm .git/pawl/results.db
for id in A B; do
	mkdir -p "$T/ran/$id"
	sed "s/the build exited with/it exited with/; s/\"id\": *\"01[0-9A-Z]*/\"id\": \"01JD000000000000000000000$id/" \
		"$(find "$T/files" -name 'failed-*.json' | head -n 1)" >"$T/ran/$id/failed-$broken.json"
done
mkdir "$T/ran/well"
before=$(git rev-parse "$broken~1")
find "$T/files" -name '*.json' -exec grep -q "$moved" {} \; -exec grep -q "$before" {} \; -print | head -n 1 |
	xargs sed "s/$before/$broken/g" >"$T/ran/well/well.json"
joins() { # joins STATUS WHAT PART...
	rm -rf "$T/joined"
	mkdir "$T/joined"
	status=$1 what=$2
	shift 2
	for part; do cp -r "$T/ran/$part" "$T/joined/$part"; done
	runs "$status" "$what" pawl backfill v1..HEAD --join --files "$T/joined"
}
joins 4 'a run that failed once' A
joins 4 'and went well afterwards' A well
joins 4 'which one more failure' A B
unlike 'does not make the second one' "$T/out" '^left out'
joins 4 'nor do the same ones once more' A B
unlike 'leave it out' "$T/out" '^left out'
rm .git/pawl/results.db
joins 4 'two that failed' A B
like 'do' "$T/out" '^left out, as it failed: '
mv "$T/all.db" .git/pawl/results.db

# ---- no file -------------------------------------------------------------------------------------------

mkdir "$T/empty"
for folder in empty nowhere; do
	runs 4 "a folder with nothing: $folder" pawl backfill v1..HEAD --join --files "$T/$folder"
	like 'all is missing' "$T/out" '^5 commits, 4 steps: 0 done, 0 of them joined now, 4 missing$'
	like 'and why' "$T/out" "^there is no result in '$T/$folder'"
done

# ---- files that do not count -------------------------------------------------------------------------

file=$(result_of 2)
mkdir "$T/bad"
head -c 300 "$file" >"$T/bad/cut.json"
sed 's/"project": *"[^"]*"/"project": "other"/' "$file" >"$T/bad/other.json"
sed 's/\("machine": *{"id": *"\)[0-9a-f]*/\10123456789abcdef/' "$(result_of 1)" >"$T/bad/kind.json"
rm -f .git/pawl/results.db
cp "$(result_of 1)" "$T/bad/there.json"
cp "$file" "$T/bad/good.json"
cp "$file" "$T/bad/again.json"
runs 4 'damaged, of another project, of another machine' pawl backfill v1..HEAD --join --files "$T/bad"
like 'the damaged one is named' "$T/err" "cut.json'"
like 'and counted' "$T/err" '^pawl: warning: 1 file cannot be read$'
like 'so is the other project' "$T/err" '1 file is left out: of another project'
like 'and the other machine' "$T/err" '1 result of another machine left out|1 result is of another machine'
mkdir "$T/same" && cp "$T/bad/kind.json" "$T/same"
runs 4 'a result with the id of another' pawl backfill v1..HEAD --join --files "$T/same"
like 'is left out' "$T/err" 'a result of [0-9a-f]* is left out: the store has a result .* with other content'
mkdir "$T/named" && sed 's/\("machine": *{"id": *"\)[0-9a-f]*/\1x;id/' "$file" >"$T/named/x.json"
rm -f .git/pawl/results.db
step=$(basename "$file" .json)
runs 0 'a machine with a name of its own' pawl backfill "${step%-*}..${step#*-}" --join --files "$T/named"
like 'is quoted in what is to be typed' "$T/out" "pawl history --machine 'x;id'\$"
rm -f .git/pawl/results.db
for wrong in '--part x,y' '--part HEAD' 'v1..HEAD --part a,b' 'v1..HEAD --matrix 0' \
	'v1..HEAD --matrix 2 --join' 'v1..HEAD --files x' 'v1..HEAD --constraint x' 'v1..HEAD --matrix CC=gcc'; do
	# shellcheck disable=SC2086  # options
	runs 2 "refused: '$wrong'" pawl backfill $wrong
done

# ---- Slurm ---------------------------------------------------------------------------------------------
# What sbatch gets, and the script as a job runs it; a real Slurm is in backfill_slurm.sh.

mkdir "$T/bin"
mkdir "$T/git"
ln -s "$(command -v git)" "$T/git/git"
runs 5 'without sbatch' env PATH="$T/git" "$BUILD/pawl" backfill v1..HEAD --slurm 2 \
	--files "$T/jobs"
like 'it says where to run it' "$T/err" '^hint: run it where jobs are submitted'
cat >"$T/bin/sbatch" <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$SBATCH_SEEN"
echo '17;cluster'
END
chmod +x "$T/bin/sbatch"
export SBATCH_SEEN="$T/seen" PATH="$T/bin:$PATH"
git config pawl.threshold '25%'
git config pawl.build "$(printf '%s &&\ntouch "%s/second line"' "$(git config -f .pawlconfig pawl.build)" "$T")"
runs 0 'with it' pawl backfill v1..HEAD --slurm 2 --constraint 'zen3&ssd' --sbatch '--time=10 --partition=p' \
	--files "$T/jobs" --benchmark work
like 'an array is submitted' "$T/out" '^job 17: 2 parts with 4 comparisons$'
is 'each with a node of its own, of the kind that was asked for' \
	"$(grep -cxE -- '--array=1-2|--exclusive|--constraint=zen3&ssd|--time=10|--partition=p' "$T/seen")" 5
script=$(tail -n 1 "$T/seen")
like 'how to run a part again, on such a node' "$T/out" \
	"^to run part N again: sbatch --array=N --exclusive .*'--constraint=zen3&ssd' --time=10 --partition=p $script\$"
like 'and how to take the results' "$T/out" "^  pawl backfill v1\.\.HEAD --join --files=$T/jobs --benchmark=work\$"
check 'the script is one for a shell' sh -n "$script"
(cd / && env -u PAWL_POOL SLURM_ARRAY_TASK_ID=2 SLURM_CLUSTER_NAME=c TMPDIR="$T" sh "$script") >"$T/job2" 2>&1
check 'a setting of two lines is theirs as a whole' [ -e "$T/second line" ]
is 'nothing of a job is left' "$(find "$T" -maxdepth 1 -name 'pawl-part.*')" ''
runs 4 'its results are joined' pawl backfill v1..HEAD --join --files "$T/jobs" --benchmark work
like 'what it had to do' "$T/out" '^5 commits, 3 steps: 1 done, 1 of them joined now, 2 missing$'
like 'with the pool in what is to be typed' "$T/out" "^  PAWL_POOL='slurm c' pawl backfill --part="
like 'the settings of this clone were theirs' "$T/jobs/$(ls "$T/jobs" | grep json | head -n 1)" '"threshold": *0.25'
runs 0 'with a build of its name' pawl backfill v1..HEAD --slurm 1 --build project --files "$T/a b"
like 'the project is said all the same' "$(tail -n 1 "$T/seen")" " '--project=demo' --build=project "
like 'and a line to type has its quotes' "$T/out" "^to run part N again: .* '$T/a b/job-[0-9a-f]*\.sh'\$"
runs 0 'a folder with a sign of sbatch' pawl backfill v1..HEAD --slurm 1 --files "$T/50%a"
check 'is its name to sbatch' grep -qxF -- "--output=$T/50%%a/job-%A-%a.log" "$T/seen"
git config --unset pawl.build # what was built by another one is not known
runs 0 'where nothing is left' pawl backfill v1..HEAD --slurm 2 --files "$T/files"
like 'nothing is submitted' "$T/out" '^nothing is left to submit$'
printf '#!/bin/sh\necho no such feature >&2\nexit 1\n' >"$T/bin/sbatch"
runs 5 'what sbatch refuses' pawl backfill v1..HEAD --slurm 2 --files "$T/none"
like 'is said' "$T/err" 'sbatch refuses the jobs .exit status 1.: no such feature'
