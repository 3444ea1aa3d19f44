"""The programs that measure: builds the others', runs each and reads what it tells."""
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
TIMEOUT_S = 120


class Skipped(Exception):
    """Cannot be had here; the text says why."""


class Told:
    """Of one run of a harness: {row: {"empty": ns, "imul": ns}}, {row: ns} of what is compared
    under a neighbour, and what the process took."""

    def __init__(self, times, contended, done):
        self.times, self.contended = times, contended
        self.wall_ms, self.cpu_ms = done.wall_ms, done.cpu_ms


class Done:
    def __init__(self, stdout, stderr, status, wall_ms, cpu_ms):
        self.stdout, self.stderr, self.status = stdout, stderr, status
        self.wall_ms, self.cpu_ms = wall_ms, cpu_ms


class Tool:
    def __init__(self, run, contended=True):
        self.run, self.contended = run, contended


def lines(text):
    return {name: float(value) for name, value in (s.split("\t") for s in text.splitlines())}


class Programs:
    def __init__(self):
        self.build = Path(os.environ.get("BUILD", "build/release"))
        self.build = (self.build if self.build.is_absolute() else ROOT / self.build)
        self.folder = self.build / "bench" / "harness"
        self.pin = self.processor()
        self.skipped, self.built, self.tools = [], [], []
        self.scratch = Path(tempfile.mkdtemp(prefix="pawl-bench."))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("PAWL_")}
        self.env.update(LC_ALL="C", HOME=str(self.scratch))

    def __enter__(self):
        try:
            self.find_all()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.scratch, ignore_errors=True)

    @staticmethod
    def processor():
        allowed = sorted(os.sched_getaffinity(0))
        pin = os.environ.get("PIN", str(allowed[-1]))
        if not pin.isdigit() or int(pin) not in allowed:
            raise Skipped(f"PIN is '{pin}', not one of the processors {allowed}")
        return int(pin)

    # ---- running -----------------------------------------------------------------------

    def command(self, name, *words):
        return [str(self.folder / name), *words]

    def run(self, command, good=(0,), **more):
        """One child, alone on its processor."""
        env = {**self.env, **more.pop("env", {})}
        with tempfile.TemporaryFile(dir=self.scratch) as out, \
                tempfile.TemporaryFile(dir=self.scratch) as err:
            begin = time.monotonic()
            child = subprocess.Popen(["timeout", "-k", "1", str(TIMEOUT_S), "taskset", "-c",
                                      str(self.pin), *command], stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=err, env=env, **more)
            try:
                _, status, usage = os.wait4(child.pid, 0)
            except BaseException:
                child.terminate()
                raise
            child.returncode = os.waitstatus_to_exitcode(status)
            wall = time.monotonic() - begin
            out.seek(0), err.seek(0)
            done = Done(out.read().decode(), err.read().decode(), child.returncode,
                        wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3)
        if done.status not in good:
            raise Skipped(f"{Path(command[0]).name} ended with {done.status}: {done.stderr}")
        return done

    def start_hog(self):
        return subprocess.Popen(["taskset", "-c", str(self.pin), *self.command("hog")],
                                stdin=subprocess.DEVNULL)

    def reference(self, loops):
        return lines(self.run(self.command("reference", loops)).stdout)

    # ---- what there is -----------------------------------------------------------------

    def find_all(self):
        for name in ("reference", "peer_pawl", "peer_cpuid", "pair", "hog"):
            if not (self.folder / name).exists():
                raise Skipped(f"'{self.folder / name}' is not there: make bench-harness")
        self.tools = [Tool(self.pawl_batches), Tool(self.pawl_gmpbench)]
        cc, cxx = os.environ.get("CC", "cc"), os.environ.get("CXX", "c++")
        wanted = (("peer_google", "google-benchmark", cxx, ".cc", ["-lbenchmark", "-lpthread"],
                   None, self.google, True),
                  ("peer_nanobench", "nanobench", cxx, ".cc", [], "NANOBENCH", self.nanobench,
                   True),
                  ("peer_ubench", "ubench.h", cc, ".c", ["-lm"], "UBENCH", self.ubench, False))
        for name, say, compiler, suffix, libraries, variable, run, contended in wanted:
            if self.compile(name, say, compiler, suffix, libraries, variable):
                self.tools.append(Tool(run, contended))
        if self.run(self.command("peer_cpuid"), good=(0, 77)).status == 0:
            self.tools.append(Tool(self.cpuid, False))
        else:
            self.skipped.append("the CPUID macro: this processor cannot")

    def compile(self, name, say, compiler, suffix, libraries, variable):
        where = os.environ.get(variable, "") if variable else ""
        if variable and not where:
            self.skipped.append(f"{say}: {variable}=DIR does not say where its header is")
            return False
        program = shlex.split(compiler)
        if not shutil.which(program[0]):
            self.skipped.append(f"{say}: error: '{program[0]}' is not installed")
            return False
        op = self.build / "obj/tests/bench/harness/op.o"
        done = subprocess.run([*program, "-O2", f"-I{ROOT}",
                               *([f"-isystem{where}"] if where else []), "-o",
                               str(self.folder / name), str(HERE / (name + suffix)), str(op),
                               *libraries], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=300, check=False)
        if done.returncode:
            told = done.stdout.strip().splitlines() or ["the compiler failed"]
            why = [line for line in told if "error" in line or "undefined" in line] or told
            self.skipped.append(f"{say}: {why[0].strip()}")
            return False
        self.built.append(name)
        return True

    # ---- one harness each --------------------------------------------------------------

    def pawl(self, *words):
        done = self.run(self.command("peer_pawl", "--json", "--no-counters", *words))
        return {b["name"]: b for b in json.loads(done.stdout)["benchmarks"]}, done

    @staticmethod
    def field(results, name):
        return {k: b[name] for k, b in results.items()}

    def pawl_batches(self):
        """40 ms at most for a benchmark, so that with the start it is less than 60."""
        b, done = self.pawl("--strategy", "batches", "--min-time", "40ms")
        clean = b["imul"]["estimate_ns"] if b["imul"]["clean"]["n"] else None
        return Told({"pawl --strategy batches": self.field(b, "estimate_ns"),
                     "  less the empty loop": self.field(b, "net_ns")},
                    {"pawl --strategy batches": clean}, done)

    def pawl_gmpbench(self):
        b, done = self.pawl()
        return Told({"pawl, 250 ms (default)": self.field(b, "estimate_ns")},
                    {"pawl, 250 ms: plain mean": b["imul"]["mean_ns"],
                     "pawl, 250 ms: clean estimate": b["imul"]["clean"]["median_ns"]}, done)

    def google(self):
        done = self.run(self.command("peer_google", "--benchmark_format=json",
                                     "--benchmark_min_time=0.1"))
        b = {r["name"]: r for r in json.loads(done.stdout)["benchmarks"]}
        return Told({"google-benchmark (0.1 s)": self.field(b, "real_time"),
                     "  its CPU time": self.field(b, "cpu_time")},
                    {"google-benchmark: real time": b["imul"]["real_time"],
                     "google-benchmark: CPU time": b["imul"]["cpu_time"]}, done)

    def nanobench(self):
        done = self.run(self.command("peer_nanobench"))
        times = lines(done.stdout)
        return Told({"nanobench": times}, {"nanobench": times["imul"]}, done)

    def ubench(self):
        out = self.scratch / "ubench.csv"
        # 1: its own verdict on the confidence interval.
        done = self.run(self.command("peer_ubench", f"--output={out}"), good=(0, 1))
        rows = [line.split(",") for line in out.read_text().splitlines()[1:] if "," in line]
        return Told({"ubench.h": {r[0].split(".")[1]: float(r[1]) for r in rows}}, {}, done)

    def cpuid(self):
        done = self.run(self.command("peer_cpuid"))
        return Told({"CPUID macro": lines(done.stdout)}, {}, done)
