# The step of a CI by itself: which commits it takes, and how it ends.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/ci.sh"

new_origin
step() { # step STATUS NAME [VARIABLE=VALUE...]
	wanted=$1
	name=$2
	shift 2
	runs "$wanted" "$name" env "$@" "$STEP"
}

if command -v shellcheck >/dev/null; then
	check 'the scripts are clean' shellcheck "$STEP" "$ROOT/ci/shell/pawl-install"
else
	skip 'the scripts are clean' 'shellcheck is not installed'
fi

# ---- anywhere --------------------------------------------------------------------------------

cd "$T/author" || exit 1
step 1 'elsewhere HEAD is compared with its parent'
like 'by their ids' "$T/err" "^pawl-step: comparing $first with $change"
like 'the answer is in the log' "$T/out" 'regressed'
unlike 'without commands that only GitHub knows' "$T/out" '::'
for f in report.txt summary.json summary.md report.html junit.xml codequality.json metrics.txt; do
	check "$f is written" [ -s pawl-report/$f ]
done
step 0 'PAWL_CI_FAIL_ON=never' PAWL_CI_FAIL_ON=never
like 'says it all the same' "$T/out" 'regressed'
step 0 'PAWL_CI_FAIL_ON=failure lets a regression pass' PAWL_CI_FAIL_ON=failure
step 0 'what is the same passes' PAWL_CI_BASE="$first" PAWL_CI_HEAD="$tip"
like 'as identical' "$T/out" 'identical'
step 0 'a benchmark may be named' PAWL_CI_COMMAND='build/bench' PAWL_CI_FAIL_ON=never
is 'it alone is measured' "$(json pawl-report/summary.json 'len(d["benchmarks"])')" 1
step 0 'its words are not expanded' PAWL_CI_COMMAND='build/bench $(touch${IFS}pwned) * ;touch pwned' \
	PAWL_CI_FAIL_ON=never
check 'and nothing is executed' [ ! -e pwned ]

# ---- what cannot be compared -----------------------------------------------------------------

step 2 'a wrong policy' PAWL_CI_FAIL_ON=sometimes
step 2 'a base that is no id' PAWL_CI_BASE='HEAD~1'
step 2 'a base that is a command' PAWL_CI_BASE='$(touch pwned)'
step 2 'a head that is an option' PAWL_CI_BASE="$first" PAWL_CI_HEAD=--output=pwned
step 2 'a head without its base' PAWL_CI_HEAD="$tip"
like 'which it names' "$T/err" 'PAWL_CI_HEAD needs PAWL_CI_BASE'
step 5 'a commit that nobody has' PAWL_CI_BASE=1111111111111111111111111111111111111111
like 'it says how to have it' "$T/err" '^pawl-step: hint: .*PAWL_CI_BASE'
rm -f pawl-report/*
ln -s "$T" elsewhere
step 2 'reports through a link' PAWL_CI_REPORTS=elsewhere
tools_but 'pawl.*' "$T/without"
step 2 'pawl is not there' PATH="$T/without"
like 'it says how to have it' "$T/err" 'pawl-install'
check 'nothing was executed' [ ! -e pwned ]
echo 'int x = ;' >>work.c
commit_all . 'does not build'
step 4 'what does not build fails'
step 4 'also where a regression does not' PAWL_CI_FAIL_ON=failure
step 0 'but not where nothing does' PAWL_CI_FAIL_ON=never
git reset -q --hard HEAD~1

# ---- no secret reaches what is measured ------------------------------------------------------

printf '#!/bin/sh\n' >spy
chmod +x spy
commit_all . spy
cat >spy <<END
#!/bin/sh
{ env; tr '\0' '\n' </proc/\$PPID/environ; } >>$T/seen
END
commit_all . 'a spy'
step 0 'a benchmark that looks around' PAWL_CI_COMMAND=./spy PAWL_CI_FAIL_ON=never PAWL_TOKEN=hush1 \
	CI_JOB_TOKEN=hush2 AWS_ACCESS_KEY_ID=hush3 MY_SECRET=hush4 GITHUB_ENV=hush5 DEPLOY_KEY=hush6
check 'ran' [ -s "$T/seen" ]
unlike 'and saw no secret, not in pawl either' "$T/seen" 'hush'

# ---- what the pages tell to type -----------------------------------------------------------------

git clone -q "$T/origin.git" "$T/page" && cd "$T/page" && git checkout -q change
page_commands docs/howto/any-ci.md >"$T/any-ci"
is 'the page has two commands' "$(wc -l <"$T/any-ci")" 2
runs 1 'the step with a base' sh -ec "$(sed -n 1p "$T/any-ci")"
like 'that parted there' "$T/err" "comparing $first with $change"
runs 1 'the one command without the step' sh -ec "$(sed -n 2p "$T/any-ci")"
check 'with its reports' [ -s pawl.xml ] && check 'both of them' [ -s pawl.html ]
for page in docs/howto/github-actions.md docs/howto/gitlab-ci.md; do
	runs 0 "the token of $page" sh -ec "$(page_commands $page)"
	like 'is one' "$T/out" '^pawl_s_'
done

# ---- Jenkins ---------------------------------------------------------------------------------

jenkins() {
	wanted=$1
	name=$2
	shift 2
	step "$wanted" "$name" JENKINS_URL=http://ci.invalid/ "$@"
}
unlike 'Jenkins: Groovy fills in nothing' "$ROOT/ci/jenkins/Jenkinsfile" '"[^"]*\$|"""'
like 'Jenkins: the file calls the step' "$ROOT/ci/jenkins/Jenkinsfile" 'exec \$\(pawl --exec-path\)/ci/shell/pawl-step.$'
mkdir -p "$T/agent/ci/shell" "$T/empty" "$T/release/pawl-9/bin"
cp "$ROOT/ci/shell/pawl-install" "$T/agent/ci/shell/"
printf '#!/bin/sh\n[ "$1" = --version ] && echo pawl 9 || echo "%s"\n' "$T/agent" >"$T/release/pawl-9/bin/pawl"
printf '#!/bin/sh\necho "the step of $(pawl --version)"\n' >"$T/agent/ci/shell/pawl-step"
chmod +x "$T/release/pawl-9/bin/pawl" "$T/agent/ci/shell/pawl-step"
tar -C "$T/release" -czf "$T/release/pawl.tar.gz" pawl-9
for tool in sh mktemp chmod curl sha256sum tar gzip mkdir rm id env; do
	path=$(PATH=/usr/local/bin:/usr/bin:/bin command -v $tool) && ln -sf "$path" "$T/empty/$tool"
done
sed -n "s/^ *sh '\(.*\)'$/(\1)/p" "$ROOT/ci/jenkins/Jenkinsfile" >"$T/steps"
agent() {
	(cd "$T/agent" && env PATH="$T/empty" WORKSPACE_TMP="$T/agent/tmp" "$@" sh -e "$T/steps")
}
runs 0 'Jenkins: on an agent without pawl a release is installed' agent "PAWL_CI_URL=file://$T/release/pawl.tar.gz" \
	"PAWL_CI_SHA256=$(sha256sum "$T/release/pawl.tar.gz" | cut -d ' ' -f 1)"
like 'Jenkins: and its step is used' "$T/out" '^the step of pawl 9$'
rm -r "$T/agent/tmp"
runs 2 'Jenkins: without a release the first step fails' agent
like 'Jenkins: and says what is missing' "$T/err" 'PAWL_CI_URL: pawl is not installed on this agent'
runs 1 'Jenkins: another sum is refused' agent "PAWL_CI_URL=file://$T/release/pawl.tar.gz" \
	"PAWL_CI_SHA256=$(printf '0%.0s' $(seq 64))"
unlike 'Jenkins: and nothing of it is run' "$T/out" '^the step'
git clone -q "$T/origin.git" "$T/jenkins" && cd "$T/jenkins" || exit 1
git checkout -q --detach "$change"
jenkins 1 'Jenkins: a change against its target' CHANGE_TARGET=main
like 'from where they parted' "$T/err" "comparing $first with $change"
jenkins 1 'Jenkins: a branch against its last good build' GIT_PREVIOUS_SUCCESSFUL_COMMIT="$first"
jenkins 1 'Jenkins: the first build of a branch'
git update-ref -d refs/remotes/origin/main
jenkins 1 'Jenkins: a target that was not fetched' CHANGE_TARGET=main
like 'is fetched' "$T/err" "comparing $first with $change"
i=0
for branch in 'zzz";echo${IFS}"hello";#' 'x$(touch${IFS}pwned)' 'x`touch${IFS}pwned`' \
	"$(printf 'x\377y')"; do
	i=$((i + 1))
	[ "$i" -eq 2 ] || slow_only "Jenkins: a target with hostile name $i" || continue
	git -C "$T/origin.git" branch -f -- "$branch" "$tip"
	check "git takes hostile name $i" [ -n "$(git -C "$T/origin.git" rev-parse "refs/heads/$branch")" ]
	jenkins 1 "Jenkins: a target with hostile name $i" "CHANGE_TARGET=$branch"
	like 'is compared' "$T/err" "comparing $first with $change"
done
jenkins 2 'Jenkins: a name that git refuses' 'CHANGE_TARGET=main:refs/heads/evil'
jenkins 2 'Jenkins: one that is an option' 'CHANGE_TARGET=..'
jenkins 5 'Jenkins: a target that is not there' CHANGE_TARGET=--upload-pack=touch
check 'nothing was executed' [ -z "$(find "$T" -name 'pwned*')" ]
