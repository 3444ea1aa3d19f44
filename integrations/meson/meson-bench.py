#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""meson-bench.py - compares the benchmark()s of a Meson project over two commits, with pawl.

Started by a run_target(), or by hand:  meson-bench.py compare|gate|baseline|list [BUILDDIR]

  compare   PAWL_BASE (HEAD~1, or a range such as main...HEAD) against HEAD, side by side
  gate      the same, and fails when a regression is confirmed
  baseline  measures HEAD and keeps the result in the repository's store
  list      name, tab, command from the top of the work tree, one a line

From the environment: PAWL_BASE, PAWL_FLAGS (options of pawl compare), PAWL_BASELINE_FLAGS (of pawl
collect), PAWL_TOOL (the program), PAWL_PASS (names of variables that the build needs).  What meson knows is read where
`meson introspect` reads it, since starting meson takes half a second.
"""
import ast
import configparser
import json
import os
import shlex
import shutil
import subprocess
import sys

FOLDER = "pawl-build"  # in each tree


class Fault(Exception):
    """What is wrong, what to do about it."""


def run(*words, cwd=None):
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode:
        raise Fault("'%s' failed" % " ".join(words), done.stderr.strip())
    return done.stdout.rstrip("\n")


def below(path, folder):
    """The path from the folder on; None when it lies elsewhere."""
    inside = os.path.relpath(path, folder)
    return None if inside == ".." or inside.startswith("../") else inside


class Project:
    def __init__(self, build):
        self.build = os.path.realpath(build)
        try:
            self.source = os.path.realpath(self.known("meson-info")["directories"]["source"])
        except FileNotFoundError:
            raise Fault("'%s' is no build folder of meson" % build,
                        "name it: meson-bench.py compare BUILDDIR") from None
        try:
            self.top = run("git", "rev-parse", "--show-toplevel", cwd=self.source)
        except Fault:
            raise Fault("'%s' is in no git work tree" % self.source,
                        "there are no commits to compare") from None
        self.prefix = run("git", "rev-parse", "--show-prefix", cwd=self.source)

    def known(self, what):
        with open(os.path.join(self.build, "meson-info", what + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def typed(self):
        """The options and machine files that `meson setup` was given, which both sides get."""
        file = configparser.ConfigParser(delimiters=["="], interpolation=None)
        file.optionxform = str
        file.read(os.path.join(self.build, "meson-private", "cmd_line.txt"), encoding="utf-8")
        options = dict(file["options"]) if file.has_section("options") else {}
        words = ["-D%s=%s" % pair for pair in sorted(options.items())]
        for kind in ("cross_file", "native_file"):
            names = file.get("properties", kind, fallback="[]")
            for name in ast.literal_eval(names) if names.startswith("[") else [names]:
                inside = below(name, self.source) if os.path.isabs(name) else None
                name = name if inside is None else self.prefix + inside
                words.append("--%s=%s" % (kind.replace("_", "-"), name))
        if "buildtype" not in options and "optimization" not in options:
            now = {o["name"]: o["value"] for o in self.known("intro-buildoptions")}
            if now["optimization"] in ("0", "g", "plain"):
                words += ["-Dbuildtype=release", "-Ddebug=true"]
        return words

    def place(self, word, folder):
        """A word of a command as it is from the top of a tree."""
        if not os.path.isabs(word):
            return word
        path = os.path.join(os.path.realpath(os.path.dirname(word)), os.path.basename(word))
        inside = below(path, self.build)
        if inside is not None:
            return os.path.join(folder, inside)
        inside = below(path, self.source)
        return word if inside is None else self.prefix + inside

    def benchmarks(self, folder):
        found = {}
        for b in self.known("intro-benchmarks"):
            if b["name"] in found:
                raise Fault("two benchmarks are named '%s'" % b["name"], "name them apart")
            if b.get("workdir") or b.get("env"):
                print("pawl: '%s' runs without its workdir and env here" % b["name"],
                      file=sys.stderr)
            found[b["name"]] = [self.place(word, folder) for word in b["cmd"]]
        if not found:
            raise Fault("the project has no benchmark()", "see the how-to of pawl for meson")
        return found

    def is_built(self):
        """Whether ninja finds all programs of the benchmarks up to date; a run_target() builds none."""
        ninja = shutil.which("ninja")
        programs = [below(b["cmd"][0], self.build) for b in self.known("intro-benchmarks")]
        if not ninja or None in programs:
            return False
        asked = subprocess.run([ninja, "-C", self.build, "-n", *programs], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, universal_newlines=True)
        return not asked.returncode and "no work to do" in asked.stdout

    def build_command(self, found):
        folder = self.prefix + FOLDER
        setup = ["meson", "setup", folder, "./" + self.prefix, *self.typed()]
        # Variables that pawl does not hand on to builds.
        names = ["AR", "PKG_CONFIG", "PKG_CONFIG_LIBDIR", "PKG_CONFIG_SYSROOT_DIR",
                 *os.environ.get("PAWL_PASS", "").split()]
        passed = "".join("%s=%s " % (name, shlex.quote(os.environ[name]))
                         for name in names if name in os.environ)
        command = "%s%s && meson compile -C %s" % (passed, words_line(setup),
                                                   shlex.quote(folder))
        # Not everything is built unless it is asked for.
        asked = []
        for target in self.known("intro-targets"):
            files = [self.place(name, folder) for name in target["filename"]]
            if not target["build_by_default"] and any(c[0] in files for c in found.values()):
                asked.append(target["name"])
        return command + "".join(" && meson compile -C %s %s" % (shlex.quote(folder),
                                                               shlex.quote(a)) for a in asked)


def words_line(words):
    return " ".join(shlex.quote(word) for word in words)


def is_configured(top):
    words = ["git", "config", "--file", os.path.join(top, ".pawlconfig"), "--get-regexp",
             "^benchmark[.].*[.]command$"]
    return not subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def hand_over(found):
    """As `git -c benchmark.NAME.command=...` would, after what the caller has there."""
    n = int(os.environ.get("GIT_CONFIG_COUNT") or 0)
    for name, words in found.items():
        os.environ["GIT_CONFIG_KEY_%d" % n] = "benchmark.%s.command" % name
        os.environ["GIT_CONFIG_VALUE_%d" % n] = words_line(words)
        n += 1
    os.environ["GIT_CONFIG_COUNT"] = str(n)


def base_commit(flags):
    base = os.environ.get("PAWL_BASE") or ("HEAD" if "--working-tree" in flags else "HEAD~1")
    if base.startswith("-"):
        raise Fault("PAWL_BASE is '%s', which is no commit" % base,
                    "name a commit or a range such as main...HEAD")
    return base


def measure(what, project, tool):
    flags = shlex.split(os.environ.get("PAWL_FLAGS", ""))
    baseline = what == "baseline"
    words = [tool, "collect" if baseline else "compare"]
    if is_configured(project.top):
        print("pawl: the benchmarks are those of .pawlconfig", file=sys.stderr)
    elif baseline:
        inside = below(project.build, project.source)
        hand_over(project.benchmarks(project.build if inside is None
                                     else project.prefix + inside))
        words.append("--built" if project.is_built() else "--no-build")
    else:
        found = project.benchmarks(project.prefix + FOLDER)
        if not os.environ.get("PAWL_BUILD"):
            words += ["--build", project.build_command(found)]
        hand_over(found)
    if baseline:
        words += shlex.split(os.environ.get("PAWL_BASELINE_FLAGS", ""))
    else:
        words += [*flags, base_commit(flags)]
        if "--working-tree" not in flags and run("git", "status", "--porcelain",
                                                 "--untracked-files=no", cwd=project.top):
            print("pawl: uncommitted changes are left out; with them: "
                  "PAWL_FLAGS=--working-tree", file=sys.stderr)
    sys.stdout.flush()
    return subprocess.run(words, cwd=project.top).returncode


def main():
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what not in ("compare", "gate", "baseline", "list") or len(sys.argv) > 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    # Where git is told its folders, as in a hook, they are not this folder's.
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_INDEX_FILE", "MAKEFLAGS"):
        os.environ.pop(name, None)
    project = Project(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("MESON_BUILD_ROOT", "."))
    if what == "list":
        for name, words in project.benchmarks(project.prefix + FOLDER).items():
            print("%s\t%s" % (name, words_line(words)))
        return 0
    tool = shutil.which(os.environ.get("PAWL_TOOL") or "pawl")
    if not tool:
        raise Fault("the program 'pawl' is not installed",
                    "install it, or name it with PAWL_TOOL=PATH")
    status = measure(what, project, tool)
    # Only the gate fails for a verdict; what could not be judged always does.
    if status in (1, 3) and what != "gate":
        return 0
    if status in (2, 4, 5):
        print("pawl: nothing was judged (status %d)" % status, file=sys.stderr)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print("pawl: error: %s\nhint: %s" % fault.args, file=sys.stderr)
        sys.exit(5)
    except KeyboardInterrupt:
        sys.exit(130)
