// The persona files that the settings name, as text, checked while they are written. What cannot be used is not saved.

import { h, replace } from "/dom.js";
import { t } from "/i18n.js";
import { askConsole, to } from "/console_parts.js";

/** So long after the last key a text is checked, in milliseconds. */
const REST = 350;

export async function drawPersonas([wanted], signal) {
  const { personas } = await askConsole("personas");
  const title = h("h1", null, t("view_personas"));
  if (personas.length === 0) return [title, h("p", { class: "note" }, t("no_personas"))];
  const chosen = personas[Number(wanted)] ?? personas[0];
  const links = personas.map((persona, at) =>
    h(
      "a",
      { href: `#personas/${at}`, "aria-current": persona === chosen && "true" },
      `${persona.name} · ${persona.file}`,
    ),
  );
  const { text } = await askConsole("persona", { file: chosen.file });
  return [
    title,
    h("nav", { class: "row spans", "aria-label": t("view_personas") }, links),
    editor(chosen.file, text, signal),
  ];
}

/** What was written and not saved, by file: it is there when somebody comes back. */
const drafts = new Map();

function editor(file, text, signal) {
  let timer = 0;
  let number = 0;
  const problems = h("div", { class: "stack", role: "status", "aria-live": "polite" });
  const save = h("button", { type: "submit", class: "primary" }, t("save"));
  const field = h("textarea", {
    id: "persona-text",
    spellcheck: "false",
    value: text,
    oninput: changed,
    "aria-describedby": "persona-note",
  });
  // As the field has it: its lines end alike whatever the file's do.
  let saved = field.value;
  field.value = drafts.get(file) ?? saved;

  function changed() {
    keepDraft();
    clearTimeout(timer);
    timer = setTimeout(check, REST);
  }

  function keepDraft() {
    if (field.value === saved) drafts.delete(file);
    else drafts.set(file, field.value);
  }

  async function check() {
    const mine = ++number;
    const result = await askConsole("check_persona", { file, text: field.value });
    if (mine === number && !signal.aborted) tell(result, t("persona_fine", { name: result.name }));
  }

  function tell({ name, problems: found }, fine) {
    save.disabled = name === null || field.value === saved;
    const jump = (line) => () => {
      const start =
        field.value
          .split("\n")
          .slice(0, line - 1)
          .join("\n").length + (line > 1 ? 1 : 0);
      field.focus();
      field.setSelectionRange(start, start + field.value.slice(start).split("\n")[0].length);
      field.scrollTop = Math.max(0, (line - 4) * Number.parseFloat(getComputedStyle(field).lineHeight));
    };
    const item = ({ line, error, text: words }) =>
      h(
        "li",
        null,
        h("span", { class: error ? "pill failed" : "pill warned" }, error ? t("log_error") : t("log_warning")),
        " ",
        line && h("button", { type: "button", class: "plain", onclick: jump(line) }, t("line_number", { line })),
        " ",
        words,
      );
    replace(
      problems,
      found.length === 0 ? h("p", { class: "fine" }, fine) : h("ul", { class: "faults" }, found.map(item)),
    );
  }

  async function submit(event) {
    event.preventDefault();
    clearTimeout(timer);
    const mine = ++number;
    const written = field.value;
    const result = await askConsole("save_persona", { file, text: written });
    if (result.saved) saved = written;
    keepDraft();
    if (mine === number) tell(result, t("persona_saved", { file }));
  }

  const form = h(
    "form",
    { class: "panel persona", onsubmit: submit },
    h("label", { for: "persona-text" }, file),
    field,
    h("p", { class: "note", id: "persona-note" }, t("persona_note")),
    problems,
    h("div", { class: "row" }, save, to("settings", t("view_settings"))),
  );
  form.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!save.disabled) form.requestSubmit();
  });
  window.addEventListener("beforeunload", (event) => field.value !== saved && event.preventDefault(), { signal });
  check();
  return form;
}
