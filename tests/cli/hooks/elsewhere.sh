# The pre-push hook where hooks lie elsewhere: core.hooksPath, a hook that git tracks, git's configuration.
. "$(dirname "$0")/../../lib.sh"

git init -q --bare "$T/remote.git"
new_work_repo "$T/repo" steps
cd "$T/repo" || exit 1
set_work 1000 'one'
git remote add origin "$T/remote.git"
git checkout -q -b topic
git push -q origin topic 2>/dev/null
export PAWL_MIN_TIME=1ms
git config pawl.hook.budget 20m # it may wait for others who measure
mkdir "$T/bin"
for tool in git sh cat; do ln -sf "$(command -v $tool)" "$T/bin/$tool"; done

# ---- core.hooksPath and the managers ---------------------------------------------------------------

git config core.hooksPath .hooks
runs 0 'core.hooksPath is honoured' pawl hook install
check 'in its folder' [ -x .hooks/pre-push ]
runs 0 'and on the way back' pawl hook uninstall
check 'too' [ ! -e .hooks/pre-push ]
mkdir -p .hooks && printf '#!/bin/sh\n' >.hooks/pre-push && git add -f .hooks && git commit -q -m hooks
runs 5 'a hook that git tracks is not touched' pawl hook install
like 'the line to add is told' "$T/err" '^hint: put this line into it and commit it: if command -v pawl '
sed -n 's/^hint: put this line into it and commit it: //p' "$T/err" >"$T/line"
for status in 0 1 2; do
	mkdir -p "$T/as-$status"
	printf '#!/bin/sh\necho "$@"; exit %s\n' $status >"$T/as-$status/pawl"
	chmod +x "$T/as-$status/pawl"
	for with in 'set -e' ':'; do
		{ echo "$with"; cat "$T/line"; echo 'echo went on'; } >"$T/shared"
		printf 'hook run pre-push a b\n' >"$T/want"
		[ $status = 1 ] || echo 'went on' >>"$T/want"
		PATH="$T/as-$status:$PATH" sh "$T/shared" a b >"$T/got"
		is "which fails where pawl ends with $status only if that is 1 ($with)" "$?" $((status == 1))
		check 'and runs it' cmp "$T/got" "$T/want"
		PATH=$T/bin sh "$T/shared" a b >"$T/got"
		is 'and without pawl stops nobody' "$?:$(cat "$T/got")" '0:went on'
	done
done
runs 0 'status asks for that' pawl hook status
like 'and promises nothing else' "$T/out" "^pre-push +not installed; .* 'pawl hook install' prints the line"
git config --unset core.hooksPath
git config --global core.hooksPath "$T/global"
runs 5 'nor is a folder of all repositories' pawl hook install
like 'which is told' "$T/err" 'core.hooksPath is set for all repositories \(global\)'
git config --global --unset core.hooksPath

# ---- git that keeps hooks in its configuration -----------------------------------------------------

mkdir -p "$T/newer"
cat >"$T/newer/git" <<END
#!/bin/sh
case " \$* " in *' version '*) echo 'git version 2.54.1'; exit ;; esac
exec $(command -v git) "\$@"
END
chmod +x "$T/newer/git"
runs 0 'from git 2.54 on it goes into the configuration' env PATH="$T/newer:$PATH" pawl hook install
is 'with its event' "$(git config hook.pawl.event)" pre-push
check 'and no file' [ ! -e .git/hooks/pre-push ]
command=$(git config hook.pawl.command)
set_work 5700 'configured'
echo "refs/heads/topic $(git rev-parse topic) refs/heads/topic $(git -C "$T/remote.git" rev-parse topic)" >"$T/lines"
runs 0 'the command runs as git would run it' sh -c "$command \"\$@\" <'$T/lines'" "$command" origin "$T/remote.git"
like 'and compares' "$T/err" 'comparing topic with'
runs 0 'PAWL=0 skips this one too' env PAWL=0 \
	sh -c "$command \"\$@\" <'$T/lines'" "$command" origin "$T/remote.git"
is 'silently' "$(cat "$T/err")" ''
runs 0 'the status tells it' env PATH="$T/newer:$PATH" pawl hook status
like 'as configured' "$T/out" "^pre-push +installed, in git's configuration"
runs 0 'it is taken away' pawl hook uninstall
is 'from the configuration' "$(git config hook.pawl.event)" ''
