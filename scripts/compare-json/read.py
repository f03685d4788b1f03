"""Holds Python's json_repair against the corpus of faulty answers: pip install json_repair, then
python3 read.py corpus.jsonl. What is repaired must be the answer itself, read without any further mending."""

import json
import sys
from collections import defaultdict

from json_repair import repair_json


def calls(document):
    """Name and parameters of each call of a well-formed answer."""
    return [[one["name"], one["params"]] for one in document["actions"]]


def plain(value):
    """Numbers, flags and lists as text: what a schema would make of them is not what is compared."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, str):
        try:
            inner = json.loads(value)
            return json.dumps(inner, ensure_ascii=False) if isinstance(inner, (list, int)) else value
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False)


def same(read, meant):
    shape = [[name, plain(params)] for name, params in read]
    return shape == [[name, plain(params)] for name, params in meant]


def main(path):
    right, all_of = defaultdict(int), defaultdict(int)
    for line in open(path, encoding="utf-8"):
        case = json.loads(line)
        all_of[case["fault"]] += 1
        try:
            good = same(calls(repair_json(case["input"], return_objects=True)), case["meant"])
        except Exception:
            good = False
        right[case["fault"]] += good
    for fault, count in all_of.items():
        print(f"{fault:42} {count:5} {right[fault]:5}")
    print(f"{'all':42} {sum(all_of.values()):5} {sum(right.values()):5}")


main(sys.argv[1])
