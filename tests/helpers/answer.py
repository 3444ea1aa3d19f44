#!/usr/bin/python3
"""Answers what a script of tests/cli asks about documents (lib.sh: json, valid; ci.sh): a script of a
hundred questions starts one interpreter, not a hundred.

    answer.py PID    in the folder with the pipes .ask and .answer; ends with that process

A question is three texts, each ended by a byte 0: the folder in which it is asked, a file, and a
python expression with d = the document, or "schema:" and the file of a JSON Schema, or the name of a
helper, ":", and an expression with its functions and d = the file's text.  An answer is a line with an
exit status and the number of lines that follow.
"""
import contextlib
import functools
import io
import json
import os
import select
import sys
import traceback


@functools.cache
def validator(schema_file):
    sys.path.append("/usr/lib/python3/dist-packages")
    import jsonschema

    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(document, schema_file):
    for fault in validator(schema_file).iter_errors(document):
        yield f"{'/'.join(map(str, fault.absolute_path))}: {fault.message}"


def not_json(word):
    raise ValueError(f"not JSON: {word}")


@functools.cache
def functions(helper):
    import runpy

    return runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), helper))


def answer(name, expression):
    helper, _, question = expression.partition(":")
    if helper.endswith(".py"):
        with open(name, encoding="utf-8", errors="replace") as file:
            told = eval(question, {**functions(helper), "d": file.read()})
        print(told, end="\n" if told != "" else "")
        return 0
    if helper != "schema":
        with open(name, encoding="utf-8") as file:
            d = json.load(file)
        print(eval(expression, {"d": d, "json": json, "sys": sys}))
        return 0
    with open(name, encoding="utf-8") as file:
        document = json.load(file, parse_constant=not_json)
    bad = list(faults(document, question))
    print("\n".join(f"{name}: {fault}" for fault in bad), end="\n" if bad else "")
    return 1 if bad else 0


def asked(folder, name, expression):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        try:
            os.chdir(folder)
            status = answer(name, expression)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:
            print("".join(traceback.format_exception_only(*sys.exc_info()[:2])), end="")
            status = 2
        finally:
            os.chdir("/")
    lines = told.getvalue().split("\n")
    if lines[-1] == "":
        lines.pop()
    return f"{status} {len(lines)}\n" + "".join(line + "\n" for line in lines)


def main():
    owner = int(sys.argv[1])
    # Both ways: nobody waits for the other end, and what is written stays until it is read.
    ask = os.open(".ask", os.O_RDWR)
    to = os.open(".answer", os.O_RDWR)
    os.chdir("/")
    waiting = b""
    while True:
        while waiting.count(b"\0") < 3:
            if select.select([ask], [], [], 2)[0]:
                waiting += os.read(ask, 65536)
            else:
                os.kill(owner, 0)
        *question, waiting = waiting.split(b"\0", 3)
        text = asked(*(part.decode() for part in question)).encode()
        while text:
            text = text[os.write(to, text) :]


with contextlib.suppress(ProcessLookupError):
    main()
