"""A PostgreSQL of a siege's own: in its folder, on a unix socket alone, not as root; it can be killed."""
import glob
import os
import pwd
import signal
import subprocess
import sys
import time

SKIPPED = 77


def folder_of_programs():
    for folder in sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True) + os.environ["PATH"].split(":"):
        if all(os.access(os.path.join(folder, name), os.X_OK) for name in ("initdb", "postgres", "psql")):
            return folder
    print("skipped: PostgreSQL is not installed")
    sys.exit(SKIPPED)


class Postgres:
    def __init__(self, folder):
        self.bin = folder_of_programs()
        self.folder = os.path.join(folder, "pg")
        self.data = os.path.join(self.folder, "data")
        self.store = "postgresql://pawl@/postgres?host=" + self.folder
        self.user = None
        self.process = None
        os.mkdir(self.folder)
        if os.getuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            os.chmod(folder, 0o711)
            os.chown(self.folder, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
        made = self.run("initdb", "-D", self.data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "pawl")
        if made.returncode:
            sys.exit("initdb: " + made.stdout)
        self.start()

    def as_user(self):
        """What makes a process of that user of the one that is started."""
        if not self.user:
            return {}
        return {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}

    def run(self, name, *arguments):
        return subprocess.run([os.path.join(self.bin, name), *arguments], stdin=subprocess.DEVNULL, cwd="/",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              **self.as_user())

    def ask(self, query):
        got = self.run("psql", "-At", self.store, "-c", query)
        return got.stdout.split("\n")[:-1] if not got.returncode else None

    def start(self):
        """Returns when it answers; what a killed one left may make the first attempts end."""
        with open(os.path.join(self.folder, "log"), "ab") as log:
            while not self.process or self.ask("SELECT 1") is None:
                if not self.process or self.process.poll() is not None:
                    self.process = subprocess.Popen(
                        [os.path.join(self.bin, "postgres"), "-D", self.data, "-c", "listen_addresses=",
                         "-c", "unix_socket_directories=" + self.folder, "-c", "shared_buffers=16MB"],
                        stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", **self.as_user())
                time.sleep(0.05)

    def children(self):
        with open("/proc/%d/task/%d/children" % (self.process.pid, self.process.pid), encoding="ascii") as f:
            return [int(pid) for pid in f.read().split()]

    def kill(self):
        """All of it at once."""
        children = self.children()
        self.process.kill()
        for pid in children:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None

    def kill_writer(self):
        """The process that writes for pawld: then PostgreSQL ends all others, and goes through its log."""
        found = self.ask("SELECT pid FROM pg_stat_activity WHERE application_name='pawld' AND ("
                         "query LIKE 'INSERT%' OR query LIKE 'COMMIT%') ORDER BY state_change DESC LIMIT 1")
        if found and int(found[0]) in self.children():
            os.kill(int(found[0]), signal.SIGKILL)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
