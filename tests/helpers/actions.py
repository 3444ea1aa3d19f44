"""What a runner of GitHub Actions makes of the text of a file; for answer.py."""
import re


def given(text, name):
    """What a step gave to later ones under that name."""
    lines = text.split("\n")
    i, found = 0, {}
    while i < len(lines) and lines[i]:
        key, _, mark = lines[i].partition("<<")
        end = lines.index(mark, i + 1)
        found[key] = "\n".join(lines[i + 1 : end])
        i = end + 1
    return found.get(name, "")


def commands(text):
    """The lines of a log that it obeys, and the last one whether it still listens."""
    obeyed, stopped = [], None
    for line in text.split("\n"):
        m = re.match(r"\s*::([a-zA-Z][\w-]*)(?:\s[^\n]*?)?::(.*)", line)
        if stopped:
            if line.strip() == f"::{stopped}::":
                stopped = None
        elif m and m.group(1) == "stop-commands":
            stopped = m.group(2)
        elif m or line.startswith("##["):
            obeyed.append(line)
    return "\n".join(obeyed + ["never resumed"] * bool(stopped))
