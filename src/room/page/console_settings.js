// The settings as they stand, and where each comes from. Secrets are not among them.

import { h, replace } from "/dom.js";
import { t } from "/i18n.js";
import { askConsole, section, table } from "/console_parts.js";

export async function drawSettings() {
  const { file, settings, warnings } = await askConsole("settings");
  const list = h("div", { class: "stack" });
  const text = h("input", { type: "search", oninput: fill });
  const all = h("input", { type: "checkbox", onchange: fill });

  function fill() {
    const wanted = text.value.trim().toLowerCase();
    const fits = ({ path, value, origin }) =>
      (all.checked || origin.kind !== "default") && `${path} ${JSON.stringify(value)}`.toLowerCase().includes(wanted);
    const rows = settings
      .filter(fits)
      .map(({ path, value, origin }) => [
        h("code", null, path),
        h("code", { class: "setting-value" }, JSON.stringify(value)),
        originOf(origin),
      ]);
    replace(
      list,
      table(t("view_settings"), [[t("setting")], [t("value"), "wide"], [t("comes_from")]], rows, t("no_setting_fits")),
    );
  }

  fill();
  return [
    h("h1", null, t("view_settings")),
    h("p", { class: "note" }, t("settings_file", { file })),
    warnings.length > 0 &&
      section(
        t("settings_warnings"),
        h(
          "ul",
          { class: "plain-list" },
          warnings.map((warning) => h("li", null, warning)),
        ),
      ),
    h(
      "form",
      { class: "filter", role: "search", onsubmit: (event) => event.preventDefault() },
      h("label", null, t("find_setting"), text),
      h("label", { class: "check" }, all, t("with_defaults")),
    ),
    list,
  ];
}

function originOf({ kind, file, line, name }) {
  if (kind === "file") return line ? `${file}:${line}` : file;
  return kind === "outside" ? name : t(`origin_${kind}`);
}
