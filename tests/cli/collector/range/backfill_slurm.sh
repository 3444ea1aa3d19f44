# pawl backfill --slurm on a real Slurm of one node: an array of jobs, a job that is lost, a node that dies.
# Runs alone: its jobs want a node for themselves.
. "$(dirname "$0")/../../../lib.sh"

if ! slow_only 'a range on a real Slurm'; then
	exit
fi
PATH=$PATH:/usr/sbin:/sbin
for tool in slurmctld slurmd munged sbatch sinfo squeue scontrol; do
	if ! command -v $tool >/dev/null; then
		skip 'a range on a real Slurm' "$tool is not installed: apt-get install slurmctld slurmd slurm-client munge"
		exit
	fi
done
if [ "$(id -u)" != 0 ]; then
	skip 'a range on a real Slurm' 'slurmd needs root'
	exit
fi

# ---- a cluster of one node, on loopback -----------------------------------------------------------------

mkdir -p "$T/slurm/state" "$T/slurm/spool" "$T/slurm/munge"
chmod 755 "$T"
chmod 700 "$T/slurm/munge"
head -c 128 /dev/urandom >"$T/slurm/munge/key" && chmod 600 "$T/slurm/munge/key"
munged --foreground --force --key-file="$T/slurm/munge/key" --socket="$T/slurm/munge/s" \
	--pid-file="$T/slurm/munge/pid" --log-file="$T/slurm/munge/log" \
	--seed-file="$T/slurm/munge/seed" --num-threads=2 >"$T/munged.out" 2>&1 &
to_stop="$to_stop $!"
ports=$(/usr/bin/python3 -c 'import socket
a, b = socket.socket(), socket.socket()
a.bind(("127.0.0.1", 0)), b.bind(("127.0.0.1", 0))
print("SlurmctldPort=%d\nSlurmdPort=%d" % (a.getsockname()[1], b.getsockname()[1]))')
node=$(hostname -s)
cat >"$T/slurm/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
$ports
AuthType=auth/munge
AuthInfo=socket=$T/slurm/munge/s
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
ReturnToService=2
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$T/slurm/state
SlurmdSpoolDir=$T/slurm/spool
SlurmctldPidFile=$T/slurm/slurmctld.pid
SlurmdPidFile=$T/slurm/slurmd.pid
SlurmctldLogFile=$T/slurm/slurmctld.log
SlurmdLogFile=$T/slurm/slurmd.log
SlurmdTimeout=10
KillWait=2
SelectType=select/cons_tres
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) Feature=zen3 State=UNKNOWN
PartitionName=main Nodes=$node Default=YES MaxTime=60 State=UP
END
export SLURM_CONF="$T/slurm/slurm.conf"
slurmctld -D >"$T/slurmctld.out" 2>&1 &
to_stop="$to_stop $!"
start_node() {
	slurmd -D -N "$node" >>"$T/slurmd.out" 2>&1 &
	slurmd=$!
	to_stop="$to_stop $slurmd"
}
start_node
idle() {
	sinfo -h -o %T 2>/dev/null | grep -qx idle
}
if ! wait_for idle; then
	skip 'a range on a real Slurm' "its daemons do not start here: $(tail -n 1 "$T/slurmd.out" "$T/slurmctld.out" | tr '\n' ' ')"
	exit
fi

new_work_repo "$T/repo"
cd "$T/repo" || exit 1
sed 's/runs = .*/runs = 12..12\n\tthreshold = 20%/' .pawlconfig >c && mv c .pawlconfig
set_work 1000 one
git tag v1
for work in 1001 3000 3001 3002; do
	set_work $work "work $work"
done
moved=$(git rev-parse HEAD~2)

# over JOB: no part of it is waiting or running
over() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}

# ---- all parts ----------------------------------------------------------------------------------------

runs 5 'nodes that there are none of' pawl backfill v1..HEAD --slurm 2 --constraint zen9 --files "$T/files"
like 'is what Slurm says' "$T/err" 'sbatch refuses the jobs'
runs 0 'an array is submitted' pawl backfill v1..HEAD --slurm 2 --constraint zen3 --files "$T/files"
job=$(sed -n 's/^job \([0-9]*\): 2 parts with 4 comparisons$/\1/p' "$T/out")
script=$(sed -n 's/^to run part N again: sbatch --array=N .* //p' "$T/out")
wait_for over "$job"
runs 0 'its results are joined' pawl backfill v1..HEAD --join --files "$T/files"
like 'all of them' "$T/out" '^5 commits, 4 steps: 4 done, 4 of them joined now, 0 missing$'
machine=$(sed -n 's/^to see what moved: pawl history --machine //p' "$T/out")
runs 1 'the history has them' pawl history work/chain --machine "$machine" --json
is 'and the step where it was made' \
	"$(json "$T/out" '[p["commit"] for p in d["points"] if p["verdict"] == "regressed"]')" "['$moved']"
is 'no job left anything on its node' "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'pawl-part.*' -newer "$T/slurm/slurm.conf")" ''

# ---- a part that ran twice, one that was cancelled, a node that died -------------------------------------------

job=$(sbatch --parsable --exclusive --array=1 --output="$T/again.log" "$script")
wait_for over "$job"
like 'a part that runs again measures nothing' "$T/again.log" ' 0 comparisons now'
runs 0 'and is joined' pawl backfill v1..HEAD --join --files "$T/files"
like 'not twice' "$T/out" ' 0 of them joined now, 0 missing$'

rm -rf .git/pawl/results.db "$T/files"
runs 0 'anew' pawl backfill v1..HEAD --slurm 2 --constraint zen3 --files "$T/files"
job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' "$T/out")
scancel "${job}_2"
wait_for over "$job"
runs 4 'with a part that was cancelled' pawl backfill v1..HEAD --join --files "$T/files"
like 'it is said what is missing' "$T/out" '^5 commits, 4 steps: 2 done, 2 of them joined now, 2 missing$'
runs 0 'the same call' pawl backfill v1..HEAD --slurm 2 --constraint zen3 --files "$T/files"
like 'gives out only that' "$T/out" '^job [0-9]*: 2 parts with 2 comparisons$'
job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' "$T/out")

running() {
	squeue -h -t R -j "$job" | grep -q .
}
wait_for running
kill -9 "$slurmd" && wait "$slurmd" 2>/dev/null
forget "$slurmd"
scontrol update "NodeName=$node" State=DOWN Reason=test
start_node
wait_for idle
scontrol requeue "$job" >/dev/null 2>&1
# Slurm would wait two minutes before it starts it again
sooner() {
	over "$job" || { scontrol update "JobId=${job}" StartTime=now 2>/dev/null && false; }
}
wait_for sooner
runs 0 'after a node died its part was run again' pawl backfill v1..HEAD --join --files "$T/files"
like 'and nothing is missing' "$T/out" ' 0 missing$'
runs 1 'the history has all' pawl history work/chain --machine "$machine" --json
is 'once' "$(json "$T/out" 'len(d["points"])')" 4
