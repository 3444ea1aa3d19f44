# Shared by the scripts of tests/cli: assertions that print TAP lines, a scratch folder,
# repositories, and servers that are always stopped.
#
#   . "$(dirname "$0")/../../lib.sh"
#
# BUILD names the build folder; $T is the scratch folder, removed at the end.
set -u
ROOT=$(cd "$(dirname "$0")" && pwd)
until [ -z "$ROOT" ] || [ -f "$ROOT/tests/lib.sh" ]; do
	ROOT=${ROOT%/*}
done
BUILD=${BUILD:-$ROOT/build/release}
T=$(mktemp -d "${TMPDIR:-/tmp}/pawl-test.XXXXXX") || exit 1
tests_n=0
tests_bad=0
STORE=sqlite:$T/server.db # of pawld
to_stop=
to_stop_last= # what others use as long as they run

at_end() {
	status=$?
	keep_compilers
	for pid in $to_stop; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	for pid in $to_stop_last; do
		kill -INT "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	{ read -r answers <"$T/.answers" && kill "$answers"; } 2>/dev/null
	cd / && rm -rf "$T" 2>/dev/null || { chmod -R u+w "$T" 2>/dev/null; rm -rf "$T"; }
	[ "$status" -ne 0 ] || [ "$tests_bad" -eq 0 ] || status=1
	trap - EXIT
	exit "$status"
}
trap at_end EXIT
trap 'exit 130' INT TERM

# result OK? NAME [DETAIL...]
result() {
	tests_n=$((tests_n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests_n - $2"
	else
		echo "not ok $tests_n - $2"
		tests_bad=$((tests_bad + 1))
		shift 2
		[ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/# /'
	fi
}

skip() {
	tests_n=$((tests_n + 1))
	echo "ok $tests_n - $1 # SKIP $2"
}

# slow_only NAME: whether this is the long run; what follows is left out of the short one, and says so
slow_only() {
	[ -z "${PAWL_TEST_SLOW:-}" ] || return 0
	skip "$1" 'takes many seconds: make check-slow'
	return 1
}

# tools_but PATTERN DIR: makes DIR, with links to all programs of PATH but those whose names match (of awk)
tools_but() {
	mkdir "$2" || exit 1
	echo "$PATH" | tr : '\n' | while read -r folder; do
		find "$folder/" -maxdepth 1 ! -type d 2>/dev/null
	done | awk -F / -v but="^($1)\$" '$NF !~ but && !seen[$NF]++' | tr '\n' '\0' | xargs -0 ln -s -t "$2"
}

# check NAME COMMAND...: the command must succeed
check() {
	name=$1
	shift
	if "$@" >"$T/.check" 2>&1; then
		result 0 "$name"
	else
		result 1 "$name" "failed: $*" "$(cat "$T/.check")"
	fi
}

# is NAME GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		result 0 "$1"
	else
		result 1 "$1" "got:    $2" "wanted: $3"
	fi
}

# like NAME FILE REGEX: some line of the file matches (grep -E)
like() {
	if grep -Eq -e "$3" "$2"; then
		result 0 "$1"
	else
		result 1 "$1" "no line matches: $3" "$(head -n 40 "$2")"
	fi
}

# unlike NAME FILE REGEX
unlike() {
	if grep -Eq -e "$3" "$2"; then
		result 1 "$1" "a line matches: $3" "$(grep -E -e "$3" "$2" | head -n 10)"
	else
		result 0 "$1"
	fi
}

# runs STATUS NAME COMMAND...: exits with that status; output in $T/out and $T/err
runs() {
	wanted_status=$1
	name=$2
	shift 2
	"$@" >"$T/out" 2>"$T/err"
	got_status=$?
	if [ "$got_status" -eq "$wanted_status" ]; then
		result 0 "$name"
	else
		result 1 "$name" "exit status $got_status, wanted $wanted_status: $*" \
			"$(tail -n 20 "$T/out")" "$(tail -n 20 "$T/err")"
	fi
}

# answered FILE EXPRESSION: asks helpers/answer.py, which the first question starts; prints what it says.
# It is no child that this script waits for, holds nothing open, and has no word in its environment or its
# arguments that a test looks for.
answered() {
	if ! { read -r answers <"$T/.answers"; } 2>/dev/null || ! kill -0 "$answers" 2>/dev/null; then
		[ -p "$T/.answer" ] || mkfifo "$T/.ask" "$T/.answer" || return 2
		(cd "$T" && exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && {
			env -i /usr/bin/python3 -IS "$ROOT/tests/helpers/answer.py" $$ </dev/null >/dev/null 2>&1 &
			echo $! >.answers
		})
		read -r answers <"$T/.answers"
	fi
	printf '%s\0%s\0%s\0' "$PWD" "$1" "$2" >"$T/.ask"
	{
		read -r answer_status answer_lines
		while [ "$answer_lines" -gt 0 ]; do
			IFS= read -r answer_line
			if [ "$answer_status" -eq 2 ]; then
				printf '%s\n' "$answer_line" >&2
			else
				printf '%s\n' "$answer_line"
			fi
			answer_lines=$((answer_lines - 1))
		done
	} <"$T/.answer"
	return "$answer_status"
}

# json FILE EXPRESSION: evaluates a python expression with d = the document, prints it
json() {
	answered "$1" "$2"
}

# valid NAME FILE: holds a summary against docs/schema/summary-v1.json by python3-jsonschema
valid() {
	if answered "$2" "schema:$ROOT/docs/schema/summary-v1.json" >"$T/.valid" 2>&1; then
		result 0 "$1"
	else
		result 1 "$1" "$(cat "$T/.valid")"
	fi
}

# metrics NAME FILE: promtool and prometheus_client, whichever is here, take it without a remark
metrics() {
	/usr/bin/python3 "$ROOT/tests/helpers/http/metrics.py" "$2" >"$T/.metrics" 2>&1
	case $? in
	77) skip "$1" "$(cat "$T/.metrics")" ;;
	0) result 0 "$1" ;;
	*) result 1 "$1" "$(cat "$T/.metrics")" ;;
	esac
}

# new_repo DIR: an empty repository
new_repo() {
	git init -q "$1"
}

# What compilers say of themselves pawl asks two dozen programs, once in each repository, and reads the compilers:
# a tenth of a second.  One script asks for all; not in the long run, which has what users have.

# know_compilers DIR: a new repository has what another one has asked
know_compilers() {
	[ -n "${TESTS_SHARED:-}" ] && [ -z "${PAWL_TEST_SLOW:-}" ] || return 0
	keep_compilers
	[ ! -e "$TESTS_SHARED/compilers" ] || { mkdir -m 700 "$1/.git/pawl" && cp -p "$TESTS_SHARED"/compilers* "$1/.git/pawl"; }
}

# keep_compilers: what a repository here has asked is there for the others
keep_compilers() {
	[ -n "${TESTS_SHARED:-}" ] && [ ! -e "$TESTS_SHARED/compilers" ] || return 0
	for said in "$T"/*/.git/pawl/compilers; do
		[ -e "$said.sums" ] || continue
		cp -p "$said.sums" "$TESTS_SHARED/.sums.$$" && mv "$TESTS_SHARED/.sums.$$" "$TESTS_SHARED/compilers.sums"
		cp -p "$said" "$TESTS_SHARED/.said.$$" && mv "$TESTS_SHARED/.said.$$" "$TESTS_SHARED/compilers"
		return
	done
}

# commit_all DIR MESSAGE
commit_all() {
	git -C "$1" add -A && git -C "$1" commit -q --allow-empty -m "$2"
}

# new_stored_repo DIR: a repository of two commits, which is entered; sets head and base, their ids
new_stored_repo() {
	new_repo "$1"
	cd "$1" || exit 1
	commit_all . one
	commit_all . two
	head=$(git rev-parse HEAD)
	base=$(git rev-parse HEAD~1)
}

# fill KIND [N]: its store holds that summary of tests/helpers/summaries.py and no other
fill() {
	rm -rf .git/pawl
	mkdir -p .git/pawl
	/usr/bin/python3 -IS "$ROOT/tests/helpers/summaries.py" "$head" "$base" "$@" |
		"$BUILD/helpers/results" .git/pawl/results.db
}

# server_told: whether pawld has said where it listens, or has ended
server_told() {
	grep -q '^pawld: listening on ' "$T/pawld.out" || not kill -0 "$SERVER_PID" 2>/dev/null
}

# start_server [OPTION...]: starts pawld on a free loopback port; sets SERVER (URL) and SERVER_PID.  A question
# may take a minute: on a machine where thirty programs wait for a processor, one to PostgreSQL takes more than
# the usual second.
start_server() {
	: >"$T/pawld.out" # here: the child may come to it only after we have read the last one's address
	"$BUILD/pawld" --listen 127.0.0.1:0 --store "$STORE" --budget 60s "$@" \
		>"$T/pawld.out" 2>"$T/pawld.err" &
	SERVER_PID=$!
	to_stop="$to_stop $SERVER_PID"
	wait_for server_told
	SERVER=$(sed -n 's/^pawld: listening on //p' "$T/pawld.out")
	[ -n "$SERVER" ] || { echo "# pawld did not start:"; sed 's/^/# /' "$T/pawld.err"; return 1; }
}

# wait_for COMMAND...: until it succeeds; 1 after the better part of an hour, which only what never comes
# takes: a machine may be very busy, and other tests of pawl may hold its lock
wait_for() {
	waits=0
	until "$@"; do
		waits=$((waits + 1))
		[ "$waits" -lt 3000 ] || return 1
		if [ "$waits" -lt 100 ]; then sleep 0.05; else sleep 1; fi
	done
}

# begin_bad_server OPTION...: starts tests/helpers/http/badserver.py, sets BAD_PID and BAD_URL
begin_bad_server() {
	: >"$T/bad.out"
	"$ROOT/tests/helpers/http/badserver.py" "$@" >"$T/bad.out" &
	BAD_PID=$!
	to_stop="$to_stop $BAD_PID"
	# Both ports, to the end of the line: it may come in pieces.
	wait_for awk 'NF == 3 && $3 { found = 1 } END { exit !found }' "$T/bad.out"
	BAD_URL=http://127.0.0.1:$(awk '{ print $2 }' "$T/bad.out")
}

# free_ports: two of loopback that nobody listens on
free_ports() {
	/usr/bin/python3 -ISc 'import socket
s = [socket.socket(), socket.socket()]
[x.bind(("127.0.0.1", 0)) for x in s]
print(*[x.getsockname()[1] for x in s])'
}

# forget PID: it has ended and was waited for; its number may be another process's by now
forget() {
	left=
	for pid in $to_stop; do
		[ "$pid" = "$1" ] || left="$left $pid"
	done
	to_stop=$left
}

# stop_server: SIGTERM, waits, sets SERVER_STATUS
stop_server() {
	kill "$SERVER_PID" 2>/dev/null
	wait "$SERVER_PID"
	SERVER_STATUS=$?
	forget "$SERVER_PID"
}

# libpawl_flags: what a program needs to be linked with this build's libpawl
libpawl_flags() {
	case $BUILD in
	*asan*) echo -fsanitize=address,undefined ;;
	*tsan*) echo -fsanitize=thread ;;
	*coverage*) echo -lgcov ;; # the library counts, the program does not
	esac
}

# build_work FILE N: a benchmark that does N steps, linked to libpawl
build_work() {
	${CC:-cc} -O2 -DWORK="$2" -I"$ROOT" -I"$ROOT/include" -o "$1" "$ROOT/tests/helpers/work.c" \
		"$BUILD/libpawl.a" -Wl,-S $(libpawl_flags)
}

# linker_flag: a link by mold takes a third of the time; the long tests, and those of layouts, use what users do
linker_flag() {
	[ "${PAWL_LAYOUTS:-}" != off ] || ! command -v ld.mold >/dev/null || echo -fuse-ld=mold
}

# new_work_repo DIR [steps]: a repository whose Makefile builds build/bench with WORK from the file work.mk,
# and the benchmark "work" of it.  With "steps" a counter of the work decides, which no machine changes, however
# busy: for scripts that ask for a verdict and not how it is measured.
new_work_repo() {
	extra="$(linker_flag) $(libpawl_flags)"
	new_repo "$1"
	know_compilers "$1"
	cp "$ROOT/tests/helpers/work.c" "$1"
	cat >"$1/Makefile" <<END
include work.mk
build/bench: work.c work.mk
	mkdir -p build
	\$(CC) -O2 -DWORK=\$(WORK) ${2:+-DCOUNT_STEPS} -I$ROOT -I$ROOT/include -o \$@ work.c $BUILD/libpawl.a -Wl,-S $extra
END
	cat >"$1/.pawlconfig" <<'END'
[pawl]
	project = demo
	build = make
	runs = 12..12
	minTime = 1ms
[benchmark "work"]
	command = build/bench
END
	[ -z "${2:-}" ] || printf '\tmetric = steps\n' >>"$1/.pawlconfig"
	printf '/build/\n' >"$1/.gitignore"
}

# set_work N MESSAGE: commits that amount of work
set_work() {
	echo "WORK = $1" >work.mk
	commit_all . "$2"
}

# hits N: here, and configured, the benchmark cache/a with one counter, "hits": a little above N
hits() {
	cat >.pawlconfig <<'END'
[pawl]
	project = demo
	build = true
[benchmark "cache"]
	command = ./hits.sh
	format = lnt
	metric = hits
END
	printf '#!/bin/sh\necho a.hits $((%s + $(od -An -N1 -tu1 /dev/urandom)))\n' "$1" >hits.sh
	chmod +x hits.sh
}

# Quick settings for tests.  Twelve pairs call a change when all of them agree, or nearly: one that the hypervisor
# held up is enough to spoil a verdict about twice the work, so that what is to be called does forty times.
quick='--runs 12..12 --min-time 1ms'

# running PATTERN: whether some process has it in its command line
running() {
	sed -s 's/\x00/ /g' /proc/[0-9]*/cmdline >"$T/.running" 2>/dev/null
	grep -aq -e "$1" "$T/.running"
}

not() {
	! "$@"
}

# start_forge: a server with as much of three APIs as pawl publish uses (helpers/http/forge.py); sets FORGE
# (URL) and FORGE_DIR, the folder with what it holds
start_forge() {
	FORGE_DIR=$T/forge
	mkdir -p "$FORGE_DIR"
	rm -f "$FORGE_DIR/port"
	/usr/bin/python3 -IS "$ROOT/tests/helpers/http/forge.py" "$FORGE_DIR" &
	to_stop="$to_stop $!"
	wait_for [ -s "$FORGE_DIR/port" ]
	FORGE=http://127.0.0.1:$(cat "$FORGE_DIR/port")
}
