"""The repository whose commits differ by a known amount of work, and the programs built from it."""
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = ("alu", "branch", "alloc", "stream", "chase", "sort")
SECTIONS, SECTION = 1100, 250  # of lines.txt; sort.c takes at most 1050 of them

# What a commit changes against the base.  work: thousandths added.
KINDS = {
    "same": {"work": 0},  # the base itself: A/A on identical code
    "layout1": {"work": 0, "before": 1},
    "layout2": {"work": 0, "before": 7},
    "layout3": {"work": 0, "after": 3},
    "layout4": {"work": 0, "before": 4, "after": 9},
    "plus1": {"work": 10},
    "plus2": {"work": 20},
    "plus5": {"work": 50},
    "minus2": {"work": -20},
}


def clean_environment(home):
    """Nothing of the caller's own set-up may leak into what is measured."""
    env = {k: v for k, v in os.environ.items() if not re.match(r"(PAWL|GIT|BENCH)_", k)}
    env.update(HOME=str(home), GIT_CONFIG_NOSYSTEM="1", LC_ALL="C")
    return env


def unused_functions(count, name):
    """Functions that nobody calls; `used` keeps the compiler from leaving them out."""
    line = "\tx = x * 2654435761u + (x >> 7);\n"
    return "".join(
        f"__attribute__((used, noinline)) static unsigned {name}_{i}(unsigned x)\n"
        f"{{\n{line * (1 + i % 3)}\treturn x;\n}}\n"
        for i in range(count))


def write_lines(path):
    """The same lines every time."""
    random_ = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    with open(path, "w", encoding="ascii") as file:
        for _ in range(SECTIONS * SECTION):
            number = random_.randrange(10 ** random_.randrange(2, 8))
            word = "".join(random_.choices(letters, k=random_.randrange(4, 16)))
            file.write(f"{number} {word}\n")


class Arena:
    """repository/ with one branch a kind, each one commit on `base`; built/KIND/ for the peer."""

    def __init__(self, work, root, build):
        self.work, self.root, self.build = Path(work), Path(root), Path(build)
        self.env = clean_environment(work)
        self.repository = self.work / "repository"

    def run(self, *words, cwd=None):
        subprocess.run(words, cwd=cwd or self.repository, env=self.env, check=True,
                       stdout=subprocess.DEVNULL)

    def commit(self, message):
        self.run("git", "add", "-A")
        self.run("git", "commit", "-q", "-m", message)

    def make(self):
        self.repository.mkdir()
        self.run("git", "config", "--global", "user.name", "pawl bench")
        self.run("git", "config", "--global", "user.email", "bench@pawl.invalid")
        self.run("git", "init", "-q", "-b", "base")
        for source in (HERE / "programs").iterdir():
            name = ".pawlconfig" if source.name == "pawlconfig" else source.name
            shutil.copy(source, self.repository / name)
        (self.repository / "include").mkdir()
        for header in (self.root / "include").glob("pawl*.h"):
            shutil.copy(header, self.repository / "include")
        shutil.copy(self.build / "libpawl.a", self.repository)
        (self.repository / ".gitignore").write_text("/build/\n")
        write_lines(self.repository / "lines.txt")
        self.commit("base")
        for kind, change in KINDS.items():
            if kind != "same":
                self.make_branch(kind, change)
        self.run("git", "checkout", "-q", "base")
        for kind in ("base", *KINDS):
            self.build_peer(kind)

    def make_branch(self, kind, change):
        self.run("git", "checkout", "-q", "-b", kind, "base")
        makefile = self.repository / "Makefile"
        text = makefile.read_text()
        makefile.write_text(text.replace("EXTRA = 0\n", f"EXTRA = {change['work']}\n"))
        if "before" in change:
            (self.repository / "layout.h").write_text(unused_functions(change["before"], "front"))
        if "after" in change:
            (self.repository / "last.c").write_text(unused_functions(change["after"], "last"))
        self.commit(kind)

    def revision(self, kind):
        return "base" if kind == "same" else kind

    def built(self, kind):
        return self.work / "built" / kind

    def build_peer(self, kind):
        to = self.built(kind)
        to.mkdir(parents=True)
        archive = subprocess.run(("git", "archive", self.revision(kind)), cwd=self.repository,
                                 env=self.env, check=True, stdout=subprocess.PIPE)
        subprocess.run(("tar", "-x"), cwd=to, input=archive.stdout, check=True)
        self.run("make", "-s", cwd=to)

    def words(self, kind, program):
        """The command line of one program, from any folder."""
        words = [str(self.built(kind) / "build" / program)]
        return words + [str(self.built(kind) / "lines.txt")] if program == "sort" else words

    def fixed(self, program, iterations):
        """The environment in which a program does so many iterations and writes to stdout."""
        if program == "sort":
            return self.env
        return dict(self.env, PAWL_FD="1", PAWL_ASK="run", PAWL_BENCHMARK=program,
                    PAWL_ITERATIONS=str(iterations), PAWL_COUNTERS="0")

    def instructions(self, kind, program):
        """Counted by valgrind: of the benchmark's own function, or of the whole process."""
        words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        if program != "sort":
            words.append("--toggle-collect=run")
        # Where the data decide what a step does, only many steps have the mean.
        env = self.fixed(program, 100 if program in ("alloc", "branch") else 3)
        done = subprocess.run(words + self.words(kind, program), env=env,
                              check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, errors="replace")
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))

    def count_work(self, talk):
        """{(kind, program): head / base of the work}; by instructions where valgrind is there."""
        if not shutil.which("valgrind"):
            talk("no valgrind: the added work is taken from the numbers of steps, not counted")
            return {(k, p): 1 + c["work"] / 1000 for k, c in KINDS.items() for p in PROGRAMS}
        out = {}
        for program in PROGRAMS:
            talk(f"counting the instructions of {program}")
            base = self.instructions("same", program)
            for kind in KINDS:
                count = base if kind == "same" else self.instructions(kind, program)
                out[kind, program] = count / base
        return out
