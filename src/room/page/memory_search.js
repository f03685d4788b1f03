// What a search of the memory found, and why each memory and each line ranks where it does.

import { h } from "/dom.js";
import { rounded, t, whole } from "/i18n.js";
import { drawEntry, drawLine } from "/memory_entry.js";

/** The parts of a score that are added; all others multiply their sum. */
const ADDED = ["words", "neighbours"];

/** Draws what was found. */
export function drawFound({ text, memories, lines }, acts) {
  if (memories.length === 0 && lines.length === 0) return h("p", { class: "note" }, t("memory_nothing_found", { text }));
  const best = Math.max(...lines.map(({ score }) => score));
  return [
    memories.length > 0 && h("h3", null, t("memory_found_entries")),
    memories.map((entry) => h("div", { class: "found" }, drawEntry(entry, acts, true), drawWords(entry.words))),
    lines.length > 0 && h("h3", null, t("memory_found_lines")),
    lines.map((found, at) => drawHit(found, at + 1, best, acts)),
  ];
}

function drawHit({ line, before, after, score, parts }, rank, best, acts) {
  return h(
    "article",
    { class: "found" },
    h("header", null, h("strong", null, `${whole(rank)}.`), h("span", { class: "small" }, t("memory_score", { score: rounded(score) }))),
    h("span", { class: "meter", "aria-hidden": "true", "--share": best > 0 ? score / best : 0 }, h("span")),
    before && drawBeside(before),
    drawLine(line, acts),
    after && drawBeside(after),
    h("ul", { class: "reasons", "aria-label": t("memory_reasons") }, drawReasons(parts)),
  );
}

/** The words of the question that a memory holds, each with what it adds. */
const drawWords = (words) =>
  h(
    "ul",
    { class: "reasons", "aria-label": t("memory_reasons") },
    words.map(({ word, adds }) => h("li", { class: "more" }, word, " ", h("b", null, `+${rounded(adds)}`))),
  );

const drawBeside = ({ name, text }) => h("p", { class: "beside" }, `${name}: ${text}`);

function drawReasons(parts) {
  if (parts === null) return h("li", null, t("memory_by_meaning"));
  return Object.entries(parts)
    .filter(([name, value]) => (ADDED.includes(name) ? value !== 0 : value !== 1))
    .map(([name, value]) => {
      const isMore = ADDED.includes(name) ? value > 0 : value > 1;
      const number = ADDED.includes(name) ? `+${rounded(value)}` : `×${rounded(value)}`;
      return h("li", { class: isMore ? "more" : "less" }, t(`reason_${name}`), " ", h("b", null, number));
    });
}
