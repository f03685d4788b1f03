"""When people write: asks for the times of a channel's lines and draws them by hour."""

import json
import sys


def ask(question):
    """One line out, one line back."""
    print(json.dumps({"ask": question}), flush=True)
    answer = json.loads(sys.stdin.readline())
    if "error" in answer:
        print(json.dumps({"error": answer["error"]}, ensure_ascii=False))
        sys.exit(0)
    return answer["rows"]


# One line, not all of standard input: it stays open for the answers.
call = json.loads(sys.stdin.readline())
hours = ask({
    "sql": "SELECT (at / 1000 + :utc_offset) / 3600 % 24 AS hour, count(*) FROM messages"
           " WHERE channel = :channel AND kind = 'person' AND at >= :now - :days * 86400000"
           " GROUP BY hour ORDER BY hour",
    "params": {"days": call["arguments"]["days"]},
})
last = ask({"lines": 1})
most = max((count for _, count in hours), default=1)
chart = [f"{hour:02}:00 {'#' * max(1, 20 * count // most)} {count}" for hour, count in hours]
if last:
    _, _, name, _, _, text = last[0]
    chart.append(f"last: {name}: {text[:80]}")
print(json.dumps({"content": "\n".join(chart) or "-", "details": {"hours": hours}}, ensure_ascii=False))
