"""The commands of the loops, and the state that each of their steps finds."""
import glob
import os
import shutil
import sqlite3
import subprocess

CANARY = "canary" + "-token-7f3a"
STATE = ".git/pawl"
HANGS_S = 1200  # of the wall clock: other tests may hold the machine for minutes
MARK = "PAWL_TEST_MARK=%d" % os.getpid()
ENV = dict(os.environ, PAWL_TOKEN=CANARY, PAWL_TEST_MARK=str(os.getpid()))
BUILT = ["trees/*/built", "trees/*/files", "trees/*/outside", "trees/*/facts", "compilers", "compilers.sums"]
LINKED = ["trees/*/links/*", "trees/*/links/*/*", "trees/*/layouts/*/*", "trees/*/layouts/*/libraries/*", "trees/*/seen",
          "trees/cc-*/*"]


class Command:
    """words; is the answer always the same; does it write; what its standard input is; what ran before each step;
    which files damage meets; which line of the answer is the answer, where not all of it is; a file of the work tree
    to which it adds."""

    def __init__(self, words, same=False, writes=False, stdin="", after=(), spoils=("results.db",), line=None,
                 program="pawl", adds=None, grows=None):
        self.words, self.same, self.writes, self.stdin, self.after = words, same, writes, stdin, after
        self.spoils, self.line, self.program, self.adds, self.grows = spoils, line, program, adds, grows


def git(*words):
    return subprocess.run(["git", *words], stdout=subprocess.PIPE, check=True).stdout.decode().strip()


HEAD, BASE = git("rev-parse", "HEAD"), git("rev-parse", "HEAD~1")
PUSHED = "refs/heads/main %s refs/heads/main %s\n" % (HEAD, BASE)
NEW = "refs/heads/new %s refs/heads/new %s\n" % (HEAD, "0" * len(HEAD))
COMPARE = ["compare", "--pairs", "6", "--min-time", "1ms", "--seed", "1"]
BISECT = ["bisect", "HEAD~3", "HEAD", "-b", "v/v", "--min-time", "1ms"]
LAYOUTS = ["compare", "--json", "--layouts", "12", "--pairs", "12", "--min-time", "1ms", "HEAD~1..HEAD"]
VALUES = ["compare", "--reuse", "--min-time", "1ms", "HEAD~1..HEAD"]
RICH = ["compare", "base..HEAD"]
SIDES = ["bisect", "before", "HEAD", "-b", "v/v"]
COMMANDS = {
    "report": Command(["report", "--project", "proj"], True),
    "json": Command(["report", "--project", "proj", "--json"], True),
    "history": Command(["history", "--project", "proj", "--machine", "0123456789abcdef"], True),
    "fsck": Command(["fsck"], True),
    "repair": Command(["fsck", "--repair"], writes=True),
    "export": Command(["export", "--project", "proj", "--format", "lnt"], True),
    "push": Command(["push", "--all", "--require-push"], writes=True),
    "compare": Command(COMPARE, writes=True),
    "collect": Command(["collect", "--no-push", "--runs", "2..2", "--min-time", "1ms", "--", "true"], writes=True, adds=1),
    # What is compared is in the repository already, and decided or not, the push goes on.
    "hook": Command(["hook", "run", "pre-push", "origin", "nowhere"], writes=True, stdin=PUSHED, after=(COMPARE,)),
    # A branch that the remote does not have: what it goes on from is looked for.
    "hook-new": Command(["hook", "run", "pre-push", "origin", "nowhere"], writes=True, stdin=NEW, after=(COMPARE,)),
    "git-push": Command(["push", "-q", "--dry-run", "origin", "HEAD:refs/heads/main"], writes=True, program="git"),
    "bisect": Command(["bisect", "HEAD~1", "HEAD", "-b", "t", "--quick", "--min-time", "1ms"], writes=True),
    # Of benchmarks whose values are known.
    "receipt": Command(VALUES, after=(VALUES,), spoils=["receipts/*"], line=r"^\S v/v .*"),
    "built": Command(VALUES[:1] + VALUES[2:], after=(VALUES,), spoils=BUILT, line=r"^\S v/v .*"),
    # Each value: one layout of twelve that prints another is none of the median's.
    "linked": Command(LAYOUTS, after=(LAYOUTS,), spoils=LINKED, line=r'^ +"(?:baseline_)?samples": \[[12]00, .*'),
    "kept": Command(["report", "HEAD~1..HEAD"], True, after=(VALUES,), spoils=["comparisons/*"]),
    "bisected": Command(BISECT, after=(BISECT,), spoils=["bisect/*"], line=r"^commit .*|^v/v went .*"),
    "cached": Command(["collect", "--no-push", "--no-build", "--runs", "12..12", "--min-time", "1ms"],
                      after=("cached",), spoils=["cache/*/*"], line=r"^\S v/v .*"),
}
# In the repository of rich_lib.
COMMANDS.update({
    "accepted": Command(["accept", "--list"], True),
    "init": Command(["init", "--dry-run"], True),
    "hooks": Command(["hook", "status"], True),
    "accept": Command(["accept", "HEAD", "-b", "v/v", "--change", "any", "--because", "why"], after=(RICH,),
                      writes=True, grows=".pawlaccepted"),
    "sides": Command(SIDES, after=(SIDES,), writes=True, line=r"^commit .*|^v/v went .*"),
    "again": Command([*RICH, "--reuse"], after=(RICH,), writes=True, line=r"^\S v/v .*"),
    "alike": Command(["compare", "HEAD~1..HEAD"], writes=True, line=r"^\S v .*"),
    "working": Command(["compare", "--working-tree"], after=(RICH,), writes=True, line=r"^\S v/v .*"),
    "rich": Command(RICH, writes=True, line=r"^\S v/v .*"),
    "steps": Command(["history", "list", "--project", "proj", "--machine", "0123456789abcdef", "--json"], True,
                     writes=True),
})
FOREIGN = os.environ.get("FOREIGN", "")
IMPORTS = ["import-" + os.path.basename(path) for path in sorted(glob.glob(FOREIGN + "/*.*"))
           if not path.endswith(".md")]
for name in IMPORTS:
    COMMANDS[name] = Command(["import", "--no-push", "--project", "proj", FOREIGN + "/" + name[len("import-"):]],
                             writes=True, adds=1)
COMMANDS["import"] = Command(["import", "--no-push", "--project", "proj", FOREIGN + "/google-single.json"],
                             writes=True, adds=1)


def run(words, before=(), more=None, stdin="", program="pawl"):
    try:
        done = subprocess.run([*before, program, *words], env={**ENV, **(more or {})}, input=stdin.encode(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=HANGS_S, check=False)
    except subprocess.TimeoutExpired:
        return -999, b"", b"it hangs"
    return done.returncode, done.stdout, done.stderr


def copy(source, to):
    if os.path.exists(to):
        shutil.rmtree(to)
    shutil.copytree(source, to, symlinks=True)


class States:
    """What .git/pawl is before a step of each command."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.plain = os.path.join(scratch, "saved")
        copy(STATE, self.plain)

    def collected(self):
        """HEAD's parent is collected, and its programs are in the cache."""
        head = git("rev-parse", "HEAD")
        for rev in ("HEAD~1", head):
            git("checkout", "-q", rev)
            subprocess.run(["sh", "-c", git("config", "-f", ".pawlconfig", "pawl.build")], check=True)
            if rev != head:
                run(COMMANDS["cached"].words)

    def make(self, name):
        """Once for a command: what ran before."""
        copy(self.plain, STATE)
        for words in COMMANDS[name].after:
            if words == "cached":
                self.collected()
            else:
                run(words)
        copy(STATE, os.path.join(self.scratch, name))

    def restore(self, name):
        copy(os.path.join(self.scratch, name), STATE)
        if COMMANDS[name].grows:
            git("checkout", "-q", "HEAD", "--", COMMANDS[name].grows)
        if name == "repair":  # it has something to do
            db = sqlite3.connect(STATE + "/results.db")
            packed = db.execute("SELECT packed FROM result WHERE seq=1").fetchone()[0]
            db.execute("UPDATE result SET packed=? WHERE seq=1", (packed[:-1] + bytes([packed[-1] ^ 1]),))
            db.commit()
            db.close()

    def end(self):
        copy(self.plain, STATE)
