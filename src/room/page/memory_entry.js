// One thing that is remembered: what it says, how it is known, and on demand the lines it was taken from and what it took
// the place of. It can be said otherwise, taken back and erased.

import { askMemory } from "/api.js";
import { h, icon, replace } from "/dom.js";
import { date, list, t } from "/i18n.js";

/** The longest text of a memory, in characters. */
const LONGEST = 240;

/**
 * Draws a memory. `acts` knows names, in which channel it is asked about, which lines are in view, and what to do after a
 * change; `isNamed` tells whom a fact is about.
 */
export function drawEntry(entry, acts, isNamed) {
  const about = isNamed && entry.person !== null && [h("strong", null, acts.nameOf(entry.person)), " "];
  const text = h("p", { class: "text" }, about, entry.text);
  const origins = h("div", { class: "origins" });
  const edit = (event) => {
    const form = drawForm({ text: entry.text, longest: LONGEST }, save, () => acts.draw(`memory-${entry.id}`));
    event.currentTarget.closest(".memory-entry").querySelector(".text").replaceWith(form);
    form.querySelector("textarea").focus();
  };
  const save = async (now) => {
    if (now === entry.text) return acts.draw(`memory-${entry.id}`);
    const { memories } = await askMemory("edit_memory", { channel: acts.placeOf(entry), id: entry.id, text: now });
    await acts.changed(`memory-${memories[0].id}`);
  };
  const erase = async () => {
    await askMemory("forget_memory", { channel: acts.placeOf(entry), id: entry.id });
    await acts.changed();
  };
  const sources = h(
    "button",
    { type: "button", class: "plain", "data-act": "sources", "aria-expanded": "false" },
    t("memory_sources"),
  );
  sources.addEventListener("click", () => toggleOrigins(entry, sources, origins, acts));
  return h(
    "article",
    { class: "memory-entry", id: `memory-${entry.id}`, tabindex: "-1" },
    text,
    h("p", { class: "small" }, tags(entry), describe(entry, acts)),
    h(
      "div",
      { class: "actions" },
      sources,
      h(
        "button",
        { type: "button", class: "quiet icon", "data-act": "edit", "aria-label": t("edit"), title: t("edit"), onclick: edit },
        icon("edit"),
      ),
      drawEraseButton(t("delete"), erase),
    ),
    origins,
  );
}

/** Whether somebody else than the person it is about said it. */
const isHearsay = ({ person, said_by }) => person !== null && said_by !== null && said_by !== person;

const tags = (entry) => isHearsay(entry) && [h("span", { class: "tag demo" }, t("memory_hearsay")), " "];

/** Kind, date, place, whose word it is: one line. */
function describe(entry, acts) {
  const { kind, at, due, said_by, origin, channel, people, person } = entry;
  const place = acts.channelName(channel);
  const byWhom = origin === "host" ? t("memory_by_host") : said_by && t("memory_said_by", { name: acts.nameOf(said_by) });
  return [
    person !== null && t(`memory_kind_${kind}`),
    date(at),
    place && `#${place}`,
    due !== null && t("memory_due", { date: date(due) }),
    byWhom,
    people.length > 0 && t("memory_with", { names: list(people.map(acts.nameOf)) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

async function toggleOrigins(entry, button, place, acts) {
  const isOpen = place.hasChildNodes();
  button.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) return replace(place);
  const { sources, missing, trail } = await askMemory("memory_details", { channel: acts.placeOf(entry), id: entry.id });
  const undo = async () => {
    const { memories } = await askMemory("undo_memory", { channel: acts.placeOf(entry), id: entry.id });
    await acts.changed(`memory-${memories[0].id}`);
  };
  replace(
    place,
    sources.map((line) => drawLine(line, acts)),
    missing > 0 && h("p", { class: "small" }, t("memory_missing", { count: missing })),
    sources.length === 0 && missing === 0 && h("p", { class: "small" }, t("memory_no_sources")),
    trail.map((old) =>
      h("p", { class: "quoted" }, h("span", { class: "small" }, t("memory_before", { date: date(old.at) })), " ", h("s", null, old.text)),
    ),
    trail.length > 0 &&
      h("button", { type: "button", class: "plain", "data-act": "undo", onclick: undo }, t("memory_undo")),
  );
}

/** A line that was said, with the way to it where the conversation shows it. */
export function drawLine(line, acts, kind) {
  return [
    h(
      "p",
      { class: kind ? `quoted ${kind}` : "quoted" },
      h("strong", null, line.name),
      " ",
      h("time", { class: "small", datetime: new Date(line.at).toISOString() }, date(line.at)),
      h("br"),
      line.text,
    ),
    acts.isInView(line) &&
      h("button", { type: "button", class: "plain", "data-act": "go", onclick: () => acts.goTo(line.id) }, t("memory_go")),
  ];
}

/** A button that erases at the second click. */
export function drawEraseButton(label, erase) {
  const button = h("button", { type: "button", class: "quiet icon", "data-act": "erase" });
  const rest = () => {
    button.classList.remove("sure");
    button.setAttribute("aria-label", label);
    button.title = label;
    replace(button, icon("trash"));
  };
  button.addEventListener("click", () => {
    if (button.classList.contains("sure")) return erase();
    button.classList.add("sure");
    button.setAttribute("aria-label", t("delete_sure"));
    replace(button, t("delete_sure"));
  });
  button.addEventListener("blur", rest);
  rest();
  return button;
}

/** A field for a text with what saves and what leaves it. Enter saves where it is one line. */
export function drawForm({ text, longest, rows }, save, cancel) {
  const field = h("textarea", { rows: rows ?? 2, maxlength: longest, "aria-label": t("edit"), value: text });
  const form = h(
    "form",
    null,
    field,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "plain", onclick: cancel }, t("cancel")),
      h("button", { class: "primary" }, t("save")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save(field.value.trim());
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    }
    if (event.key === "Enter" && !rows && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  return form;
}
