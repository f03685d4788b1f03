// The list of turns, newest first; one opens to what turn.js draws. Open turns stay open while others come in.

import { ask } from "/api.js";
import { byId, h, replace } from "/dom.js";
import { clock, duration, t, whole } from "/i18n.js";
import { companionName } from "/message.js";
import { drawNews, newest } from "/tool_news.js";
import { on, room } from "/page_state.js";
import { drawTurn } from "/turn.js";

const list = byId("turns");
/** A full page of turns: there may be older ones. */
const PAGE = 10;
/** The ids of unfolded turns. */
const opened = new Set();
/** What is drawn, by id: a turn that did not change keeps its element, and with it what is unfolded in it. */
const drawn = new Map();
let exhausted = false;

/** Wires the list. */
export function start() {
  on("turns", draw);
  on("history", () => {
    exhausted = false;
  });
  on("progress", (turn) => {
    for (const place of list.querySelectorAll(`[data-turn="${turn.turn}"] :is(.live, .more)`))
      place.textContent = turn.raw;
  });
  on("news", (turn) => {
    for (const row of list.querySelectorAll(`[data-turn="${turn.turn}"]`)) {
      row.querySelector(".more").textContent = newest(turn);
      const place = row.querySelector(".news");
      if (!place) continue;
      replace(place, drawNews(turn));
      place.scrollTop = place.scrollHeight;
    }
  });
  on("calling", (turn) => {
    for (const place of list.querySelectorAll(`[data-turn="${turn.turn}"] > .calling`))
      replace(place, drawStops(turn));
  });
}

/** Opens a turn and brings it into view; fetches it if it is not in the list. */
export async function open(turn) {
  opened.add(turn);
  if (!room.turns.some((known) => known.turn === turn)) {
    const { report } = await ask("turn", { id: turn });
    room.turns.push(report);
    room.turns.sort((a, b) => b.started - a.started);
  }
  drawn.delete(turn);
  draw();
  const row = list.querySelector(`[data-turn="${turn}"]`);
  row?.scrollIntoView({ block: "start" });
  row?.querySelector("summary").focus({ preventScroll: true });
}

function draw() {
  const focused = list.contains(document.activeElement) && document.activeElement;
  const rows = room.turns.map((turn) => {
    const known = drawn.get(turn.turn);
    if (known?.turn === turn && known.locale === t("locale")) return known.element;
    const element = row(turn);
    drawn.set(turn.turn, { turn, locale: t("locale"), element });
    return element;
  });
  const more = rows.length >= PAGE && !exhausted;
  replace(
    list,
    h("h3", { id: "turns-title" }, t("turns")),
    rows.length === 0 && room.isLoaded && h("p", { class: "note" }, t("no_turns", { name: companionName() })),
    rows,
    more && h("button", { type: "button", class: "plain", onclick: fetchOlder }, t("older_turns")),
  );
  if (focused && document.activeElement !== focused) {
    const turn = focused.closest("[data-turn]")?.dataset.turn;
    const place = list.contains(focused) ? focused : list.querySelector(`[data-turn="${turn}"] summary`);
    place?.focus({ preventScroll: true });
  }
}

async function fetchOlder() {
  const { channel } = room;
  const { turns } = await ask("turns", { channel, before: room.turns.at(-1).turn });
  if (room.channel !== channel) return;
  exhausted = turns.length === 0;
  room.turns.push(...turns);
  draw();
}

/** The outcome's word, and what was said or why nothing was. */
function outcomeOf(turn) {
  if (turn.running) return ["running", turn.raw];
  if (turn.outcome !== "acted") return Object.entries(turn.outcome)[0];
  const visible = turn.rounds.flatMap(({ calls }) => calls).filter(({ kind }) => kind === "visible");
  return ["acted", visible.map(({ call }) => call.params.text ?? call.params.emoji ?? call.name).join(" ")];
}

function row(turn) {
  const [outcome, more] = outcomeOf(turn);
  const body = h("div", { class: "turn-body" });
  const details = h(
    "details",
    { open: opened.has(turn.turn) },
    h(
      "summary",
      null,
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "what" }, h("strong", null, t(`turn_${outcome}`)), h("span", { class: "more" }, more)),
      h("span", { class: "numbers" }, !turn.running && numbers(turn), h("time", null, clock(turn.started))),
    ),
    body,
  );
  const unfold = async () => {
    replace(body, drawTurn(turn, []));
    const { report, prompts } = await ask("turn", { id: turn.turn });
    replace(body, drawTurn(turn.running ? turn : { ...report, news: turn.news }, prompts));
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
  // No button stands within another.
  return h("div", { class: `turn ${outcome}`, "data-turn": turn.turn }, details, turn.running && [
    stop(turn),
    h("div", { class: "calling" }, drawStops(turn)),
  ]);
}

/** For each call that runs a button that ends it half-way; the turn goes on. */
function drawStops({ turn, calling }) {
  return calling.map(({ call, tool }) => {
    // It may be over by the time of the click: then there is nothing to stop, and nothing to tell.
    const stops = () => ask("stop_call", { turn, call }).catch(() => {});
    return h("button", { type: "button", class: "plain small", "data-act": "stop-call", onclick: stops }, t("stop_call", { tool }));
  });
}

/** Ends the turn, with whatever its tools are doing. */
function stop({ turn }) {
  const ends = async (event) => {
    event.preventDefault();
    await ask("stop_turn", { id: turn });
  };
  return h("button", { type: "button", class: "plain small", "data-act": "stop", onclick: ends }, t("stop"));
}

function numbers(turn) {
  const tokens = turn.rounds.reduce((sum, { usage }) => sum + (usage ? usage.prompt + usage.completion : 0), 0);
  const took = duration(turn.ended - turn.started);
  return tokens === 0 ? took : `${took} · ${t("tokens", { count: whole(tokens) })}`;
}
