// The search in the channel on show: a field above the conversation, and what was found below it.

import { ask } from "/api.js";
import { byId, h, icon, replace } from "/dom.js";
import { clock, date, t } from "/i18n.js";
import { on, room } from "/page_state.js";

const box = byId("search");
const field = h("input", { id: "search-text", type: "search", maxlength: 400, autocomplete: "off", dir: "auto" });
const results = h("div", { class: "results", role: "status" });
let acts = {};

/** Wires the search. `page` does what spans the page: goTo, write. */
export function start(page) {
  acts = page;
  const toggle = byId("search-toggle");
  toggle.append(icon("search"));
  toggle.addEventListener("click", () => (box.hidden ? open() : close()));
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  box.addEventListener("keydown", (event) => event.key === "Escape" && !event.isComposing && close());
  on("shown", () => {
    hide();
    replace(results);
  });
}

/** Draws the labels anew, e.g. in another language. */
export function draw() {
  field.setAttribute("aria-label", t("search"));
  field.placeholder = t("search");
  const label = t("close");
  const shut = h("button", { type: "button", class: "quiet icon", "aria-label": label, onclick: close }, icon("close"));
  const find = h("button", { class: "plain" }, t("memory_find"));
  replace(box, h("div", { class: "row" }, field, find, shut), results);
}

function open() {
  box.hidden = false;
  byId("search-toggle").setAttribute("aria-expanded", "true");
  field.focus();
}

function hide() {
  box.hidden = true;
  byId("search-toggle").setAttribute("aria-expanded", "false");
}

function close() {
  hide();
  acts.write();
}

async function search() {
  const text = field.value.trim();
  if (!text) return;
  const { channel } = room;
  const { messages } = await ask("search", { channel, text });
  if (room.channel !== channel) return;
  const rows = messages.map((found) =>
    h(
      "li",
      null,
      h(
        "button",
        { type: "button", onclick: () => acts.goTo(found.id) },
        h("span", { class: "small" }, h("strong", { dir: "auto" }, found.name), ` · ${date(found.at)}, ${clock(found.at)}`),
        h("span", { class: "text", dir: "auto" }, found.text),
      ),
    ),
  );
  const nothing = rows.length === 0 && h("p", { class: "note" }, t("memory_nothing_found", { text }));
  replace(results, nothing, rows.length > 0 && h("ul", null, rows));
}
