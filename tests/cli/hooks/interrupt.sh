# Ctrl-C in a push, SIGKILL of pawl: what a build started ends, whatever it ignores, and nothing is left.
. "$(dirname "$0")/../../lib.sh"

git init -q --bare "$T/remote.git"
new_repo "$T/repo"
cd "$T/repo" || exit 1
nap=1000.$$ # nobody else's
# A build that ends for no signal it can ignore, nor do its children.
cat >build.sh <<END
trap '' INT TERM HUP
[ "\$(cat number)" = 1 ] && exit
sleep $nap &
setsid sleep $nap & # as a daemon does
sh -c 'sleep $nap; :' &
sleep $nap
END
printf '[pawl]\n\tbuild = "trap %s INT TERM HUP; . ./build.sh"\n[benchmark "b"]\n\tcommand = sh build.sh\n\tinput = build.sh\n' "''" >.pawlconfig
echo 1 >number
commit_all . 'one'
git remote add origin "$T/remote.git"
git push -q origin main 2>/dev/null
echo 2 >number
commit_all . 'two'
git config pawl.hook.budget 20m
runs 0 'the hook is installed' pawl hook install

# in_terminal HOW COMMAND...: in a terminal of its own; HOW is what happens as soon as the build naps
cat >"$T/in_terminal.py" <<'END'
import os, pty, select, signal, subprocess, sys, time

how, nap, command = sys.argv[1], sys.argv[2], sys.argv[3:]


def naps():
    return subprocess.run(["pgrep", "-f", "^sleep " + nap], stdout=subprocess.DEVNULL).returncode == 0


def is_here(word):
    try:
        return os.readlink("/proc/%s/cwd" % word) == os.getcwd()
    except OSError:  # it has ended, or is another user's
        return False


def of_name(name):
    out = subprocess.run(["pgrep", "-f", name], stdout=subprocess.PIPE, text=True).stdout
    # Others may measure on this machine.
    return [int(word) for word in out.split() if is_here(word)]


pid, fd = pty.fork()
if pid == 0:
    for number in (signal.SIGINT, signal.SIGHUP):  # what nohup ignores would stay so
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


def read_on():
    """What comes within a moment; False: nobody is there any more."""
    if select.select([fd], [], [], 0.05)[0]:
        try:
            os.write(1, os.read(fd, 4096))
        except OSError:
            return False
    return True


while not naps():
    if not read_on():
        sys.exit("the build does not start")
if how == "once":
    os.write(fd, b"\x03")
elif how == "twice":
    os.write(fd, b"\x03")
    time.sleep(0.1)
    os.write(fd, b"\x03")
elif how == "closed":
    os.close(fd)
elif how == "killed":
    # the pawl that compares, not the hook's
    for number in of_name("^pawl compare "):
        os.kill(number, signal.SIGKILL)
elif how == "hook-killed":
    for number in of_name("pawl hook run pre-push"):
        os.kill(number, signal.SIGKILL)
if how != "closed":
    while read_on():
        pass
os.waitpid(pid, 0)
END
in_terminal() {
	how=$1
	shift
	runs 0 "the build goes on until: $how" /usr/bin/python3 "$T/in_terminal.py" "$how" "$nap" "$@"
}
no_pawl() {
	for pid in $(pgrep -f '^pawl compare '); do
		[ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || return 1
	done
	not running "^sleep $nap"
}
clean() {
	[ ! -e .git/worktrees ] || [ -z "$(ls .git/worktrees)" ] || return 1
	[ -z "$(ls .git/pawl/run 2>/dev/null)" ]
}
# Where pawl is no longer there the push goes on.
another() {
	n=$((n + 1))
	echo "$n" >number
	commit_all . "number $n"
}
n=2
for how in once twice closed hook-killed; do
	another
	in_terminal "$how" git push origin main
	check 'after which nothing runs on' wait_for no_pawl
	check 'and nothing is left' clean
done
another
in_terminal killed git push origin main
check 'after which nothing runs on' wait_for no_pawl
like 'and the push is told' "$T/out" 'not compared: pawl ended by signal 9'

# ---- git, too, is ended by the terminal's Ctrl-C ------------------------------------------------

mkdir "$T/bin"
printf '#!/bin/sh\ncase " $* " in *" worktree add "* | *" checkout "* | *" read-tree "* | *" archive "*) exec sleep %s ;; esac\nexec %s "$@"\n' \
	"$nap" "$(command -v git)" >"$T/bin/git"
chmod +x "$T/bin/git"
cat >"$T/group.py" <<'END'
import os, signal, subprocess, sys, time

signal.signal(signal.SIGINT, signal.SIG_DFL)
child = subprocess.Popen(sys.argv[2:], start_new_session=True)
while subprocess.run(["pgrep", "-f", "^sleep " + sys.argv[1]], stdout=subprocess.DEVNULL).returncode != 0:
    if child.poll() is not None:
        sys.exit("git does not start")
    time.sleep(0.05)
os.killpg(child.pid, signal.SIGINT)
sys.exit(child.wait())
END
rm -rf .git/pawl
runs 130 'Ctrl-C while a git runs' env PATH="$T/bin:$PATH" /usr/bin/python3 "$T/group.py" "$nap" pawl compare HEAD~1..HEAD
check 'nothing runs on' wait_for no_pawl
