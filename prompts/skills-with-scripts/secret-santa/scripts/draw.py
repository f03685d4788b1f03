"""Draws who gives a present to whom. Each argument is a name; `A!B` says that neither of the two may draw the other."""

import json
import random
import sys


def fail(why):
    print(json.dumps({"error": why}, ensure_ascii=False))
    sys.exit(0)


def draw(names, apart):
    """Who gives to whom, or nothing where there is no way: givers with the fewest choices draw first."""
    choices = {giver: [name for name in names if name != giver and (giver, name) not in apart] for giver in names}

    def go_on(left, free):
        if not left:
            return {}
        giver = min(left, key=lambda name: sum(choice in free for choice in choices[name]))
        for taker in random.sample(choices[giver], len(choices[giver])):
            if taker in free and (rest := go_on(left - {giver}, free - {taker})) is not None:
                return {giver: taker, **rest}
        return None

    return go_on(frozenset(names), frozenset(names))


names, apart = [], set()
for argument in sys.argv[1:]:
    if "!" in argument:
        one, other = (part.strip() for part in argument.split("!", 1))
        apart |= {(one, other), (other, one)}
    elif argument.strip() and argument.strip() not in names:
        names.append(argument.strip())
if not 2 <= len(names) <= 40:
    fail("name 2 to 40 people")
strangers = sorted({name for pair in apart for name in pair} - set(names))
if strangers:
    fail("not in the list: " + ", ".join(strangers))
pairs = draw(names, apart)
if pairs is None:
    fail("there is no way with these exceptions")
print(json.dumps({"content": "\n".join(f"{giver} → {pairs[giver]}" for giver in names), "details": pairs}, ensure_ascii=False))
