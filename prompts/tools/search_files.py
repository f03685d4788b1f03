"""Finds the text files below a folder that hold all of some words.

Standard output carries how far it is and the result; standard error is its log: which files it could not read.
"""

import json
import os
import sys
import time

# The most files that are told, and the largest that is read, in bytes.
MOST, LARGEST = 20, 5_000_000
# The time between two words on how far it is, in seconds.
PAUSE = 2


def log(text):
    print(text, file=sys.stderr, flush=True)


def tell(line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


def holds(path, words):
    """Whether a file holds all of them; what cannot be read is logged and holds nothing."""
    try:
        if os.path.getsize(path) > LARGEST:
            log(f"{path} is too large to be searched")
            return False
        with open(path, encoding="utf-8") as file:
            text = file.read().lower()
    except (OSError, UnicodeDecodeError) as error:
        log(f"{path} cannot be read: {type(error).__name__}")
        return False
    return all(word in text for word in words)


def main():
    call = json.load(sys.stdin)
    root, chinese = sys.argv[1], call["language"] == "zh"
    words = call["arguments"]["words"].lower().split()
    if not words:
        return tell({"error": "没有要找的词" if chinese else "no words to look for"})
    found, searched, told = [], 0, time.monotonic()
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            # A link may lead out of the folder.
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            searched += 1
            if holds(path, words):
                found.append(os.path.relpath(path, root))
            if time.monotonic() - told > PAUSE:
                told = time.monotonic()
                tell({"progress": f"{searched} files, {len(found)} found"})
    tell({"publish": {"name": "finds", "data": {"words": " ".join(words), "found": found[:MOST]}}})
    nothing = "没有找到" if chinese else "none"
    more = len(found) - MOST
    rest = [f"… +{more}"] if more > 0 else []
    tell({"content": "\n".join(found[:MOST] + rest) or nothing, "details": {"searched": searched, "found": found}})


main()
