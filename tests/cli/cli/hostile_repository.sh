# A repository whose configuration names a program wherever git would run one: what each command of the
# table in docs/explanation/threat-model.md starts of it.
. "$(dirname "$0")/../../lib.sh"

# Each program writes its name down.  What goes through a filter must come out again.
cat >"$T/evil" <<END
#!/bin/sh
echo "\$1" >>$T/ran
case \$1 in
smudge | clean) exec cat ;;
credential) echo password=secret-of-helper ;;
textconv) exec cat "\$2" ;;
fsmonitor) printf '/' ;;
esac
exit 0
END
chmod +x "$T/evil"

# hooks DIR: one of each name
hooks() {
	mkdir -p "$1"
	for hook in applypatch-msg pre-commit post-commit post-checkout post-merge post-rewrite post-index-change \
		pre-auto-gc reference-transaction fsmonitor-watchman sendemail-validate pre-merge-commit pre-rebase \
		pre-push prepare-commit-msg commit-msg update pre-receive post-receive proc-receive; do
		printf '#!/bin/sh\nexec %s/evil hook-%s\n' "$T" "$hook" >"$1/$hook"
		chmod +x "$1/$hook"
	done
}

# evil_config FILE HOOKS: the configuration
evil_config() {
	cat >>"$1" <<END
[core]
	fsmonitor = $T/evil fsmonitor
	hooksPath = $2
	pager = $T/evil pager
	editor = $T/evil editor
	askPass = $T/evil
	sshCommand = $T/evil ssh
	gitProxy = $T/evil proxy
	alternateRefsCommand = $T/evil alternates
	attributesFile = $T/attributes
[hook "a"]
	event = post-checkout
	event = reference-transaction
	event = post-index-change
	event = pre-auto-gc
	command = $T/evil configured-hook
[filter "evil"]
	clean = $T/evil clean
	smudge = $T/evil smudge
	required = true
[diff]
	external = $T/evil external-diff
[diff "evil"]
	command = $T/evil diff-driver
	textconv = $T/evil textconv
	cachetextconv = true
[merge "evil"]
	driver = $T/evil merge
[interactive]
	diffFilter = $T/evil diff-filter
[sequence]
	editor = $T/evil sequence
[gc]
	auto = 1
	recentObjectsHook = $T/evil recent-objects
[gpg]
	program = $T/evil
[gpg "ssh"]
	program = $T/evil
	defaultKeyCommand = $T/evil gpg-key
[log]
	showSignature = true
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[uploadpack]
	packObjectsHook = $T/evil pack-objects
[credential]
	helper = $T/evil credential
[credential "http://127.0.0.1"]
	helper = $T/evil credential
[trailer "x"]
	cmd = $T/evil trailer
[remote "evil"]
	url = ext::$T/evil ext
	fetch = +refs/heads/*:refs/remotes/evil/*
	promisor = true
	partialclonefilter = blob:none
	uploadpack = $T/evil upload-pack
	vcs = ext
[submodule]
	recurse = true
[submodule "sub"]
	url = ext::$T/evil submodule-url
	update = !$T/evil submodule-update
	active = true
[include]
	path = $T/included
[includeIf "gitdir:**"]
	path = $T/included
END
	{
		echo '[alias]'
		for word in log status config rev-parse cat-file read-tree worktree rev-list ls-files ls-tree diff \
			diff-index grep merge-base hash-object symbolic-ref for-each-ref credential version pawl; do
			printf '\t%s = "!%s/evil alias"\n' "$word" "$T"
		done
		echo '[pager]'
		for word in log status config rev-list ls-files diff grep branch tag; do
			printf '\t%s = %s/evil pager\n' "$word" "$T"
		done
	} >>"$1"
}

# make FORMAT: a repository of two commits in that object format, which is entered.  A branch "gone" lacks a
# blob, which a promisor could deliver; "sub" is a submodule that is not here.
make() {
	new_repo "$T/elsewhere-$1" --object-format="$1"
	commit_all "$T/elsewhere-$1" elsewhere
	new_repo "$T/$1" --object-format="$1"
	cd "$T/$1" || exit 1
	printf '[pawl]\n\tproject = proj\n\tbuild = "echo build >>%s/ran; cp t.sh t"\n\truns = 12..12\n' "$T" >.pawlconfig
	printf '[benchmark "t"]\n\tcommand = ./t\n' >>.pawlconfig
	printf '#!/bin/sh\necho benchmark >>%s/ran\nexit 0\n' "$T" >t.sh
	chmod +x t.sh
	printf '/t\n' >.gitignore
	printf '[submodule "sub"]\n\tpath = sub\n\turl = ext::%s/evil submodule-url\n\tupdate = !%s/evil submodule-update\n' \
		"$T" "$T" >.gitmodules
	echo one >file
	git add -A
	git update-index --add --cacheinfo "160000,$(git -C "$T/elsewhere-$1" rev-parse HEAD),sub"
	git commit -q -m one
	git checkout -q -b gone
	echo lost >lost
	commit_all . gone
	lost=$(git rev-parse gone:lost)
	git checkout -q main
	printf '#!/bin/sh\necho benchmark >>%s/ran\n:\nexit 0\n' "$T" >t.sh
	commit_all . two
	rm -f ".git/objects/$(echo "$lost" | cut -c1-2)/$(echo "$lost" | cut -c3-)"
	echo "$T/elsewhere-$1/.git/objects" >.git/objects/info/alternates
	hooks .git/hooks
	hooks "$T/hooks-$1"
	printf '[core]\n\tfsmonitor = %s/evil included\n[diff]\n\texternal = %s/evil included\n' "$T" "$T" \
		>"$T/included"
	printf '* filter=evil diff=evil merge=evil\n' | tee .git/info/attributes >"$T/attributes"
	evil_config .git/config "$T/hooks-$1"
	[ "$1" = sha1 ] || git config extensions.partialClone evil
	touch -d 2001-01-01 file
	mkdir -p .git/pawl
}

# ran: what was started since the last call, each once
ran() {
	LC_ALL=C sort -u "$T/ran" | tr '\n' ' ' | sed 's/ $//'
	: >"$T/ran"
}

# promises WHAT STATUS NAME COMMAND...: exits like that, and starts just that
promises() {
	what=$1
	shift
	: >"$T/ran"
	runs "$@"
	is "  which starts ${what:-nothing}" "$(ran)" "$what"
}


# those that run nothing of the repository
only_look() {
	promises '' 4 'report' pawl report
	promises '' 4 '  of a range' pawl report HEAD~1..HEAD
	promises '' 5 '  of a commit that lacks a file' pawl report gone
	promises '' 4 '  as a page' pawl report --format html -o "$T/page.html"
	promises '' 1 'history' pawl history --machine 0123456789abcdef deflate/6
	promises '' 0 'site' pawl site --machine 0123456789abcdef "$T/site-$format"
	promises '' 0 'accept' pawl accept HEAD --benchmark deflate/6 --change any --because test
	rm -f .pawlaccepted
	touch -d 2001-01-01 file
	promises '' 0 'import' pawl import --no-push "$ROOT/tests/data/foreign/google-single.json"
	promises '' 0 'export' pawl export --format json -o "$T/exported"
	promises '' 2 'push to nobody' pawl push
	promises '' 0 'fsck' pawl fsck
	promises '' 0 'fsck --repair' pawl fsck --repair
	promises '' 0 'doctor' pawl doctor
	promises '' 0 'completion' pawl completion bash
	promises '' 5 'calibrate --list' pawl calibrate --list
	promises '' 0 'hook status' pawl hook status
	promises '' 0 'hook install' pawl hook install
	promises '' 0 'hook uninstall' pawl hook uninstall
	promises '' 0 'token' pawl token add --store "sqlite:$T/server.db" --project proj --scope write
}

# those that measure: beside the build and the benchmarks only the filters of what is checked out
measure() {
	touch -d 2001-01-01 file
	promises 'benchmark build smudge' 0 'compare' pawl compare --quick --threshold 90% --layouts off
	promises 'benchmark build clean' 0 'collect' pawl collect --runs 12..12 --min-time 1ms --threshold 90% --no-push
	promises 'benchmark' 0 'calibrate' pawl calibrate --quick --times 2 --threshold 90%
}

for format in sha1 sha256; do
	make "$format"
	: >"$T/ran"
	git status >/dev/null 2>&1
	git cat-file -e gone:lost >/dev/null 2>&1
	git log -p -1 >/dev/null 2>&1
	check "git itself runs what the configuration of a repository of $format names" [ "$(ran | wc -w)" -gt 2 ]
	head=$(git rev-parse HEAD)
	base=$(git rev-parse HEAD~1)
	fill each
	only_look
	rm -rf .git/pawl
	measure
done

promises 'smudge' 5 'compare with a commit of which a file lies elsewhere' pawl compare gone..HEAD --quick
like '  which is told, and not fetched' "$T/err" 'object|not in this repository'
promises 'benchmark build smudge' 0 'compare with submodules' pawl compare --quick --threshold 90% --submodules --layouts off
promises 'clean' 0 'compare with the work tree' pawl compare --working-tree --quick --threshold 90%
promises '' 0 'publish' pawl publish --dry-run --to github --repository a/b
promises '' 0 'report of a comparison' pawl report --last
promises 'benchmark' 0 'why' pawl why HEAD~1..HEAD --benchmark t
promises '' 0 'hyperfine' pawl hyperfine --runs 12 true true
promises 'benchmark build clean' 0 'the hook of commits' pawl hook run post-commit
promises 'benchmark' 0 'bisect' pawl bisect HEAD~1 HEAD --benchmark t --quick --threshold 90%
promises 'benchmark' 0 'backfill' pawl backfill HEAD~1..HEAD --quick --threshold 90%
promises 'smudge' 0 'init' pawl init --dry-run --build 'sh build.sh'
echo "refs/heads/main $head refs/heads/main $base" >"$T/refs"
push() {
	pawl hook run pre-push evil "ext::$T/evil ext" <"$T/refs"
}
rm -rf .git/pawl
promises 'benchmark build smudge' 0 'the hook' push
promises 'benchmark build clean credential' 6 'collect for a server' pawl collect --runs 12..12 --min-time 1ms \
	--threshold 90% --server http://127.0.0.1:1 --require-push
promises 'credential' 6 'push to a server' pawl push --server http://127.0.0.1:1 --require-push
promises 'credential' 5 'doctor of a server' pawl doctor --server http://127.0.0.1:1
promises 'credential' 6 'export to a server' pawl export --format influx --to http://127.0.0.1:1 HEAD
