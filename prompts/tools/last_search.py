"""Keeps what a search published for the tools of this server, and tells it when it is called."""

import json
import sys

given = json.load(sys.stdin)
nothing = "还没有查找过" if given["language"] == "zh" else "nothing was searched for yet"
if "event" in given:
    print(json.dumps({"set": {"last_search": given["event"]["about"]["data"]}}))
elif last := given["shared"].get("last_search"):
    print(f"{last['words']}: " + (", ".join(last["found"]) or "-"))
else:
    print(nothing)
