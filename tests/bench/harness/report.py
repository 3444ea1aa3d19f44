"""Results -> tables, as text or as markdown; what was aimed at beside what was seen."""
import statistics
import sys
from math import comb
from pathlib import Path

BEGIN = "<!-- figures: make bench-harness DOC=1 writes from here ... -->"
END = "<!-- ... to here -->"
LEVEL = 0.95


def interval(values):
    """The median, and from which to which value of the ordered ones it lies with 95 %: by the
    binomial distribution; the extremes where there are too few."""
    v = sorted(values)
    n, low, outside = len(v), 0, 0.0
    while low + 1 <= (n - 1) // 2:
        outside += comb(n, low) / 2 ** n
        if 2 * outside > 1 - LEVEL:
            break
        low += 1
    low = max(low - 1, 0)
    return statistics.median(v), v[low], v[n - 1 - low]


def show_interval(values, digits=3, scale=1.0):
    seen = [v * scale for v in values if v is not None]
    if not seen:
        return "none"
    m, low, high = interval(seen)
    text = f"{m:.{digits}f} [{low:.{digits}f} - {high:.{digits}f}]"
    return text if len(seen) == len(values) else f"{text}, {len(values) - len(seen)} x none"


def text(title, head, rows, to):
    widths = [max(len(str(r[i])) for r in [head, *rows]) for i in range(len(head))]
    print(f"{title}\n", file=to)
    for row in [head, *rows]:
        cells = [str(c).ljust(w) if i == 0 else str(c).rjust(w)
                 for i, (c, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip(), file=to)
    print(file=to)


def markdown(title, head, rows, to):
    print(f"## {title}\n", file=to)
    print("| " + " | ".join(head) + " |", file=to)
    print("|" + "---|" * len(head), file=to)
    for row in rows:
        print("| " + " | ".join(str(c).strip() for c in row) + " |", file=to)
    print(file=to)


# ---- the tables --------------------------------------------------------------------------

def quiet_rows(results):
    for name, c in results["quiet"].items():
        if name != "reference":
            yield [name, show_interval(c["imul"]), show_interval(c["empty"]),
                   show_interval(c["empty_ns"], 2), show_interval(c["wall_ms"], 0),
                   show_interval(c["cpu_ms"], 0)]


def cost_rows(costs):
    for name, say in (("inline", "the same instructions, inlined"), ("clock", "clock tsc"),
                      ("start_stop", "pawl_start, pawl_stop, inlined by pawl.h"),
                      ("start_stop_called", "pawl_start, pawl_stop, called")):
        if f"{name}_median" in costs:
            yield [f"{say}: an empty pair shows, median, ticks",
                   show_interval(costs[f"{name}_median"], 0)]
            yield [f"{say}: ... mean, which is taken off", show_interval(costs[f"{name}_mean"], 1)]
            yield [f"{say}: a pair takes, ticks", show_interval(costs[f"{name}_takes"], 1)]
            if name != "inline":
                yield [f"{say}: ... mean over the time of 8 imuls (24 cycles)",
                       show_interval(costs[f"{name}_imuls"], 2)]
    if "imul" in costs:
        yield ["8 imuls, ticks", show_interval(costs["imul"], 2)]
    for strategy in ("batches", "gmpbench"):
        yield [f"{strategy}: a batch, ms", show_interval(costs[f"{strategy}_batch_ms"], 2)]
        yield [f"{strategy}: between two batches, us", show_interval(costs[f"{strategy}_gap_us"], 2)]
        yield [f"{strategy}: ... share of the time, %",
               show_interval(costs[f"{strategy}_share"], 3, 100)]
    if "instructions_share" in costs:
        yield ["batches: instructions around a batch (callgrind; not the kernel's)",
               f"{costs['instructions_around']:.0f}"]
        yield ["batches: ... share of those of the batch, %",
               f"{100 * costs['instructions_share']:.4f}"]
    yield ["counters: passes", f"{statistics.median(costs['counters_passes']):.0f}"]
    yield ["counters: ... iterations of them, % of the timed ones",
           show_interval(costs["counters_passes_share"], 2, 100)]
    yield ["counters: CPU time over that without and the passes",
           show_interval(costs["counters_ratio"])]
    yield ["counters: estimate over that without", show_interval(costs["counters_estimate_ratio"])]


def goals(results):
    """(what, aimed at, seen, whether)."""
    quiet, busy, costs = results["quiet"], results["busy"], results["costs"]
    ours = quiet["pawl --strategy batches"]

    def median(values):
        seen = [v for v in values if v is not None]
        return statistics.median(seen) if seen else float("nan")

    def row(what, aim, value, good, digits=3):
        return [what, aim, f"{value:.{digits}f}", "yes" if good else "no"]

    ratio, wall = median(ours["imul"]), median(ours["wall_ms"])
    clean = [median(busy[k]["imul"]) for k in ("pawl --strategy batches",
                                               "pawl, 250 ms: clean estimate")]
    yield row("8 imuls: reported / true", "1.00 +- 0.02", ratio, abs(ratio - 1) <= 0.02)
    empty = median(ours["empty"])
    yield row("an empty call: reported / true", "1.00 +- 0.02", empty, abs(empty - 1) <= 0.02)
    yield row("... time for a benchmark, ms", "<= 60", wall, wall <= 60, 1)
    cpu = median(ours["cpu_ms"])
    yield row("... CPU time for a benchmark, ms", "<= 60", cpu, cpu <= 60, 1)
    for name, value in zip(("batches", "250 ms"), clean):
        yield row(f"busy neighbour, {name}: clean estimate / true", "1.00 +- 0.02", value,
                  abs(value - 1) <= 0.02)
    for name, say in (("clock", "an empty pair of the clock tsc"),
                      ("start_stop", "an empty pawl_start, pawl_stop")):
        if f"{name}_mean" in costs:
            value = median(costs[f"{name}_mean"])
            yield row(f"{say}, mean, ticks", "<= 55", value, value <= 55, 1)
    for strategy in ("batches", "gmpbench"):
        value = 100 * median(costs[f"{strategy}_share"])
        yield row(f"bookkeeping of a batch ({strategy}), % of its time", "<= 1", value, value <= 1)
    value = median(costs["counters_ratio"])
    low = interval(costs["counters_ratio"])[1]
    yield row("with counters / (without + passes)", "<= 1 within the interval", value, low <= 1)


def show(results, table, to=sys.stdout):
    costs, reference = results["costs"], results["quiet"]["reference"]
    table("Machine", ["fact", "value"],
          [*results["machine"],
           ["load when it began, ended", " and ".join(f"{x:.1f}" for x in results["load"])],
           ["counters that count here", ", ".join(costs["counters_counted"]) or "none"]], to)
    n = results["rounds"]
    rounds = f"median of {n} rounds [{'95 % interval' if n > 5 else 'least - most'}]"
    table(f"Reported over true time, {rounds}",
          ["harness", "8 imuls: reported / true", "empty call: the same", "empty call, ns",
           "ms a benchmark", "CPU ms"],
          [*quiet_rows(results),
           ["the reference loops: mean / median", show_interval(reference["mean"]),
            "", "", "", ""],
           ["true (reference loop), ns", show_interval(reference["imul_ns"]), "",
            show_interval(reference["empty_ns"], 2), "", ""]], to)
    table(f"The same with a busy neighbour on the processor, {rounds}",
          ["estimate", "8 imuls: reported / true"],
          [[name, show_interval(c["imul"])] for name, c in results["busy"].items()], to)
    table(f"What measuring costs, {rounds}", ["what", "figure"], list(cost_rows(costs)), to)
    table("Aims", ["what", "aim", "seen", "met"], list(goals(results)), to)
    for line in dict.fromkeys(results["skipped"]):
        print(f"left out: {line}", file=to)


def into(path, results):
    """Puts the tables between the marks of the file; the rest of it stays."""
    whole = path.read_text()
    if BEGIN not in whole or END not in whole:
        sys.exit(f"bench-harness: error: '{path}' does not have the marks '{BEGIN}' and '{END}'")
    head, rest = whole.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    new = path.with_suffix(".new")
    with new.open("w") as to:
        print(f"{head}{BEGIN}\n", file=to)
        show(results, markdown, to)
        print(f"{END}{tail}", end="", file=to)
    new.replace(path)
