// The blocks of core memory: what stands in every prompt, when each line was written, and what a block said before.

import { h } from "/dom.js";
import { date, t, whole } from "/i18n.js";
import { drawEraseButton, drawForm } from "/memory_entry.js";

/** Draws the blocks. `change` asks for a change of one and draws all anew. */
export function drawBlocks(blocks, change, acts) {
  const note = h("p", { class: "note" }, t("memory_core_note"));
  return [note, blocks.map((block) => drawBlock(block, change, acts))];
}

function drawBlock(block, change, acts) {
  const { label, description, text, dates, limit, history } = block;
  const id = `block-${label}`;
  const lines = text.split("\n").filter(Boolean);
  const line = (words, at) =>
    h("li", null, h("span", null, words), dates[at] && h("time", { datetime: new Date(dates[at]).toISOString() }, date(dates[at])));
  const body = h(
    "div",
    { class: "text" },
    lines.length > 0 ? h("ul", { class: "lines" }, lines.map(line)) : h("p", { class: "small" }, t("memory_empty_block")),
  );
  const edit = () => {
    const rows = Math.max(3, lines.length + 1);
    const save = (now) => change("edit_block", { label, text: now });
    const form = drawForm({ text, rows }, save, () => acts.draw(id));
    body.replaceWith(form);
    form.querySelector("textarea").focus();
  };
  const used = t("memory_block_size", { used: whole([...text].length), limit: whole(limit) });
  return h(
    "article",
    { class: "memory-entry core-block", id, tabindex: "-1" },
    h("h3", { class: "block-title" }, label, h("span", { class: "small" }, used)),
    description && h("p", { class: "small" }, description),
    body,
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", class: "plain", "data-act": "edit", onclick: edit }, t("edit")),
      history.length > 0 &&
        h(
          "button",
          { type: "button", class: "plain", "data-act": "undo", onclick: () => change("undo_block", { label }) },
          t("memory_undo"),
        ),
    ),
    history.length > 0 && drawHistory(history, () => change("forget_block_history", { label })),
  );
}

function drawHistory(history, forget) {
  const version = ({ at, text }) =>
    h("li", null, h("p", { class: "small" }, at === null ? t("memory_began") : date(at)), h("p", null, text || t("memory_empty_block")));
  return h(
    "details",
    { class: "block" },
    h("summary", null, t("memory_history", { count: whole(history.length) }), drawEraseButton(t("memory_forget_history"), forget)),
    h("ul", { class: "versions" }, history.map(version)),
  );
}
