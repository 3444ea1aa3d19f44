# What is below .git/pawl leads nowhere, and what git's configuration names is not run by those who only look.
. "$(dirname "$0")/../../lib.sh"

new_repo "$T/repo"
cd "$T/repo" || exit 1
printf '[pawl]\n\tbuild = true\n[benchmark "true"]\n\tcommand = true\n' >.pawlconfig
commit_all . one
commit_all . two
mkdir -p .git/pawl "$T/elsewhere"
: >"$T/elsewhere/file"
for folder in trees log receipts cache run comparisons bisect; do
	ln -s "$T/elsewhere" ".git/pawl/$folder"
	runs 5 "a link in place of $folder is refused" pawl compare --quick
	like '  by its name' "$T/err" "cannot use '.*/.git/pawl/$folder': it is a symbolic link"
	like '  with the cure' "$T/err" '^hint: remove it'
	rm ".git/pawl/$folder"
done
like 'and how all of it is kept elsewhere' "$T/err" "^hint: .*a link in place of '.git/pawl' and set XDG_STATE_HOME$"
mv .git/pawl "$T/aside"
ln -s "$T/elsewhere" .git/pawl
runs 0 'which is so' env XDG_STATE_HOME="$T/other" pawl import --project p "$ROOT/tests/data/foreign/google-single.json"
like 'and is told for what it is' "$T/err" "'.git/pawl' is a symbolic link, which is not followed; results are kept in '$T/other/"
rm .git/pawl
mv "$T/aside" .git/pawl
is 'nothing was written behind it' "$(ls "$T/elsewhere")" file
echo >.git/pawl/trees
runs 5 'nor is a file taken for a folder' pawl report
like 'which is told' "$T/err" "pawl/trees': it is not a folder"
pawl doctor >"$T/out" 2>&1
like 'doctor tells it' "$T/out" "^!! .*pawl/trees': it is not a folder"
rm .git/pawl/trees

# ---- doctor runs nothing ------------------------------------------------------------------------------

cat >"$T/driver" <<END
echo "\$1" >>$T/ran
exec cat
END
git config filter.evil.clean "sh $T/driver clean"
git config filter.evil.smudge "sh $T/driver smudge"
git config filter.evil.required true
git config 'filter.a=b.clean' "sh $T/driver equals"
git config diff.evil.textconv "sh $T/driver textconv"
git config core.fsmonitor "sh $T/driver fsmonitor"
printf 'f filter=evil diff=evil\ng filter=a=b\n' >.git/info/attributes
echo >f
echo >g
git add f g 2>/dev/null
git commit -q -m files 2>/dev/null
echo more >>f
touch -d 2001-01-01 g
: >"$T/ran"
git status --porcelain >/dev/null 2>&1
check 'git itself runs the filters' [ -s "$T/ran" ]
touch -d 2002-02-02 f g
: >"$T/ran"
runs 0 'doctor looks' pawl doctor
is 'and runs none of what the configuration names' "$(cat "$T/ran")" ''
like 'and says what it therefore does not know' "$T/out" "files may differ from HEAD"
