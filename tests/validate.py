#!/usr/bin/python3
"""Holds JSON files against a JSON Schema: validate.py SCHEMA FILE..."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
bad = 0
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        document = json.load(file, parse_constant=lambda word: sys.exit(f"{name}: {word}"))
    for fault in validator.iter_errors(document):
        print(f"{name}: {'/'.join(map(str, fault.absolute_path))}: {fault.message}")
        bad = 1
sys.exit(bad)
