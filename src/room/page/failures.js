// What the companion could not say and why, as lines of the conversation that only who runs Kith sees: they are drawn
// from the turns, and nobody stored a message.

import { h, icon } from "/dom.js";
import { clock, t } from "/i18n.js";
import { companionName } from "/message.js";
import { room } from "/page_state.js";

/** Why a turn failed, though it may have said something before; `null` where it did not fail. */
export function failureOf(turn) {
  if (turn.running) return null;
  const failure = turn.rounds.at(-1)?.failure?.message;
  return turn.outcome === "acted" ? (failure ?? null) : turn.outcome.failed ? (failure ?? turn.outcome.failed) : null;
}

/** The failures, oldest first; the same one again and again is one, at its last time. */
function folded() {
  const all = [];
  for (const turn of room.turns.toReversed()) {
    const why = failureOf(turn);
    const last = all.at(-1);
    // A time to wait differs each time.
    const same = last && why?.replace(/\d+/g, "") === last.why.replace(/\d+/g, "");
    if (why && same && !last.mended) Object.assign(last, { why, turn, count: last.count + 1 });
    else if (why) all.push({ why, turn, count: 1, mended: false });
    else if (last && turn.outcome === "acted") last.mended = true;
  }
  return all;
}

/** What is drawn, by turn, count and language: a line that did not change is not read out again. */
let drawn = new Map();

/** Puts the lines at their places among the rows of `log`. `showTurn` opens a turn. */
export function placeFailures(log, showTurn) {
  const kept = new Map();
  /** Behind what the next line of a row stands. */
  const ends = new Map();
  for (const { why, turn, count } of folded()) {
    const before = room.messages.findLast(({ at }) => at <= turn.ended);
    // Older, or newer, than what the page shows of the channel: it comes with the messages around it.
    if (before ? room.newer && before === room.messages.at(-1) : room.more) continue;
    const key = `${turn.turn} ${count} ${t("locale")}`;
    const line = drawn.get(key) ?? draw(why, turn, count, showTurn);
    kept.set(key, line);
    const row = before && log.querySelector(`#m${before.id}`);
    const place = ends.get(row) ?? row;
    if (place && place.nextElementSibling !== line) place.after(line);
    else if (!place && !line.isConnected) log.append(line);
    ends.set(row, line);
  }
  for (const line of log.querySelectorAll(".failure")) if (![...kept.values()].includes(line)) line.remove();
  drawn = kept;
}

function draw(why, turn, count, showTurn) {
  return h(
    "div",
    { class: "failure", role: "note" },
    icon("warning"),
    h(
      "div",
      null,
      h("p", null, h("strong", null, t("no_answer", { name: companionName() })), " ", why),
      h(
        "p",
        { class: "small" },
        [clock(turn.ended), count > 1 && t("times", { count }), t("only_you")].filter(Boolean).join(" · "),
        " ",
        h("button", { type: "button", class: "plain", onclick: () => showTurn(turn.turn) }, t("said_in_turn")),
      ),
    ),
  );
}
