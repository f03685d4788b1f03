#!/usr/bin/env bash
# Fetches the two public corpora `kith-lab learn` is fed with, and turns them into its replay format:
#
#     bash scripts/fetch-corpus.sh groupchat/
#
# Each is fetched by the id of its commit. Git checks every file against that id, so what arrives is what was named or
# nothing. Needs git and python3 (standard library only), about 600 MB while it works, and GitHub.
set -euo pipefail

if [ $# != 1 ]; then
    echo "usage: bash scripts/fetch-corpus.sh FOLDER" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetch NAME ADDRESS COMMIT: that commit, and nothing of its history. An abbreviated id is resolved among the branches.
fetch() {
    local folder=$work/$1 full
    git init --quiet "$folder"
    git -C "$folder" remote add origin "$2"
    if [ ${#3} = 40 ]; then
        git -C "$folder" fetch --quiet --depth 1 origin "$3"
    else
        git -C "$folder" fetch --quiet --filter=blob:none origin
    fi
    full=$(git -C "$folder" rev-parse --verify --quiet "$3^{commit}") || {
        echo "error: $2 has no commit $3; check the network and the address" >&2
        exit 1
    }
    git -C "$folder" -c advice.detachedHead=false checkout --quiet "$full"
    echo "$1: commit $full"
}

fetch irc https://github.com/jkkummerfeld/irc-disentanglement 82ed04f
fetch chat https://github.com/nu-dialogue/multi-relational-multi-party-chat-corpus e6e39cb

python3 "$here/convert_corpus.py" irc "$work/irc/data" "$out"
python3 "$here/convert_corpus.py" chat "$work/chat/multi_relational_multi_party_chat_corpus/dialogues" "$out"
echo "$out: $(find "$out" -name '*.jsonl' | wc -l) logs. Licences: train and dev CC BY 4.0, casual3 CC BY-SA 4.0; docs/WEIGHTS.md says whose."
