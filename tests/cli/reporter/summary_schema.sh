#!/bin/sh
# docs/schema/summary-v1.json: sound itself, accepts its own example, refuses what is wrong.
. "$(dirname "$0")/../../lib.sh"

schema=$ROOT/docs/schema/summary-v1.json

# good NAME STATEMENT; bad NAME STATEMENT: the schema's example, after a python statement on the document d, its
# first benchmark b and that one's first metric m, is accepted or refused
: >"$T/cases"
good() {
	printf 'accepts %s\t%s\n' "$1" "$2" >>"$T/cases"
}
bad() {
	printf 'refuses %s\t%s\n' "$1" "$2" >>"$T/cases"
}

check 'the schema itself is sound' /usr/bin/python3 "$ROOT/tests/validate.py" "$schema"

good 'its own example' 'pass'
good 'a field of a later version' 'd["colour"] = "red"; m["delta"]["why"] = {}'
good 'optional texts that are left out' 'del d["commit"]["branch"], d["machine"]["cpu"], b["gate_why"]'
good 'optional texts that are null' 'd["commit"]["id"] = d["machine"]["os"] = d["pawl"] = None'
good 'a detached head of a SHA-256 repository' 'd["commit"].update(branch=None, id="a" * 64)'
good 'a root commit' 'd["commit"]["parents"] = []; d["baseline"] = {"commit": None, "why": "the first commit"}'
good 'an interval without bound' 'm["delta"]["ci"] = [None, 1.2]'
good 'a metric that is not judged' 'm["delta"]["verdict"] = None; b["verdict"] = None'
good 'a metric that was not compared' 'm["delta"] = None'
good 'the greatest seed' 'd["settings"]["seed"] = 2 ** 63 - 1'
good 'what the commit accepts' 'd["accepted"] = [{"commit": "a" * 40, "benchmark": "x/*", "change": 0.06, "because": "why"}, {"commit": "a" * 40, "benchmark": "y", "change": None}]'
good 'no benchmarks' 'd["benchmarks"] = []'
good 'a time with an offset and a fraction' 'd["started"] = "2026-11-20T10:00:00.123+01:00"'

good 'a comparison without its extra fields' 'for k in ("looks", "output", "work", "calibration", "accepted"): del b[k]'
good 'extra fields that are null' 'b.update(looks=None, output=None, work=None, calibration=None, accepted=None)'
good 'a budget and an A/A comparison' 'd["settings"].update(budget_ns=60000000000, measured_identical=True)'
good 'a side that does not build' 'd["unbuilt"] = {"base": "a" * 40, "head": None}'
good 'work that could not be counted' 'b["work"] = {"head": None, "base": None, "how": None, "reason": "valgrind is not installed"}'

for field in schema id project commit machine environment settings benchmarks started finished; do
	bad "a document without $field" "del d['$field']"
done
bad 'an accepted change of no commit' 'd["accepted"] = [{"benchmark": "x"}]'
bad 'an accepted change below 0' 'd["accepted"] = [{"commit": "a" * 40, "benchmark": "x", "change": -0.06}]'
bad 'another version' 'd["schema"] = "pawl.summary/2"'
bad 'an id that is no ULID' 'd["id"] = "8" + "0" * 25'
bad 'an id with a letter that the alphabet leaves out' 'd["id"] = "0" * 25 + "U"'
bad 'an empty project' 'd["project"] = ""'
bad 'a project of 256 bytes' 'd["project"] = "x" * 256'
bad 'a commit id of 39 digits' 'd["commit"]["id"] = "a" * 39'
bad 'a commit id in upper case' 'd["commit"]["id"] = "A" * 40'
bad 'a parent that is null' 'd["commit"]["parents"] = [None]'
bad 'a time without a zone' 'd["started"] = "2026-11-20T10:00:00"'
bad 'a time of month 13' 'd["finished"] = "2026-13-20T10:00:00Z"'
bad 'a time as a number' 'd["started"] = 1795168800'
bad 'dirty as a word' 'd["commit"]["dirty"] = "no"'
bad 'a text with an escape character' 'd["commit"]["subject"] = "\033[2J"'
bad 'a text of 4097 bytes' 'd["commit"]["subject"] = "x" * 4097'
bad 'a fact that is a number' 'd["machine"]["facts"]["smt"] = 1'
bad 'a steal above one' 'd["environment"]["steal"] = 1.5'
bad 'runs that are not a pair' 'd["settings"]["runs"] = [20]'
bad 'a confidence of one' 'd["settings"]["confidence"] = 1'
bad 'a threshold as text' 'd["settings"]["threshold"] = "2%"'
bad 'a negative seed' 'd["settings"]["seed"] = -1'
bad 'an unknown origin of the baseline' 'd["baseline"]["how"] = "guessed"'
bad 'benchmarks as an object' 'd["benchmarks"] = {}'
bad 'a benchmark without a name' 'del b["name"]'
bad 'an unknown status' 'b["status"] = "great"'
bad 'an unknown verdict' 'm["delta"]["verdict"] = "slower"'
bad 'an empty verdict' 'b["verdict"] = ""'
bad 'a binary id that is no digest' 'b["binary_id"] = "v1.0"'
bad 'iterations that are not whole' 'b["iterations"] = 1.5'
bad 'a metric without a unit' 'del m["unit"]'
bad 'an unknown direction' 'm["better"] = "more"'
bad 'an unknown state' 'm["state"] = "fine"'
bad 'a sample that is null' 'm["samples"] = [1, None]'
bad 'a sample that is text' 'm["samples"] = ["1"]'
bad '10001 samples' 'm["samples"] = [1] * 10001'
bad '65 metrics' 'b["metrics"] = [m] * 65'
bad 'a mean that is null' 'm["mean"] = None'
bad 'an open interval of the mean' 'm["ci"] = [None, 1]'
bad 'a ratio of zero' 'm["delta"]["ratio"] = 0'
bad 'a probability above one' 'm["delta"]["p"] = 1.1'
bad 'a track whose values are no list' 'b["tracks"][0]["head"] = 1'
bad 'eleven looks' 'b["looks"]["pairs"] = list(range(1, 12))'
bad 'no looks' 'b["looks"]["pairs"] = []'
bad 'an unknown output' 'b["output"] = "nice"'
bad 'negative work' 'b["work"]["head"] = -1'
bad 'a calibration of nothing' 'b["calibration"]["n"] = 0'
bad 'a calibration without a floor' 'del b["calibration"]["floor"]'
bad 'an accepted commit that is none' 'b["accepted"]["commit"] = "HEAD"'
bad 'a reason for accepting that is a number' 'b["accepted"]["because"] = 1'
bad 'a side that does not build and is no commit' 'd["unbuilt"] = {"base": "HEAD"}'
bad 'a negative budget' 'd["settings"]["budget_ns"] = -1'

# All by one process: starting the validator takes longer than all of them.
/usr/bin/python3 - "$schema" "$T/cases" >"$T/answers" <<'END'
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft202012Validator(schema)
for line in open(sys.argv[2]):
    name, statement = line.rstrip("\n").split("\t")
    d = json.loads(json.dumps(schema["examples"][0]))
    b = d["benchmarks"][0]
    m = b["metrics"][0]
    exec(statement)
    fault = next(validator.iter_errors(json.loads(json.dumps(d))), None)
    is_well = (fault is None) == name.startswith("accepts ")
    print(0 if is_well else 1, name, fault.message[:200] if fault else "the validator accepted: " + statement,
          sep="\t")
END
is 'each was held against it' "$(wc -l <"$T/answers")" "$(wc -l <"$T/cases")"
while IFS="$(printf '\t')" read -r answer name detail; do
	result "$answer" "$name" "$detail"
done <"$T/answers"
