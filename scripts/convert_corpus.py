#!/usr/bin/env python3
"""Turns the two public corpora into the replay format that `kith-lab learn`, `kith replay` and `kith-lab score` read.

    convert_corpus.py irc  FOLDER OUT      FOLDER: `data/` of jkkummerfeld/irc-disentanglement
    convert_corpus.py chat FOLDER OUT      FOLDER: `dialogues/` of nu-dialogue/multi-relational-multi-party-chat-corpus

Standard library only. What is changed is listed in docs/WEIGHTS.md. `fetch-corpus.sh` runs this."""
import collections
import datetime
import glob
import json
import os
import re
import sys

CONTEXT = 60      # lines kept before the annotated part of a training log
FIRST = 1000      # the number of the first annotated line, in every log of the corpus
BOTS = {"ubotu", "ubottu", "ubot3", "floodbot1", "floodbot2", "floodbot3", "floodbot4", "lubotu1", "lubotu3"}
# Nicks that are everyday words are mentioned only as `nick:` or `nick,` at the start.
ORDINARY = {"ubuntu", "linux", "debian"}

MESSAGE = re.compile(r"^\[(\d\d):(\d\d)\] <([^>]*)> ?(.*)$")
ACTION = re.compile(r"^\[(\d\d):(\d\d)\] +\* ?(\S+) ?(.*)$")
NOTICE = re.compile(r"^=== ?(.*)$")
RENAMED = re.compile(r"^(\S+) is now known as (\S+)")
HOST = re.compile(r"^(\S+) \[[^\]]*\]")
NICK = r"[A-Za-z0-9_\-\[\]\\`^{}|]+"


def read_text(path):
    """The corpus mixes UTF-8 and Latin-1, line by line."""
    lines = []
    with open(path, "rb") as file:
        for raw in file.read().split(b"\n"):
            try:
                lines.append(raw.decode("utf-8"))
            except UnicodeDecodeError:
                lines.append(raw.decode("latin-1"))
    if lines and not lines[-1]:
        lines.pop()
    return lines


class People:
    """Nicks that belong to one person: the same but for case and a trailing `_` or backtick; who is renamed stays who
    they were."""

    def __init__(self):
        self.now = {}

    def id(self, nick):
        plain = nick.lower().rstrip("_`") or nick.lower()
        return self.now.get(plain, plain)

    def renamed(self, old, new):
        self.now[new.lower().rstrip("_`") or new.lower()] = self.id(old)


def parse(lines):
    """Lines as (minutes since the start's midnight, nick or None for a notice, text, whether it is an action)."""
    hours = [int(found.group(1)) for found in map(lambda line: MESSAGE.match(line) or ACTION.match(line), lines) if found]
    # Logs up to about 2008 have a clock of twelve hours without am and pm: only order and gaps are right there.
    day = 12 * 60 if hours and 0 not in hours and max(hours) <= 12 else 24 * 60
    parsed, now, days = [], None, 0
    for line in lines:
        found = MESSAGE.match(line)
        action = None if found else ACTION.match(line)
        if found or action:
            hour, minute, nick, text = (found or action).groups()
            at = int(hour) * 60 + int(minute)
            if now is not None and at + days < now - day // 2:
                days += day
            now = at + days if now is None else max(now, at + days)
            parsed.append([now, nick, text, bool(action)])
        else:
            notice = NOTICE.match(line)
            parsed.append([now, None, HOST.sub(r"\1 ", notice.group(1)) if notice else line, False])
    start = next((row[0] for row in parsed if row[0] is not None), 0)
    for row in parsed:
        row[0] = start if row[0] is None else row[0]
    return parsed


def mentions(text, author, people, known):
    """Whom a text mentions: the nick it starts with, `nick:` or `nick,` inside, `@nick`."""
    found = []

    def add(nick, plain_word_counts):
        if nick.lower() not in known and nick.endswith("-"):
            nick = nick.rstrip("-")
        if nick.lower() not in known:
            return
        who = people.id(nick)
        if who != author and who not in found and (plain_word_counts or who not in ORDINARY):
            found.append(who)

    start = re.match(r"[\s<(!•]*(%s)(\s*[:,])?" % NICK, text)
    if start:
        add(start.group(1), bool(start.group(2)))
    for inside in re.finditer(r"(?<![\w@])(@)?(%s)([:,])?" % NICK, text):
        if inside.group(1) or inside.group(3):
            add(inside.group(2), inside.start() == 0)
    return found


def renaming(notice):
    found = RENAMED.match(notice)
    return found.groups() if found else ()


def convert_irc_log(lines, pairs, date, train):
    """A log and its annotation as replay lines, and what messages answer besides their `reply_to`."""
    people, parsed = People(), parse(lines)
    # Everybody who speaks or is renamed in the log can be mentioned, also before.
    known = {nick.lower() for _, nick, _, _ in parsed if nick}
    known.update(name.lower() for _, nick, text, _ in parsed if nick is None for name in renaming(text))
    answers = collections.defaultdict(list)
    for one, other in pairs:
        if one != other:
            answers[max(one, other)].append(min(one, other))
    in_minute = collections.Counter(row[0] for row in parsed)
    place = collections.Counter()
    midnight = datetime.datetime.fromisoformat(date)
    out, extra = [], {}
    for number, (minute, nick, text, action) in enumerate(parsed):
        # The lines of a minute are spread evenly over it; milliseconds are cut off.
        millis = place[minute] * 60_000 // in_minute[minute]
        place[minute] += 1
        time = midnight + datetime.timedelta(minutes=minute, milliseconds=millis)
        targets = sorted(set(answers.get(number, [])))
        if len(targets) > 1:
            extra[str(number)] = [str(target) for target in targets]
        if nick is None:
            if renaming(text):
                people.renamed(*renaming(text))
            author, content, mentioned = {"id": "system", "name": "system", "bot": False}, text, []
        else:
            who = people.id(nick)
            author = {"id": who, "name": nick, "bot": who in BOTS}
            content = text.strip()
            mentioned = mentions(text, who, people, known)
            content = f"_{content}_" if action else content
        out.append({
            "id": str(number), "ts": time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03}Z",
            "channel": "#ubuntu", "author": author, "content": content,
            "reply_to": str(targets[-1]) if targets else None, "mentions": mentioned, "system": nick is None,
        })
    if train:
        out = [line for line in out if int(line["id"]) >= FIRST - CONTEXT and not line["system"]]
    return out, extra


def convert_dialogue(dialogue, kind):
    """A dialogue of three as replay lines. It has no times: 15 s a message."""
    start = datetime.datetime(2024, 1, 1)
    out = []
    for number, said in enumerate(dialogue["utterances"]):
        time = start + datetime.timedelta(seconds=15 * number)
        who, to = said["interlocutor_id"], said["mention_to"]
        out.append({
            "id": str(said["utterance_id"]), "ts": time.strftime("%Y-%m-%dT%H:%M:%S.000Z"), "channel": f"#{kind}",
            "author": {"id": who, "name": who, "bot": False}, "content": said["text"].strip(),
            "reply_to": None, "mentions": to, "system": False,
        })
    return out


# The 60 of 960 dialogues that are used.
CASUAL = {
    "casual3-train": """A00101 A00702 A01204 A01901 A02503 A03202 A03803 A04502 A05205 A05902 A06505 A07205 A08001
        A08605 A09302 B10001 B10307 B10701 B11006 B11308 B11701 B12003 B12305 B12703 B13005 B13401 B13810 B14303
        B14610 B15103""".split(),
    "casual3": """A00401 A01003 A01505 A02202 A02804 A03502 A04201 A04903 A05601 A06204 A06902 A07601 A08303 A09001
        A09603 B10109 B10504 B10808 B11202 B11504 B11807 B12109 B12506 B12809 B13203 B13608 B14006 B14409 B14902
        B15309""".split(),
}


def write(out, name, lines, manifest, **entry):
    path = os.path.join(out, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    manifest[name] = {**entry, "lines": len(lines), "seconds": "synthetic"}


def main():
    kind, folder, out = sys.argv[1:4]
    manifest, more = load(out, "manifest.json"), load(out, "gold_extra.json")
    if kind == "irc":
        words = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/words/en/ordinary.txt")
        ORDINARY.update(read_text(words))
        for split in ("train", "dev"):
            annotated = sorted(glob.glob(f"{folder}/{split}/*.annotation.txt"))
            for path in annotated[:: 2 if split == "train" else 1]:
                stem = os.path.basename(path).removesuffix(".annotation.txt")
                text = next(f for f in (f"{folder}/{split}/{stem}.{end}.txt" for end in ("raw", "ascii")) if os.path.exists(f))
                pairs = [tuple(map(int, line.split()[:2])) for line in read_text(path) if line.strip()]
                lines, extra = convert_irc_log(read_text(text), pairs, stem[:10], split == "train")
                name = f"{split}/{stem}.jsonl"
                write(out, name, lines, manifest, gold_from_id=str(FIRST), gold_to_id=lines[-1]["id"])
                if extra:
                    more[name] = extra
    else:
        for path in sorted(glob.glob(f"{folder}/*/*.json")):
            stem = os.path.basename(path).removesuffix(".json")
            for split in (split for split, chosen in CASUAL.items() if stem in chosen):
                with open(path, encoding="utf-8") as file:
                    lines = convert_dialogue(json.load(file), os.path.basename(os.path.dirname(path)))
                write(out, f"{split}/{stem}.jsonl", lines, manifest,
                      gold_from_id=lines[0]["id"], gold_to_id=lines[-1]["id"], links=False)
    for name, content in (("manifest.json", manifest), ("gold_extra.json", more)):
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            json.dump(content, file, indent=0, sort_keys=True, ensure_ascii=False)


def load(out, name):
    path = os.path.join(out, name)
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    main()
