# Another user of the same machine: what is kept is not for him to read, and what he leaves where everybody may
# write changes nothing.  As root, by setpriv: no user is made.
. "$(dirname "$0")/../../lib.sh"
unset PAWL_LOCK # the machine's

own=65531   # whose results they are
other=65532 # who would like to have them
# as UID COMMAND...
as() {
	uid=$1
	shift
	setpriv --reuid="$uid" --regid="$uid" --clear-groups env HOME="$T/home-$uid" XDG_CONFIG_HOME="$T/home-$uid" "$@"
}
if [ "$(id -u)" -ne 0 ]; then
	skip 'a second user' 'only root can be another user'
	exit 0
fi
chmod 755 "$T"
for uid in $own $other; do
	mkdir "$T/home-$uid"
	chown $uid:$uid "$T/home-$uid"
done
if ! as $own "$BUILD/pawl" --version >/dev/null 2>&1; then
	skip 'a second user' 'setpriv, or what is built, is not for other users here'
	exit 0
fi
if [ -n "$(ps -o pid= -u $own -u $other 2>/dev/null)" ] || [ -e "/dev/shm/pawl-$own" ]; then
	skip 'a second user' "user $own or $other is at work here"
	exit 0
fi
as $own git config --global user.name Test
as $own git config --global user.email test@pawl.invalid
mkdir "$T/repo"
chown $own:$own "$T/repo"
cd "$T/repo" || exit 1
as $own git init -q .
cat >.pawlconfig <<'END'
[pawl]
	project = p
	build = "cp t.sh t; cp p.sh p"
	runs = 12..12
[benchmark "t"]
	command = ./t
[benchmark "p"]
	command = ./p
END
printf '#!/bin/sh\nexit 0\n' >t.sh
cp t.sh p.sh
printf '/t\n/p\n' >.gitignore
chmod 755 t.sh p.sh
chown -R $own:$own .
as $own git add -A
as $own git commit -q -m one
printf '#!/bin/sh\n:\nexit 0\n' >t.sh
# What is measured looks for a secret in whoever started it, and in himself.
cat >p.sh <<END
#!/bin/sh
{ cat /proc/\$PPID/environ; env; } 2>/dev/null | tr '\\0' '\\n' | grep canary >>$T/home-$own/seen
(: </proc/\$PPID/mem) 2>/dev/null && echo 'memory: canary' >>$T/home-$own/seen
echo asked >$T/home-$own/asked
exit 0
END
as $own git commit -q -a -m two

# ---- modes, whatever the umask -------------------------------------------------------------------------

# whole COMMAND...: as the first user, under umask 0, with a secret
whole() {
	(umask 0 && as $own env PAWL_TOKEN=canary-of-token PAWL_EXPORT_TOKEN=canary-of-export "$@")
}
trap_folder=/dev/shm/pawl-$own
mkdir "$trap_folder"
chown $other:$other "$trap_folder"
chmod 777 "$trap_folder"
whole "$BUILD/pawl" compare --quick --threshold 90% --layouts off >"$T/out" 2>"$T/err"
like 'a comparison, where another user made the folder of copies' "$T/out" '^. t .*unchanged'
is '  puts nothing there' "$(ls -A "$trap_folder")" ''
rmdir "$trap_folder"
runs 0 'a collection' whole "$BUILD/pawl" collect --runs 12..12 --min-time 1ms --threshold 90% --no-push
is 'the folder of results is for its owner' "$(stat -c '%a %u' .git/pawl)" "700 $own"
is '  and so is the store' "$(stat -c '%a %u' .git/pawl/results.db)" "600 $own"
is '  and nothing beside the built trees is for others to write' \
	"$(find .git/pawl -path '*/tree' -prune -o ! -type l -perm /022 -print)" ''
rm -rf "/dev/shm/pawl-$own"
check 'the lock of the machine may be taken by all, and changed by its maker' \
	[ "$(stat -c %a /tmp/pawl.lock)" -le 644 ]
runs 1 'another user reads no result' as $other cat .git/pawl/results.db
as $other sh -c ': >.git/pawl/x; : >.git/pawl/results.db' 2>/dev/null
check '  and puts nothing there' [ ! -e .git/pawl/x ]
runs 0 '  the store is sound' whole "$BUILD/pawl" fsck
as $other git config --global safe.directory '*'
runs 0 '  he gets results of his own' as $other "$BUILD/pawl" import --no-push "$ROOT/tests/data/foreign/google-single.json"
check '    in his folder' [ -d "$T/home-$other/.local/state/pawl" ]
runs 0 'a server' as $own sh -c "umask 0; exec '$BUILD/pawld' token add --store 'sqlite:$T/home-$own/server.db' --project p --scope read"
is '  keeps its database for its owner' "$(stat -c %a "$T/home-$own/server.db")" 600

# ---- the secret ----------------------------------------------------------------------------------------

check 'what is measured ran' [ -e "$T/home-$own/asked" ]
case $BUILD in
*asan*) sed -i '/^memory/d' "$T/home-$own/seen" 2>/dev/null ;; # its leak checker has to look
esac
is '  and saw no token' "$(sort -u "$T/home-$own/seen" 2>/dev/null)" ''

# Root reads every memory; the environment that is shown below /proc is wiped for him, too.
mkdir "$T/mine"
cd "$T/mine" || exit 1
git init -q .
printf '[pawl]\n\tproject = p\n\truns = 12..12\n[benchmark "p"]\n\tcommand = ./p.sh\n' >.pawlconfig
cat >p.sh <<END
#!/bin/sh
{ cat /proc/\$PPID/environ; env; } | tr '\\0' '\\n' | grep canary >>$T/seen
echo asked >$T/asked
exit 0
END
chmod 755 p.sh
commit_all . one
PAWL_TOKEN=canary-of-token pawl collect --min-time 1ms --no-push >/dev/null 2>&1
check 'what root measures ran' [ -s "$T/asked" ]
is '  and saw no token' "$(cat "$T/seen")" ''
