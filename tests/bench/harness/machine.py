"""What is to be known of the machine a figure comes from; its name is not."""
import os
import platform
import re
import subprocess
import time
from pathlib import Path


def first(command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              timeout=30, check=False)
    except OSError:
        return None
    return done.stdout.splitlines()[0].strip() if done.stdout else None


def of_file(path, pattern):
    try:
        found = re.search(pattern, Path(path).read_text(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def version_of_nanobench():
    header = Path(os.environ.get("NANOBENCH", "/nonexistent")) / "nanobench.h"
    parts = [of_file(header, rf"define ANKERL_NANOBENCH_VERSION_{part} (\d+)")
             for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(parts) if all(parts) else None


def facts(programs):
    """[(what, value)], without what cannot be found out."""
    known = [
        ("date", time.strftime("%Y-%m-%d")),
        ("processor", of_file("/proc/cpuinfo", r"^model name\s*:\s*(.*)$") or platform.machine()),
        ("processors", f"{os.cpu_count()}, all of it pinned to one"),
        ("virtual machine", "yes" if of_file("/proc/cpuinfo", r"^flags\s*:.*\b(hypervisor)\b")
         else None),
        ("kernel", f"{platform.system()} {platform.release()}"),
        ("clock source",
         of_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", r"(.*)")),
        ("hardware counters", "yes" if Path("/sys/bus/event_source/devices/cpu").exists()
         else "none"),
        ("compiler", first([os.environ.get("CC", "cc"), "--version"])),
        ("google-benchmark", first(["pkg-config", "--modversion", "benchmark"])
         if "peer_google" in programs.built else None),
        ("nanobench", version_of_nanobench() if "peer_nanobench" in programs.built else None),
    ]
    return [(name, value) for name, value in known if value]
