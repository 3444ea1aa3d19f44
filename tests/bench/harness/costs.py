"""What libpawl's harness itself costs: a pair of readings, a batch, the counters."""
import json
import shutil
import statistics
import tempfile
from collections import Counter

from programs import lines

ITERATIONS = 40_000_000
BATCH_MS = "100ms"


def add(costs, name, value):
    costs.setdefault(name, []).append(value)


def noted(programs, *words):
    """One run with its calls noted: [(iterations, begin ns, end ns)], its result, the process."""
    with tempfile.TemporaryFile(dir=programs.scratch) as calls:
        done = programs.run(programs.command("peer_pawl", "--json", *words),
                            env={"CALLS": str(calls.fileno())}, pass_fds=[calls.fileno()])
        calls.seek(0)
        rows = [tuple(map(int, line.split())) for line in calls]
    return rows, json.loads(done.stdout)["benchmarks"][0], done


def batch(programs, strategy):
    """Medians of the batches of the usual length: between two of them, and of one."""
    calls, _, _ = noted(programs, "--no-counters", "--strategy", strategy, "--min-time", BATCH_MS)
    usual = Counter(n for n, _, _ in calls if n > 1).most_common(1)[0][0]
    gaps, lasted = [], []
    for (n, begin, end), (after, following, _) in zip(calls, calls[1:]):
        if n == usual == after:
            gaps.append(following - end)
            lasted.append(end - begin)
    return statistics.median(gaps), statistics.median(lasted), usual


def counters(programs, costs):
    words = ["--no-counters", "--counters=perf"]
    if len(costs.get("counters_ratio", [])) % 2:  # which comes first must not tell
        words.reverse()
    told = {word: noted(programs, word, "--iterations", str(ITERATIONS)) for word in words}
    _, without, process = told["--no-counters"]
    calls, with_them, more = told["--counters=perf"]
    timed, passes = 0, []
    for n, _, _ in calls:
        if timed < 1 + ITERATIONS:
            timed += n
        else:
            passes.append(n)
    per_op = [b["clean"]["median_ns"] or b["mean_ns"] for b in (without, with_them)]
    passes_ms = sum(passes) * per_op[1] / 1e6
    add(costs, "counters_ratio", more.cpu_ms / (process.cpu_ms + passes_ms))
    add(costs, "counters_passes", len(passes))
    add(costs, "counters_passes_share", sum(passes) / ITERATIONS)
    add(costs, "counters_estimate_ratio", per_op[1] / per_op[0])
    costs["counters_counted"] = [c["name"] for c in with_them["counters"] if c["state"] == "ok"]


def one_round(programs, costs, skipped):
    pair = programs.run(programs.command("pair"), good=(0, 77))
    if pair.status == 0:
        ticks = lines(pair.stdout)
        for name, value in ticks.items():
            add(costs, name, value)
        for name in ("clock", "start_stop", "start_stop_called"):
            add(costs, f"{name}_imuls", ticks[f"{name}_mean"] / ticks["imul"])
    elif not any(line.startswith("ticks") for line in skipped):
        skipped.append(f"ticks of a pair: {pair.stderr.strip()}")
    for strategy in ("batches", "gmpbench"):
        gap, lasted, usual = batch(programs, strategy)
        add(costs, f"{strategy}_gap_us", gap / 1e3)
        add(costs, f"{strategy}_batch_ms", lasted / 1e6)
        add(costs, f"{strategy}_share", gap / (gap + lasted))
        add(costs, f"{strategy}_iterations", usual)
    counters(programs, costs)


# ---- instructions ------------------------------------------------------------------------

def called(path, callee):
    """Calls of a function, and the instructions in them, of callgrind's file."""
    n = cost = 0
    waiting = False
    function = None
    for line in path.read_text().splitlines():
        if line.startswith("cfn="):
            function = line[4:]
        elif line.startswith("calls=") and function == callee:
            n += int(line[6:].split()[0])
            waiting = True
        elif waiting:
            cost += int(line.split()[1])
            waiting = False
    return n, cost


def count_instructions(programs, costs, skipped):
    """Of one batch under callgrind: what its own run executes, and all around it.  The kernel's
    are not among them."""
    if not shutil.which("valgrind"):
        skipped.append("instructions of a batch: there is no valgrind")
        return
    out = programs.scratch / "callgrind.out"
    programs.run(["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no",
                  f"--callgrind-out-file={out}", *programs.command(
                      "peer_pawl", "--no-counters", "--filter", "imul", "--strategy", "batches",
                      "--min-time", "20ms")])
    n, all_of_it = called(out, "pawl_engine_chunk")
    n_imul, imul = called(out, "run_imul")
    _, empty = called(out, "run_empty")
    n_op, _ = called(out, "op_imul")
    if not n or not n_imul or not n_op:
        skipped.append("instructions of a batch: callgrind does not show its functions")
        return
    costs["instructions_around"] = (all_of_it - imul - empty) / n
    costs["instructions_op"] = imul / n_op
    iterations = statistics.median(costs["batches_iterations"])
    costs["instructions_share"] = costs["instructions_around"] / (
        costs["instructions_around"] + iterations * costs["instructions_op"])
