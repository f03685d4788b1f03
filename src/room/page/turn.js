// One turn, whole: why it woke, and for each round the exact prompt, the raw output, thoughts, calls and times.

import { block, describeTokens, drawRoundOutput, part } from "/call.js";
import { h } from "/dom.js";
import { duration, percent, t, whole } from "/i18n.js";
import { drawNews } from "/tool_news.js";
import { members, room } from "/page_state.js";

/** The parts of an open turn. `prompts` may still be on their way. */
export function drawTurn(turn, prompts) {
  const rounds = turn.rounds.map((round, at) =>
    drawRound(
      turn,
      round,
      at,
      prompts.find(({ ask }) => ask === round.ask),
    ),
  );
  const asked = prompts.find(({ ask }) => !turn.rounds.some((round) => round.ask === ask));
  return [
    part(t("woke"), h("p", null, woke(turn.wake))),
    rounds,
    turn.running && [asked && prompt(asked), block(t("raw"), turn.raw, "live", true)],
    h("div", { class: "news" }, drawNews(turn)),
    turn.notes.length > 0 &&
      part(
        t("notes"),
        h(
          "ul",
          { class: "plain-list" },
          turn.notes.map((note) => h("li", null, note)),
        ),
      ),
  ];
}

function woke({ author, address, score, threshold, message, own }) {
  if (!address && own) return t(`woke_${own.cause ?? own.kind}`, { time: own.minutes && duration(own.minutes * 60_000) });
  if (!address) return t("woke_willing", { score: percent(score), bar: percent(threshold) });
  const source = room.messages.find(({ id }) => id === message)?.author ?? members().find(({ id }) => id === author);
  return t("woke_address", { name: source?.name ?? "?", address: t(`address_${address}`) });
}

function drawRound(turn, round, at, asked) {
  return h(
    "section",
    { class: "round" },
    h("h4", null, t("round", { ask: at + 1 }), asked && h("span", { class: "small" }, asked.model)),
    stages(turn, round, at),
    h("p", { class: "small" }, describeTokens(round)),
    asked && prompt(asked),
    drawRoundOutput(round),
  );
}

function prompt({ system, user, parts }) {
  const size = ({ name, tokens, left_out: leftOut }) =>
    [t(`part_${name}`), whole(tokens), leftOut > 0 && t("left_out", { count: whole(leftOut) })].filter(Boolean).join(" ");
  return [
    parts.length > 0 && h("p", { class: "small" }, parts.map(size).join(" · ")),
    block(`${t("prompt")} · ${t("system")}`, system, "system"),
    block(`${t("prompt")} · ${t("user")}`, user, "user"),
  ];
}

/** Where a round's time went, as a bar and in words. */
function stages(turn, round, at) {
  const { asked_at: asked, first_delta_ms: first, ended_ms: ended } = round;
  const done = turn.rounds[at + 1]?.asked_at ?? turn.ended;
  const parts = [
    ["before", at === 0 ? asked - turn.started : 0],
    ["first", first ?? ended ?? 0],
    ["writing", first === null ? 0 : (ended ?? first) - first],
    ["acting", done - asked - (ended ?? 0)],
  ].filter(([, milliseconds]) => milliseconds > 0);
  const total = parts.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  if (total === 0) return null;
  return h(
    "div",
    { class: "stages" },
    h(
      "div",
      { class: "strip", "aria-hidden": "true" },
      parts.map(([name, ms]) => h("span", { class: name, "--share": ms / total })),
    ),
    h(
      "ul",
      null,
      parts.map(([name, ms]) => h("li", { class: name }, t(`stage_${name}`), " ", h("b", null, duration(ms)))),
    ),
  );
}
