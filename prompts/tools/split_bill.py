"""Who pays whom: reads a call on standard input, writes the fewest transfers that settle it.

Money is counted in cents, so that nothing is lost to rounding; what cannot be divided falls on those named first.
"""

import json
import sys
from decimal import Decimal, InvalidOperation


def fail(why):
    print(json.dumps({"error": why}, ensure_ascii=False))
    sys.exit(0)


def cents(payment, key):
    try:
        value = Decimal(str(payment[key]))
        whole = value.quantize(Decimal("0.01")) * 100
    except (InvalidOperation, ValueError):
        fail(f"{key} of {payment['who']} is no amount")
    if value < 0 or whole >= 10**15:
        fail(f"{key} of {payment['who']} must be 0 or more, and no fantasy")
    return int(whole)


def shares(total, parts):
    """`total` in proportion to `parts`, exactly."""
    whole = sum(parts)
    each = [total * part // whole for part in parts]
    bearers = [index for index, part in enumerate(parts) if part]
    for extra in range(total - sum(each)):
        each[bearers[extra % len(bearers)]] += 1
    return each


def settle(balances):
    """The fewest transfers a greedy mind finds: whoever owes most pays whoever is owed most."""
    transfers = []
    while True:
        debtor = min(balances, key=lambda name: balances[name])
        creditor = max(balances, key=lambda name: balances[name])
        amount = min(-balances[debtor], balances[creditor])
        if amount <= 0:
            return transfers
        balances[debtor] += amount
        balances[creditor] -= amount
        transfers.append((debtor, creditor, amount))


def main():
    call = json.load(sys.stdin)
    payments = call["arguments"]["payments"]
    chinese = call["language"] == "zh"
    currency = call["arguments"].get("currency", "").strip()
    if not 2 <= len(payments) <= 50:
        fail("name 2 to 50 people" if not chinese else "请写 2 到 50 个人")
    paid, parts = {}, {}
    for payment in payments:
        who = payment["who"].strip()
        paid[who] = paid.get(who, 0) + cents(payment, "amount")
        parts[who] = max(parts.get(who, 0), cents(payment, "share"))
    if sum(parts.values()) == 0:
        fail("nobody has a share")
    total = sum(paid.values())
    owed = shares(total, list(parts.values()))
    transfers = settle({who: paid[who] - share for who, share in zip(paid, owed)})

    def money(amount):
        return f"{amount / 100:.2f}" + (f" {currency}" if currency else "")

    arrow = " 给 " if chinese else " pays "
    lines = [f"{debtor}{arrow}{creditor} {money(amount)}" for debtor, creditor, amount in transfers]
    nothing = "都清了。" if chinese else "Everybody is even."
    print(json.dumps({
        "content": "\n".join(lines) or nothing,
        "details": {
            "total": total / 100,
            "transfers": [{"from": a, "to": b, "amount": c / 100} for a, b, c in transfers],
        },
    }, ensure_ascii=False))


main()
