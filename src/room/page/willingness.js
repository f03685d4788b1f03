// Draws a willingness: what it does and why in a sentence, the score against the threshold, and the strongest reasons as
// signed bars. All in log-odds, so that equal lengths mean equal weight.

import { h } from "/dom.js";
import { percent, said, signed, t } from "/i18n.js";

/** The ends of the scale, in log-odds: 0.2 % and 98 %. */
const LOWEST = -6;
const HIGHEST = 4;
/** What adds less than this, in log-odds, rounds to nothing. */
const NOTHING = 0.05;

const logit = (share) => Math.log(share / (1 - share));
const place = (share) => Math.min(1, Math.max(0, (logit(share) - LOWEST) / (HIGHEST - LOWEST)));

/** What the last gauge showed: the next one starts there, so that the change is seen. */
let shown = { "--score": 0, "--bar": 0 };

/** What it does and why, in one sentence. `turn` is the turn it came to, where one is over. */
export function headline({ summary, refusal }, turn) {
  const { verdict, reason } = summary;
  const over = turn && !turn.running && ["answers", "speaks"].includes(verdict);
  const [outcome, told] = !over ? [verdict] : turn.outcome === "acted" ? [`did_${verdict}`] : Object.entries(turn.outcome)[0];
  const why = told ?? (refusal ? t(`refusal_${refusal}`) : said(reason));
  return h("p", { class: "headline" }, t(`does_${outcome}`, { reason: why || t("reason_none") }));
}

/** The score on its scale. */
export function gauge({ score, threshold, shift, summary }) {
  const speaks = ["answers", "speaks"].includes(summary.verdict);
  const label = t("bar_label", { score: percent(score), bar: percent(threshold) });
  const track = h(
    "div",
    { class: "track", ...shown },
    h("span", { class: "fill" }),
    h("span", { class: "mark" }, h("span", null, t("bar", { bar: percent(threshold) }))),
  );
  shown = { "--score": place(score), "--bar": place(threshold) };
  const settle = () => Object.entries(shown).forEach(([name, value]) => track.style.setProperty(name, value));
  requestAnimationFrame(() => requestAnimationFrame(settle));
  const sum = shift ? shift.restraint + shift.allowance + shift.unheeded + shift.meant : 0;
  const why = said(summary.movers);
  return [
    h(
      "div",
      { class: speaks ? "gauge speaks" : "gauge", role: "img", "aria-label": label },
      h("strong", { class: "score" }, percent(score)),
      track,
    ),
    why && h("p", { class: "small" }, t(sum > 0 ? "bar_higher" : "bar_lower", { why })),
  ];
}

/** The strongest reasons, what the others come to, and where the sum starts: together they are the score. */
export function reasons({ summary, bias }) {
  const { reasons: listed, rest } = summary;
  const longest = Math.max(0.6, ...listed.map(({ adds }) => Math.abs(adds)));
  const row = ({ text, adds }) =>
    h(
      "li",
      { class: adds < 0 ? "term against" : "term for" },
      h("span", null, text),
      h("span", { class: "beam", "aria-hidden": "true", "--length": Math.abs(adds) / longest }, h("span")),
      h("span", { class: "adds" }, signed(adds)),
    );
  const plain = (text, adds) =>
    h("li", { class: "term base" }, h("span", null, text), h("span", { class: "adds" }, signed(adds)));
  return h(
    "ul",
    { class: "terms", "aria-label": t("terms") },
    listed.map(({ text, adds }) => row({ text: said(text), adds })),
    Math.abs(rest) >= NOTHING && plain(t("other_reasons"), rest),
    plain(t("baseline"), bias),
  );
}
