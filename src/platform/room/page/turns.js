// The list of turns, newest first; one opens to what turn.js draws. Open turns stay open while others come in.

import { ask } from "/api.js";
import { byId, h, replace } from "/dom.js";
import { clock, duration, t, whole } from "/i18n.js";
import { companionName } from "/message.js";
import { changed, on, room } from "/room.js";
import { drawTurn } from "/turn.js";

const list = byId("turns");
const opened = new Set();
/** Whole turns with their prompts, by id. */
const fetched = new Map();
let exhausted = false;

/** Wires the list. */
export function start() {
  on("turns", draw);
  on("history", () => {
    exhausted = false;
  });
  on("progress", (turn) => {
    const raw = list.querySelector(`[data-turn="${turn.turn}"] .live`);
    if (raw) raw.textContent = turn.raw;
  });
}

/** Opens a turn and brings it into view; fetches it if it is not in the list. */
export async function open(turn) {
  opened.add(turn);
  if (!room.turns.some((known) => known.turn === turn)) {
    const whole = await ask("turn", { id: turn }).catch((error) => changed("notice", error.message));
    if (!whole) return;
    room.turns.push(whole.report);
    room.turns.sort((a, b) => b.started - a.started);
  }
  draw();
  const row = list.querySelector(`[data-turn="${turn}"]`);
  row?.scrollIntoView({ block: "start" });
  row?.querySelector("summary").focus({ preventScroll: true });
}

function draw() {
  const focused = list.contains(document.activeElement) && document.activeElement.closest("[data-turn]")?.dataset.turn;
  const title = h("h3", { id: "turns-title" }, t("turns"));
  const rows = room.turns.map(row);
  const empty = rows.length === 0 && h("p", { class: "note" }, t("no_turns", { name: companionName() }));
  const older =
    rows.length >= 10 &&
    !exhausted &&
    h("button", { type: "button", class: "plain", onclick: fetchOlder }, t("older_turns"));
  replace(list, title, empty, rows, older);
  if (focused) list.querySelector(`[data-turn="${focused}"] summary`)?.focus({ preventScroll: true });
}

async function fetchOlder() {
  const { channel } = room;
  const page = await ask("turns", { channel, before: room.turns.at(-1).turn }).catch(() => ({ turns: [] }));
  if (room.channel !== channel) return;
  exhausted = page.turns.length === 0;
  room.turns.push(...page.turns);
  draw();
}

/** The outcome's word, and what was said or why nothing was. */
function outcomeOf(turn) {
  if (turn.running) return ["running", ""];
  if (turn.outcome !== "acted") return Object.entries(turn.outcome)[0];
  const visible = turn.rounds.flatMap(({ calls }) => calls).filter(({ kind }) => kind === "visible");
  return ["acted", visible.map(({ call }) => call.params.text ?? call.params.emoji ?? call.name).join(" ")];
}

function row(turn) {
  const [outcome, more] = outcomeOf(turn);
  const tokens = turn.rounds.reduce((sum, { usage }) => sum + (usage ? usage.prompt + usage.completion : 0), 0);
  const body = h("div", { class: "turn-body" });
  const details = h(
    "details",
    { class: `turn ${outcome}`, "data-turn": turn.turn, open: opened.has(turn.turn) },
    h(
      "summary",
      null,
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "what" }, h("strong", null, t(outcome)), more && h("span", { class: "more" }, more)),
      h(
        "span",
        { class: "numbers" },
        turn.running
          ? null
          : [duration(turn.ended - turn.started), tokens > 0 && ` · ${t("tokens", { count: whole(tokens) })}`],
        h("time", null, clock(turn.started)),
      ),
    ),
    body,
  );
  const show = () => replace(body, drawTurn(turn, fetched.get(turn.turn)?.prompts ?? []));
  const unfold = async () => {
    show();
    if (fetched.has(turn.turn)) return;
    const whole = await ask("turn", { id: turn.turn }).catch((error) => changed("notice", error.message));
    if (!whole) return;
    if (!whole.running) fetched.set(turn.turn, whole);
    replace(body, drawTurn(turn.running ? turn : whole.report, whole.prompts));
  };
  if (details.open) unfold();
  details.addEventListener("toggle", () => {
    if (details.open === opened.has(turn.turn)) return;
    if (details.open) {
      opened.add(turn.turn);
      unfold();
    } else {
      opened.delete(turn.turn);
    }
  });
  return details;
}
