// The willingness at the last messages as a small chart with axes; each point opens its message's decision.

import { s } from "/dom.js";
import { clock, percent, t } from "/i18n.js";
import { isWeighed, labelOf, verdictOf } from "/message.js";

/** How many messages it shows. */
const SHOWN = 40;
const WIDTH = 340;
const HEIGHT = 108;
/** The room for the axes: shares on the left, times below. */
const LEFT = 38;
const BELOW = 16;
const EDGE = 6;
/** The shares that have a line. */
const LINES = [0, 0.1, 0.3, 0.6, 1];

const across = (at, count) => LEFT + EDGE + (count < 2 ? 1 : at / (count - 1)) * (WIDTH - LEFT - 2 * EDGE);
// The square root gives the small shares, where most decisions fall, room to differ.
const down = (share) => HEIGHT - BELOW - EDGE - Math.sqrt(share) * (HEIGHT - BELOW - 2 * EDGE);
const path = (points) => points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The chart of `messages`; `null` while there is nothing to show. */
export function spark(messages, pinned, open) {
  const scored = messages.filter(({ decision }) => decision && isWeighed(decision)).slice(-SHOWN);
  if (scored.length === 0) return null;
  const points = scored.map(({ decision }, at) => [across(at, scored.length), down(decision.score)]);
  const bars = scored.map(({ decision }, at) => [across(at, scored.length), down(decision.threshold)]);
  const floor = down(0);
  const area = `${path(points)}L${points.at(-1)[0].toFixed(1)} ${floor}L${points[0][0].toFixed(1)} ${floor}Z`;
  return s(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": t("spark_label", { count: scored.length }),
    },
    axes(scored),
    s("path", { class: "area", d: area }),
    s("path", { class: "line", d: path(points) }),
    s("path", { class: "bars", d: path(bars) }),
    scored.map((message, at) => point(message, points[at], at === scored.length - 1, message.id === pinned, open)),
  );
}

function axes(scored) {
  const text = (x, y, anchor, words) => s("text", { x, y, "text-anchor": anchor }, words);
  const line = (share) => s("path", { d: `M${LEFT} ${down(share)}H${WIDTH}` });
  const times = [...new Set([scored[0], scored.at(-1)].map(({ at }) => clock(at)))];
  return s(
    "g",
    { class: "axes", "aria-hidden": "true" },
    LINES.map((share) => [line(share), text(LEFT - 6, down(share) + 3.5, "end", percent(share))]),
    times.length > 1 && text(LEFT, HEIGHT - 3, "start", times[0]),
    text(WIDTH, HEIGHT - 3, "end", times.at(-1)),
  );
}

function point(message, [cx, cy], last, pinned, open) {
  const { decision } = message;
  const [, kind] = verdictOf(decision);
  const text = `${message.author.name}: ${message.text.slice(0, 80)}\n${labelOf(decision)}`;
  const group = s(
    "g",
    {
      class: `point ${kind}${pinned ? " pinned" : ""}`,
      role: "button",
      tabindex: last ? 0 : -1,
      "aria-label": text,
      onclick: () => open(message),
      onkeydown: (event) => {
        const step = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
        const next = step && group[step];
        if (next?.matches(".point")) next.focus();
        else if (event.key === "Enter" || event.key === " ") open(message);
        else if (!step) return;
        event.preventDefault();
      },
    },
    s("title", null, text),
    s("circle", { class: "reach", cx, cy, r: 8 }),
    s("circle", { class: "dot", cx, cy, r: kind === "speaks" ? 4 : 2.5 }),
  );
  return group;
}
