// What went wrong lately: turns in which something failed, and what the log warned of.

import { h } from "/dom.js";
import { moment, t, whole } from "/i18n.js";
import { askConsole, channelLink, section, table, to } from "/console_parts.js";

export async function drawFaults() {
  const { turns, log } = await askConsole("faults");
  const failures = turns.map(({ turn, channel, channel_name: name, at, messages, failed }) => [
    to(`turn/${turn}`, whole(turn)),
    channelLink(channel, name),
    moment(at),
    h("span", { class: failed ? "pill failed" : "pill warned" }, failed ? t("turn_failed") : t("went_on")),
    h(
      "ul",
      { class: "faults" },
      messages.map((message) => h("li", null, message)),
    ),
  ]);
  const lines = log.map(({ at, error, text }) => [
    moment(at),
    h("span", { class: error ? "pill failed" : "pill warned" }, error ? t("log_error") : t("log_warning")),
    text,
  ]);
  return [
    h("h1", null, t("view_faults")),
    section(
      t("faulty_turns"),
      table(
        t("faulty_turns"),
        [[t("turn")], [t("channel")], [t("when")], [t("outcome")], [t("what_failed"), "wide"]],
        failures,
        t("no_faults"),
      ),
    ),
    section(
      t("fault_log"),
      table(t("fault_log"), [[t("when")], [t("how_bad")], [t("what_happened"), "wide"]], lines, t("no_fault_log")),
    ),
  ];
}
