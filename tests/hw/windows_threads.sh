# Benchmarks on threads of Windows, run by wine: who runs, where, at once, and what a fault leaves.
# Runs alone: beside windows.sh a program now and then ended with 1 and without a word.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/windows_lib"
windows_build_or_skip "threads on Windows"

check "the harness builds" windows_make windows "$win/libpawl.a"
check "... with a benchmark on threads" $gcc -std=c11 -O2 -Wall -Wextra -Werror -I"$ROOT" \
	-o "$T/threads.exe" "$ROOT/tests/hw/windows_threads.c" "$ROOT/$win/libpawl.a"
windows_run_or_skip "threads on Windows"

# threads N PROCESSORS ARGUMENT...: N threads on those processors
threads() {
	THREADS=$1
	export THREADS
	on=$2
	shift 2
	timeout 120 taskset -c "$on" wine threads.exe "$@" >out.crlf 2>err.crlf </dev/null
	status=$?
	tr -d '\r' <out.crlf
	tr -d '\r' <err.crlf >&2
	return $status
}
# allowed: the numbers of the processors that may be used here, one a line
allowed() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr ',' '\n' |
		while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done
}
first=$(allowed | sed -n 1p)
second=$(allowed | sed -n 2p)
of='d["benchmarks"][0]'

if [ -n "$second" ]; then
	runs 0 "two threads" threads 2 "$first,$second" --filter together --iterations 6000 --json
	is "each has a processor of its own" \
		"$(json out "$of['threads'], $of['processors'], $of['pinned']")" \
		'(2, 2, True)'
	like "... and is on it, and both are in the operation at once" err \
		'^threads: 2, on processors: 2, at once: 2$'
	is "no batch changed its processor" "$(json out "$of['migrations']")" 0
	like "the first is the thread that called" err '^thread 0 is the caller: 1$'
	like "each does its share" err '^thread 1: ran, the first.s share: 1$'
	is "the iterations are of both" "$(json out "$of['iterations'] % 2")" 0
	is "their counters are summed: 1 and 2" \
		"$(json out "[c['value'] for c in $of['counters'] if c['name'] == 'number']")" '[3]'
	like "the caller has all its processors again" err '^the caller has its processors: 1$'
else
	skip "threads of Windows on processors of their own" "there is one processor"
fi

runs 0 "more threads than processors" threads 3 "$first" --filter together --iterations 6000 --json
is "are bound to none" "$(json out "$of['threads'], $of['processors'], $of['pinned']")" \
	'(3, 1, False)'
like "... and yet get into the operation together" err '^threads: 3, on processors: 1, at once: 3$'
runs 0 "the table" threads 3 "$first" --filter together --iterations 6000
like "... says that they take turns" out '3 threads on 1 processor: they take turns'

runs 1 "one thread that fails" threads 2 "$first" --filter failing --json
is "... fails the round" "$(json out "$of['errors'], $of['iterations']")" '(1, 0)'
like "... and the threads end" err '^the caller has its processors: 1$'
runs 2 "1025 threads are too many" threads 1025 "$first" --list
like "... which is said" err "'together' wants 1025 threads: at most 1024 are possible"
THREADS=1024
export THREADS
runs 0 "1024 are not" windows threads.exe --filter together --iterations 1024 --json
is "... each with an iteration" "$(json out "$of['threads'], $of['iterations']")" '(1024, 1024)'
like "... of its own" err '^thread 1023: ran'
