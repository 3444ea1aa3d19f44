"""metrics.py FILE: whether who reads metrics takes them; what is wrong on stdout.

By promtool where it is installed, and by prometheus_client (python3-prometheus-client, 0.2 MB; promtool
comes with 100): OpenMetrics where the file ends in "# EOF", else Prometheus' own text.  Status 77: neither
is here.
"""
import shutil
import subprocess
import sys


def is_open(text):
    return text.endswith("# EOF\n")


def by_promtool(text):
    # It knows the older text alone, where a counter is told with its _total.
    if is_open(text) and " counter\n" in text:
        return None
    done = subprocess.run(("promtool", "check", "metrics"), input=text, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if done.returncode or (is_open(text) and done.stdout) else None


def by_client(text):
    if is_open(text):
        from prometheus_client.openmetrics import parser
    else:
        from prometheus_client import parser
    seen = set()
    try:
        for family in parser.text_string_to_metric_families(text):
            if not family.documentation or family.type in ("unknown", "untyped"):
                return f"{family.name}: without a type or a help"
            for s in family.samples:
                if (s.name, tuple(sorted(s.labels.items()))) in seen:
                    return f"{s.name} {s.labels}: twice"
                seen.add((s.name, tuple(sorted(s.labels.items()))))
    except ValueError as fault:
        return str(fault)
    return None if seen else "there is no sample"


def main():
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    judges = [by_promtool] if shutil.which("promtool") else []
    try:
        import prometheus_client
        judges += [by_client] if prometheus_client else []
    except ImportError:
        pass
    if not judges:
        print("neither promtool nor python3-prometheus-client is installed")
        return 77
    faults = [fault for fault in (judge(text) for judge in judges) if fault]
    print("\n".join(faults), end="")
    return bool(faults)


sys.exit(main())
