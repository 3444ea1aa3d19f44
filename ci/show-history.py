#!/usr/bin/python3
"""Prints a history reply of pawld as a small table: show-history.py FILE"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    reply = json.load(file)
points = reply["points"]
print(f"{reply['benchmark']}, {reply['metric']} in {reply['unit']}")
for i, commit in enumerate(points["commit"]):
    value = points["value"][i]
    ratio = points["ratio"][i]
    print(
        f"  {commit[:7]}  {points['time'][i]}  "
        f"{'not run' if value is None else f'{value:10.1f}':>10}  "
        f"{'' if ratio is None else f'{100 * (ratio - 1):+6.2f} %':>9}  {points['verdict'][i]}"
    )
