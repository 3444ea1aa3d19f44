"""Looks at the loops of disassembled functions (objdump -d); for answer.py."""
import re


def in_loop(disassembly, pattern, names):
    """Those of the functions in which an instruction that matches is in a loop, that is between a jump
    backwards and its target."""
    functions = {}
    for line in disassembly.split("\n"):
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        step = re.match(r" *([0-9a-f]+):\t(.*)", line)
        if head:
            code = functions.setdefault(head.group(1), [])
        elif step:
            code.append((int(step.group(1), 16), step.group(2)))
    hits = []
    for name in names.split():
        loops = []
        for at, text in functions[name]:
            jump = re.match(r"j\w+ +([0-9a-f]+) <", text)
            if jump and int(jump.group(1), 16) <= at:
                loops.append((int(jump.group(1), 16), at))
        if any(
            re.search(pattern, text) and any(low <= at <= high for low, high in loops)
            for at, text in functions[name]
        ):
            hits.append(name)
    return " ".join(hits)
