# Row 68: processors are taken away while it measures: told with the result.
# See: tests/unit/collector/run/test_collector_runner_stage.c: a_run_in_which_processors_were_taken_from_us_is_marked
# See: tests/unit/collector/run/test_collector_runner_stage.c: a_processor_that_is_gone_leaves_the_run_unpinned
# See: tests/unit/collector/machine/test_collector_machine_cpu.c: one_that_went_offline_meanwhile_is_not_taken
. "$(dirname "$0")/../lib.sh"

if [ "$(nproc)" -lt 2 ] || ! command -v taskset >/dev/null; then
	skip 'processors that go' 'there is one processor, or no taskset'
	exit 0
fi
new_repo "$T/repo"
cd "$T/repo" || exit 1
# From the thirtieth run on each takes all but one of them from pawl: how many come before those that count is the
# machine's matter, and one run alone may be passed over, or what it took given back.
cat >b.sh <<END_OF_SH
echo >>$T/runs
[ "\$(wc -l <$T/runs)" -lt 30 ] || taskset -pc "\$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)" \
	"\$(cat $T/pawl)" >/dev/null
END_OF_SH
printf '[pawl]\n\truns = 60..60\n[benchmark "b"]\n\tcommand = sh b.sh\n' >.pawlconfig
commit_all . one
runs 0 'it is measured to its end' sh -c "echo \$\$ >'$T/pawl'; exec pawl collect"
like 'and says that processors went' "$T/out" 'processors that may be used changed while measuring \(1 to [0-9]+\)'
