// The willingness at the last messages as a small chart; each point opens its message's decision.

import { s } from "/dom.js";
import { percent, t } from "/i18n.js";
import { verdictOf } from "/message.js";

/** How many messages it shows. */
const SHOWN = 40;
const WIDTH = 320;
const HEIGHT = 64;
const EDGE = 6;

const across = (at, count) => EDGE + (count < 2 ? 1 : at / (count - 1)) * (WIDTH - 2 * EDGE);
// The square root gives the small shares, where most decisions fall, room to differ.
const down = (share) => HEIGHT - EDGE - Math.sqrt(share) * (HEIGHT - 2 * EDGE);
const path = (points) => points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The chart of `messages`; `null` while there is nothing to show. */
export function spark(messages, pinned, open) {
  const scored = messages.filter(({ decision }) => decision).slice(-SHOWN);
  if (scored.length === 0) return null;
  const points = scored.map(({ decision }, at) => [across(at, scored.length), down(decision.score)]);
  const bars = scored.map(({ decision }, at) => [across(at, scored.length), down(decision.bar)]);
  const floor = HEIGHT - EDGE;
  const area = `${path(points)}L${points.at(-1)[0].toFixed(1)} ${floor}L${points[0][0].toFixed(1)} ${floor}Z`;
  return s(
    "svg",
    {
      class: "spark",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "group",
      "aria-label": t("spark_label", { count: scored.length }),
    },
    s("path", { class: "area", d: area }),
    s("path", { class: "line", d: path(points) }),
    s("path", { class: "bars", d: path(bars) }),
    scored.map((message, at) => {
      const { decision } = message;
      const [word, kind] = verdictOf(decision);
      const label = t("badge", { verdict: t(word), score: percent(decision.score), bar: percent(decision.bar) });
      const point = s(
        "g",
        {
          class: `point ${kind}${message.id === pinned ? " pinned" : ""}`,
          role: "button",
          tabindex: at === scored.length - 1 ? 0 : -1,
          "aria-label": `${message.author.name}: ${label}`,
          onclick: () => open(message),
          onkeydown: (event) => {
            const step = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" }[event.key];
            if (step) point[step]?.focus();
            else if (event.key === "Enter" || event.key === " ") open(message);
            else return;
            event.preventDefault();
          },
        },
        s("title", null, `${message.author.name}: ${message.text.slice(0, 80)}\n${label}`),
        s("circle", { class: "reach", cx: points[at][0], cy: points[at][1], r: 8 }),
        s("circle", { class: "dot", cx: points[at][0], cy: points[at][1], r: kind === "speaks" ? 4 : 2.5 }),
      );
      return point;
    }),
  );
}
