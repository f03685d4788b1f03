#!/usr/bin/env bash
# What Kith takes as a whole process: size of the binary, time from start to the page, memory after start, and memory
# and speed over a million replayed messages in a thousand channels. Needs curl and GNU time (Debian: time).
# Prints figures and judges nothing: `bash benches/footprint.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --quiet
kith=$(realpath "${CARGO_TARGET_DIR:-target}/release/kith")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo "binary: $(stat -c %s "$kith") bytes"

printf '[room]\nlisten = "127.0.0.1:0"\n' >"$folder/kith.toml"
for _ in 1 2 3 4 5 6 7 8 9 10 11; do
    rm -f "$folder/said"
    from=$(date +%s%N)
    (cd "$folder" && exec env -i "$kith" >"$folder/said" 2>/dev/null) &
    until address=$(grep -om1 'http://[0-9.:]*' "$folder/said" 2>/dev/null); do sleep 0.001; done
    curl -fs --noproxy '*' -o /dev/null -H "authorization: Bearer $(cat "$folder/data/room.token")" "$address/"
    page=$((($(date +%s%N) - from) / 1000000))
    sleep 0.5
    echo "$page $(awk '/^VmRSS/ { all = $2 } /^RssAnon/ { own = $2 } END { print all, own }' /proc/$!/status)"
    kill $! && wait $! || true
done | sort -n | awk '{ page[NR] = $1; if ($2 > most) most = $2; if ($3 > own) own = $3 }
    END { printf "start to page: %d ms median of %d\n", page[(NR + 1) / 2], NR
          printf "resident after start: %d kB at most, of which %d kB at most are no pages of files\n", most, own }'

awk 'BEGIN {
    srand(7); split("the a so bike soup film rain yes no maybe later where chain cheap lamp cat again who knows wait", word, " ")
    for (i = 1; i <= 1000000; i++) {
        text = ""; for (n = 3 + int(rand() * 14); n > 0; n--) text = text word[1 + int(rand() * 20)] " "
        s = i * 2; d = 1 + int(s / 86400); who = "p" int(rand() * 40)
        printf "{\"id\":\"%d\",\"ts\":\"2026-01-%02dT%02d:%02d:%02d.000Z\",\"channel\":\"c%d\",\"author\":{\"id\":\"%s\",\"name\":\"%s\",\"bot\":false},\"content\":\"%s\",\"reply_to\":null,\"mentions\":[],\"system\":false}\n",
            i, d, s % 86400 / 3600, s % 3600 / 60, s % 60, int(i / 7) % 1000, who, who, text
    }
}' >"$folder/million.jsonl"
command time -f 'resident over a million messages: %M kB at most' \
    "$kith" replay "$folder/million.jsonl" --as p1 --out /dev/null
