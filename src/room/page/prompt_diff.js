// What differs between two prompts, line by line.

/** Beyond so many pairs of lines all that stands between what is the same at both ends counts as changed. */
const MOST_PAIRS = 4_000_000;

/**
 * The lines of `after` and those of `before` that are gone, in order: `[kind, text]` with `same`, `added` or `removed`.
 */
export function diffLines(before, after) {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const mark = (kind, lines) => lines.map((line) => [kind, line]);
  return [
    ...mark("same", fresh.slice(0, head)),
    ...diffMiddle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...mark("same", fresh.slice(fresh.length - tail)),
  ];
}

/** By the longest common subsequence. */
function diffMiddle(old, fresh) {
  const width = fresh.length + 1;
  if (old.length * fresh.length > MOST_PAIRS) {
    return [...old.map((line) => ["removed", line]), ...fresh.map((line) => ["added", line])];
  }
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = fresh.length - 1; b >= 0; b -= 1) {
      lengths[a * width + b] =
        old[a] === fresh[b]
          ? lengths[(a + 1) * width + b + 1] + 1
          : Math.max(lengths[(a + 1) * width + b], lengths[a * width + b + 1]);
    }
  }
  const lines = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < fresh.length) {
    if (a < old.length && b < fresh.length && old[a] === fresh[b]) {
      lines.push(["same", fresh[b]]);
      [a, b] = [a + 1, b + 1];
    } else if (b >= fresh.length || (a < old.length && lengths[(a + 1) * width + b] >= lengths[a * width + b + 1])) {
      lines.push(["removed", old[a]]);
      a += 1;
    } else {
      lines.push(["added", fresh[b]]);
      b += 1;
    }
  }
  return lines;
}
