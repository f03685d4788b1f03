// The "connect a model" panel: an address, a key, the models there, a test, and then using one.

import { ask } from "/api.js";
import { dialog, h, replace } from "/dom.js";
import { duration, t } from "/i18n.js";
import { changed, room } from "/page_state.js";

/** Opens the panel. The key leaves the page only in the requests to the daemon and is kept nowhere. */
export function connectModel() {
  const url = h("input", {
    id: "model-url",
    type: "url",
    required: true,
    autofocus: true,
    value: room.model?.url || "http://127.0.0.1:11434",
  });
  const key = h("input", { id: "model-key", type: "password", autocomplete: "off" });
  const known = h("datalist", { id: "model-known" });
  const model = h("input", {
    id: "model-name",
    required: true,
    list: "model-known",
    autocomplete: "off",
    value: room.model?.stand_in ? "" : (room.model?.name ?? ""),
  });
  const keep = h("input", { id: "model-keep", type: "checkbox" });
  const outcome = h("p", { class: "outcome", role: "status" });
  const button = (label, kind) => h("button", { type: kind === "primary" ? "submit" : "button", class: kind }, label);
  const fetchModels = button(t("list_models"), "plain");
  const test = button(t("test"), "plain");
  const use = button(t("use"), "primary");
  const form = h(
    "form",
    { class: "fields" },
    room.model?.stand_in && h("p", { class: "note" }, t("stand_in_note")),
    h("label", { for: "model-url" }, t("url")),
    url,
    h("p", { class: "hint" }, t("url_hint")),
    h("label", { for: "model-key" }, t("key")),
    key,
    h("p", { class: "hint" }, t("key_hint")),
    h("label", { for: "model-name" }, t("model")),
    h("div", { class: "row" }, model, fetchModels),
    known,
    h("div", { class: "check" }, keep, h("label", { for: "model-keep" }, t("keep_model"))),
    outcome,
    h("div", { class: "row end" }, test, use),
  );
  const box = dialog(t("connect"), t("close"), form);

  const address = () => ({ url: url.value.trim(), key: key.value });
  const choice = () => ({ ...address(), model: model.value.trim() });
  const attempt = async (name, fields) => {
    outcome.className = "outcome";
    outcome.textContent = t("testing");
    for (const one of [fetchModels, test, use]) one.disabled = true;
    try {
      return await ask(name, fields);
    } catch (error) {
      outcome.className = "outcome problem";
      outcome.textContent = error.message;
      return null;
    } finally {
      for (const one of [fetchModels, test, use]) one.disabled = false;
    }
  };

  fetchModels.addEventListener("click", async () => {
    if (!url.reportValidity()) return;
    const found = await attempt("list_models", address());
    if (!found) return;
    replace(
      known,
      found.models.map((name) => h("option", { value: name })),
    );
    if (!model.value && found.models.length > 0) model.value = found.models[0];
    outcome.textContent = t("found_models", { count: found.models.length });
    model.focus();
  });
  test.addEventListener("click", async () => {
    if (!form.reportValidity()) return;
    const tested = await attempt("test_model", choice());
    if (tested) outcome.textContent = t("tested", { said: tested.said, time: duration(tested.milliseconds) });
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { model: name } = choice();
    const used = await attempt("use_model", { ...choice(), keep: keep.checked });
    if (!used) return;
    changed("notice", t(used.kept ? "now_keeping" : "now_using", { name, file: used.kept }));
    box.close();
  });
}
