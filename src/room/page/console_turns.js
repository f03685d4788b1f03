// Turns in a line each, newest first: of one channel, or of all.

import { h, replace } from "/dom.js";
import { duration, moment, t, whole } from "/i18n.js";
import { askConsole, channelLink, cost, outcomeMark, outcomeOf, table, to, tokens } from "/console_parts.js";

export async function drawTurns([channel]) {
  const place = h("div", { class: "stack" });
  const turns = [];
  let name = "";

  async function fetchOlder() {
    const before = turns.at(-1)?.turn ?? null;
    const answer = await askConsole("turns", { channel: channel ?? null, before });
    turns.push(...answer.turns);
    name = turns[0]?.channel_name ?? "";
    const older = h("button", { type: "button", class: "plain", onclick: fetchOlder }, t("older_turns"));
    replace(place, turnTable(turns), answer.more && h("div", { class: "row pager" }, older));
  }

  await fetchOlder();
  const title = channel ? t("turns_in", { channel: `#${name || channel}` }) : t("view_turns");
  return [
    h("h1", null, title),
    channel && h("p", { class: "row" }, to(`channel/${channel}`, t("day_plot")), to("turns", t("turns_everywhere"))),
    place,
  ];
}

/** Turns as a table. */
export function turnTable(turns) {
  const columns = [
    [t("turn")],
    [t("channel")],
    [t("outcome"), "wide"],
    [t("began"), "number"],
    [t("took"), "number"],
    [t("rounds"), "number"],
    [t("tokens_word"), "number"],
    [t("cached"), "number"],
    [t("cost"), "number"],
  ];
  const rows = turns.map((turn) => [
    to(`turn/${turn.turn}`, whole(turn.turn)),
    channelLink(turn.channel, turn.channel_name),
    [
      outcomeMark(turn),
      " ",
      turn.unasked && h("span", { class: "small" }, t("unasked")),
      h("span", { class: "small why" }, outcomeOf(turn)[2]),
    ],
    h("time", { datetime: new Date(turn.started).toISOString() }, moment(turn.started)),
    duration(turn.ended - turn.started),
    whole(turn.rounds),
    tokens(turn),
    turn.prompt > 0 ? whole(turn.cached) : "—",
    cost(turn.cost),
  ]);
  return table(t("turns"), columns, rows, t("no_turns_yet"));
}
