# Each row of faults, 1 to 74, has one test, and what a row points to is there.
. "$(dirname "$0")/../lib.sh"

cat >"$T/look.py" <<'END'
import glob, os, re, sys

faults = []
rows = {}
for path in sorted(glob.glob("tests/faults/[0-9][0-9]-*")):
    rows.setdefault(int(os.path.basename(path)[:2]), []).append(path)
for n in range(1, 75):
    if len(rows.get(n, [])) != 1:
        faults.append("row %d has %d tests" % (n, len(rows.get(n, []))))


def names(path):
    """Patterns of what it asserts."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if path.endswith(".c"):
        return [re.escape(name) for name in re.findall(r"^static void (\w+)\(void \*\*state\)", text, re.M)]
    found = re.findall(r"""^\s*(?:runs\s+\S+|is|like|unlike|check|valid|stop_with|loop)\s+(?:'([^'\n]*)'|"([^"\n]*)")""", text, re.M)
    found += re.findall(r"""(?:runs\s+\S+|is|like|unlike|check|loop)\s+(?:'([^'\n]*)'|"([^"\n]*)")""", text)
    return [re.sub(r"\\\$(\\\{[^}]*\\\}|\w+)", ".+", re.escape(a or b)) for a, b in found]


for path in sum(rows.values(), []):
    with open(path, encoding="utf-8") as f:
        lines = f.read().splitlines()
    see = [line[7:].split(": ", 1) for line in lines if line.startswith("# See: ")]
    if not see and all(line.startswith("#") for line in lines):
        faults.append("%s asserts nothing" % path)
    for test, wanted in see:
        if not os.path.exists(test):
            faults.append("%s: there is no %s" % (path, test))
        elif not any(re.fullmatch(pattern, wanted) for pattern in names(test)):
            faults.append("%s: nothing in %s asserts '%s'" % (path, test, wanted))
print("\n".join(faults))
END
cd "$ROOT" || exit 1
is 'docs/PROMISES.md has each row, in order, with its test and a result' "$(tests/faults/table --check)" ''
is 'every row has a test, and every pointer leads to an assertion' "$(/usr/bin/python3 -IS "$T/look.py")" ''
