// A character card that is dropped on the page becomes a persona file.

import { ask } from "/api.js";
import { dialog, h } from "/dom.js";
import { said, t } from "/i18n.js";

/** The room takes no larger file; `kith persona import` does. */
const MOST_BYTES = 11 << 20;

const hasFile = (event) => event.dataTransfer?.types.includes("Files");

function readBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

function show({ name, file, notes }) {
  const line = `persona = ${JSON.stringify(file)}`;
  const kept = notes.length > 0 && [
    h("p", null, t("card_not_kept")),
    h("ul", null, notes.map((note) => h("li", null, said(note)))),
  ];
  dialog(t("card_imported", { name }), t("close"), h("p", null, t("card_use")), h("pre", null, line), kept);
}

/** Takes files that are dropped anywhere on the page. */
export function start(notice) {
  document.addEventListener("dragover", (event) => hasFile(event) && event.preventDefault());
  document.addEventListener("drop", async (event) => {
    const file = hasFile(event) && event.dataTransfer.files[0];
    if (!file) return;
    event.preventDefault();
    if (file.size > MOST_BYTES) return notice(t("card_too_large"));
    notice(t("card_reading", { name: file.name }));
    show(await ask("import_card", { card: await readBase64(file) }, "/api/card"));
  });
}
