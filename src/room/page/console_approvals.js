// What waits for approval anywhere: what exactly, who asked for it, until when. Each is approved or dropped with a click.

import { h, replace } from "/dom.js";
import { list, moment, t } from "/i18n.js";
import { askConsole, channelLink, repeat, to } from "/console_parts.js";

/** How often it is looked for new ones, in milliseconds. */
const REFRESH = 10_000;

export async function drawApprovals(_, signal) {
  const cards = h("div", { class: "stack", "aria-live": "polite" });
  let shown = "";

  async function refresh() {
    const { pending } = await askConsole("approvals");
    const ids = pending.map(({ id }) => id).join();
    if (signal.aborted || (ids === shown && cards.childElementCount > 0)) return;
    shown = ids;
    const had = cards.contains(document.activeElement);
    replace(
      cards,
      pending.length === 0 ? h("p", { class: "note" }, t("nothing_pending")) : pending.map((one) => card(one, refresh)),
    );
    if (had) (cards.querySelector("button") ?? document.getElementById("view")).focus();
  }

  await refresh();
  repeat(refresh, REFRESH, signal);
  return [h("h1", null, t("view_approvals")), cards];
}

function card(action, refresh) {
  const { id, channel, channel_name: name, guild_name: guild, turn, tool, preview, params, causes, expires } = action;
  const names = list(causes.map((person) => person.name));
  const decide = (approve) => () => askConsole("decide", { id, approve }).finally(refresh);
  const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  return h(
    "article",
    { class: "panel", "aria-labelledby": `pending-${id}` },
    h("h2", { id: `pending-${id}` }, t("pending_what", { tool })),
    h(
      "p",
      { class: "small" },
      channelLink(channel, name),
      guild && ` · ${guild}`,
      ` · ${causes.length > 0 ? t("pending_by", { names }) : t("pending_alone")} · ${t("pending_until", { time: moment(expires) })}`,
    ),
    preview && h("p", { class: "preview" }, preview),
    h(
      "dl",
      { class: "parameters" },
      Object.entries(params).map(([key, value]) => [h("dt", null, key), h("dd", null, shown(value))]),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "primary", "data-act": "approve", onclick: decide(true) },
        t("pending_approve"),
      ),
      h("button", { type: "button", class: "plain", "data-act": "drop", onclick: decide(false) }, t("pending_drop")),
      to(`turn/${turn}`, t("pending_why")),
    ),
  );
}
