// The button that copies a text.

import { h } from "/dom.js";
import { t } from "/i18n.js";

/** Copies `text`, and says so in its label. */
export function copyButton(text) {
  const copy = h("button", { type: "button", class: "plain small copy" }, t("copy"));
  copy.addEventListener("click", async (event) => {
    // It may stand where a click folds something.
    event.preventDefault();
    await navigator.clipboard.writeText(text);
    copy.textContent = t("copied");
  });
  return copy;
}
