"""Results -> markdown."""
from collections import defaultdict

from arena import KINDS, PROGRAMS
from figures import mean, quantile, rate

VERDICTS = ("regressed", "improved", "unchanged", "inconclusive")
SAY = {"same": "same code", "plus1": "+1 %", "plus2": "+2 %", "plus5": "+5 %", "minus2": "-2 %",
       **{f"layout{i}": "same work, other layout" for i in range(1, 5)}}
ORDER = ("same code", "same work, other layout", "+1 %", "+2 %", "+5 %", "-2 %")
QUIET = ORDER[:2]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def by(results, *keys):
    out = defaultdict(list)
    for r in results:
        out[tuple(SAY[r["kind"]] if k == "kind" else r[k] for k in keys)].append(r)
    return out


def wanted(effect):
    return {"-2 %": "improved"}.get(effect, "unchanged" if effect in QUIET else "regressed")


def show_work(results):
    ratios = {(r["kind"], r["program"]): r["work"] for r in results}
    kinds = [k for k in KINDS if any(k == kind for kind, _ in ratios)]
    print("### Work added, head over base\n")
    table(["program", *kinds],
          [[p, *(f"{ratios.get((k, p), float('nan')):.5f}" for k in kinds)] for p in PROGRAMS])


def show_verdicts(results):
    groups = by(results, "kind")
    print("### Verdicts, all programs: count of n (rate, 95 % interval)\n")
    table(["true change", "n", *VERDICTS, "other"],
          [[e, len(g), *(sum(r["verdict"] == v for r in g) for v in VERDICTS),
            sum(r["verdict"] not in VERDICTS for r in g)]
           for e in ORDER if (g := groups.get((e,)))])
    rows = []
    quiet = [r for e in QUIET for r in groups.get((e,), [])]
    for name, group in [(e, groups.get((e,), [])) for e in QUIET] + [("both", quiet)]:
        false = sum(r["verdict"] in VERDICTS[:2] for r in group)
        slower = sum(r["verdict"] == "regressed" for r in group)
        rows.append([name, rate(false, len(group)), rate(slower, len(group))])
    print("False verdicts where no work was added\n")
    table(["comparison", "regressed or improved", "regressed"], rows)
    print("True changes found, and called the wrong way round or unchanged\n")
    rows = []
    for effect in ORDER[2:]:
        group = groups.get((effect,), [])
        other = {"regressed": "improved", "improved": "regressed"}[wanted(effect)]
        rows.append([effect] + [rate(sum(r["verdict"] == v for r in group), len(group))
                                for v in (wanted(effect), other, "unchanged")])
    table(["true change", "found", "wrong way round", "called unchanged"], rows)


def show_programs(results):
    groups = by(results, "program", "kind")
    print("### By program: regressed / improved / unchanged / inconclusive\n")
    table(["program", *ORDER],
          [[p] + ["/".join(str(sum(r["verdict"] == v for r in groups.get((p, e), [])))
                           for v in VERDICTS) for e in ORDER] for p in PROGRAMS])


def show_estimates(results):
    """Errors are of the estimate against the work, in points of a percent."""
    print("### Estimates against the work added (percentage points) and coverage\n")
    rows = []
    for effect in ORDER:
        for program in (None, *PROGRAMS):
            group = [r for r in results if SAY[r["kind"]] == effect and r["ratio"] is not None
                     and program in (None, r["program"])]
            if not group:
                continue
            errors = [100 * (r["ratio"] - r["work"]) for r in group]
            covered = sum((r["low"] is None or r["low"] <= r["work"])
                          and (r["high"] is None or r["work"] <= r["high"]) for r in group)
            rows.append([effect, program or "**all**", len(group), f"{mean(errors):+.2f}",
                         f"{quantile([abs(e) for e in errors], .95):.2f}",
                         rate(covered, len(group))])
    table(["true change", "program", "n", "mean error", "95 % of errors within",
           "interval covers the work"], rows)


def show_time(results):
    print("### Time\n")
    comparisons = by(results, "session", "comparison").values()
    whole = [g[0]["elapsed_s"] for g in comparisons]
    runs = [max(r["to_s"] for r in g) - min(r["from_s"] for r in g) for g in comparisons]
    rows = [[name, *(f"{v:.1f}" for v in (quantile(s, .5), max(s), quantile(s, .5) / len(PROGRAMS),
                                          max(s) / len(PROGRAMS)))]
            for name, s in (("builds, and waits for other measurers, too", whole),
                            ("from the first run to the last", runs))]
    table([f"{len(whole)} comparisons of {len(PROGRAMS)} benchmarks", "median s", "most s",
           "a verdict, median s", "a verdict, most s"], rows)
    groups = by(results, "program")
    table(["program", "pairs (median)", "measuring s (median)", "measuring s (most)",
           "noise floor % (median)"],
          [[p, f"{quantile([r['pairs'] for r in g], .5):.0f}",
            f"{quantile([r['measured_s'] for r in g], .5):.1f}",
            f"{max(r['measured_s'] for r in g):.1f}",
            f"{quantile(floors, .5):.2f}"
            if (floors := [100 * r['floor'] for r in g if r['floor'] is not None]) else "-"]
           for p in PROGRAMS if (g := groups.get((p,)))])


def show_peer(results):
    """Verdicts of hyperfine's users beside pawl's on the very same comparisons."""
    results = [r for r in results if r.get("peer")]
    if not results:
        return
    groups = by(results, "kind")
    print("### The same executables, same session, given to hyperfine (25 runs, 1 warm-up)\n")
    rows = []
    for effect in ORDER:
        group = groups.get((effect,), [])
        if not group:
            continue
        right = VERDICTS[:2] if effect in QUIET else (wanted(effect),)
        rows.append([effect, "false" if effect in QUIET else "found"]
                    + [rate(sum(v(r) in right for r in group), len(group)) for v in
                       (lambda r: r["verdict"], lambda r: r["peer"]["apart"],
                        lambda r: r["peer"]["welch"])])
    table(["true change", "rate of", "pawl", "mean ± sd apart", "Welch p < .05"], rows)
    spent = [r["peer"]["elapsed_s"] for r in results]
    print(f"a hyperfine comparison of two programs: median {quantile(spent, .5):.1f} s, "
          f"most {max(spent):.1f} s\n")


def show(results):
    for part in (show_work, show_verdicts, show_programs, show_estimates, show_time, show_peer):
        part(results)
