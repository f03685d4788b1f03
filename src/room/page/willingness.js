// Draws a willingness: the score against the threshold, a sentence, and every term as a signed bar. All in log-odds, so that
// equal lengths mean equal weight.

import { h } from "/dom.js";
import { percent, said, signed, t, termName } from "/i18n.js";

/** The ends of the scale, in log-odds: 0.2 % and 98 %. */
const LOWEST = -6;
const HIGHEST = 4;
/** Terms that add less than this, in log-odds, are small. */
const SMALL = 0.15;

const logit = (share) => Math.log(share / (1 - share));
const place = (share) => Math.min(1, Math.max(0, (logit(share) - LOWEST) / (HIGHEST - LOWEST)));

let showSmall = false;
/** What the last gauge showed: the next one starts there, so that the change is seen. */
let shown = { "--score": 0, "--bar": 0 };

/** The score on its scale. */
export function gauge({ score, bar, address, refusal }) {
  const speaks = !refusal && (address || score >= bar);
  const label = t("bar_label", { score: percent(score), bar: percent(bar) });
  const track = h(
    "div",
    { class: "track", ...shown },
    h("span", { class: "fill" }),
    h("span", { class: "mark" }, h("span", null, t("bar", { bar: percent(bar) }))),
  );
  shown = { "--score": place(score), "--bar": place(bar) };
  const settle = () => Object.entries(shown).forEach(([name, value]) => track.style.setProperty(name, value));
  requestAnimationFrame(() => requestAnimationFrame(settle));
  return h(
    "div",
    { class: speaks ? "gauge speaks" : "gauge", role: "img", "aria-label": label },
    h("strong", { class: "score" }, percent(score)),
    track,
  );
}

/** What it comes to in one sentence, as the core tells it. */
export function sentence(told) {
  const text = said(told);
  return h("p", { class: "sentence" }, text.charAt(0).toUpperCase() + text.slice(1), t("full_stop"));
}

/** The terms, the weightiest first; small ones only when wished for. */
export function terms({ terms: all, bias }, redraw) {
  const sorted = [...all].sort((a, b) => Math.abs(b.adds) - Math.abs(a.adds));
  const small = sorted.filter(({ adds }) => Math.abs(adds) < SMALL).length;
  const listed = showSmall ? sorted : sorted.slice(0, sorted.length - small);
  const longest = Math.max(0.6, ...all.map(({ adds }) => Math.abs(adds)));
  const row = ({ name, adds }) =>
    h(
      "li",
      { class: adds < 0 ? "term against" : "term for" },
      h("span", null, termName(name)),
      h("span", { class: "beam", "aria-hidden": "true", "--length": Math.abs(adds) / longest }, h("span")),
      h("span", { class: "adds" }, signed(adds)),
    );
  const base = h(
    "li",
    { class: "term base" },
    h("span", null, t("baseline")),
    h("span", { class: "adds" }, signed(bias)),
  );
  const toggle = h(
    "button",
    {
      type: "button",
      class: "plain",
      id: "small-terms",
      onclick: () => {
        showSmall = !showSmall;
        redraw();
      },
    },
    showSmall ? t("fewer_terms") : t("more_terms", { count: small }),
  );
  return [h("ul", { class: "terms", "aria-label": t("terms") }, listed.map(row), base), small > 0 && toggle];
}
