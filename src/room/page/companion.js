// The right side: how much the companion would like to speak, now or at one message, and how it is.

import { byId, h, icon, replace, sign } from "/dom.js";
import { duration, percent, said, span, t } from "/i18n.js";
import { spark } from "/willingness_chart.js";
import { here, now, on, pin, refreshMind, room } from "/page_state.js";
import { open as openTurn } from "/turns.js";
import { gauge, headline, reasons } from "/willingness.js";

/** How often the state of mind is fetched while nothing happens, in milliseconds: it decays by itself. */
const LOOK_AGAIN = 10_000;

/** Wires the right side. */
export function start() {
  on("mind channels", draw);
  on("turns", drawWillingness);
  on("history said gone", drawSpark);
  on("message", drawSpark);
  setInterval(drawCountdown, 200);
  setInterval(() => document.visibilityState === "visible" && room.channel && refreshMind(), LOOK_AGAIN);
}

function draw() {
  drawSelf();
  drawWillingness();
  drawSpark();
  drawVitals();
}

function drawSelf() {
  const channel = here();
  if (!channel) return;
  const { mind } = room;
  const asleep = mind?.refusal === "asleep";
  const thinking = Boolean(mind?.turn);
  replace(
    byId("self"),
    sign(channel.companion),
    h(
      "div",
      null,
      h("h2", null, channel.companion.name),
      h(
        "p",
        { class: thinking ? "state thinking" : "state", role: "status" },
        h("span", { class: "dot", "aria-hidden": "true" }),
        t(thinking ? "thinking" : asleep ? "asleep_state" : "listening"),
      ),
    ),
  );
}

function drawWillingness() {
  const { mind, pinned } = room;
  const box = byId("willingness");
  const focused = box.contains(document.activeElement) && document.activeElement.id;
  const title = h("h3", { id: "willingness-title" }, t("willingness"));
  const view = pinned ? { ...pinned.explained.decision, summary: pinned.explained.summary } : mind;
  const back =
    pinned &&
    h(
      "div",
      { class: "pinned" },
      h(
        "button",
        { type: "button", class: "plain", id: "back-to-now", onclick: () => pin(null) },
        icon("back"),
        t("back_to_now"),
      ),
      h("p", null, t("at_message", { text: excerpt(pinned.message.text) })),
    );
  if (!view?.summary) {
    // What is still asked for is not said to be missing.
    const isKnown = pinned ? !pinned.explained.loading : room.isLoaded;
    replace(box, back, title, isKnown && h("p", { class: "sentence" }, t(pinned ? "no_decision" : "nothing_yet")));
    return;
  }
  const outcome = pinned && came(pinned.explained);
  const isScored = view.summary.verdict !== "not_weighed";
  replace(box, back, title, headline(view, turnOf(view)), isScored && gauge(view), outcome, isScored && reasons(view));
  if (focused) byId(focused)?.focus();
}

/** The turn that a message woke, where it is known. */
const turnOf = ({ message }) =>
  room.turns.find(({ wake }) => wake.message === message || wake.addressed.includes(message));

function excerpt(text) {
  const characters = [...text];
  return characters.length > 48 ? `${characters.slice(0, 47).join("")}…` : text;
}

/** What its decision point made of a decision, and the way to its turn. */
function came({ decision, decision_point: point, turn }) {
  if (!point) return null;
  const refused = point.outcome.refused;
  const refusal = refused && t(`refusal_${refused}`);
  const outcome = t(refused ? "outcome_refused" : `outcome_${point.outcome}`, { refusal });
  return h(
    "p",
    { class: "came" },
    t("beat_decided", { wait: duration(Math.max(0, point.at - decision.at)), outcome }),
    turn && [" ", h("button", { type: "button", class: "plain", onclick: () => openTurn(turn) }, t("said_in_turn"))],
  );
}

function drawSpark() {
  const box = byId("spark");
  const chart = spark(room.messages, room.pinned?.message.id, pin);
  box.hidden = chart === null;
  const focused = box.contains(document.activeElement);
  replace(box, chart && [h("h3", { id: "spark-title" }, t("last_messages")), chart]);
  if (focused) (box.querySelector(".pinned") ?? box.querySelector("[tabindex='0']"))?.focus();
}

function drawVitals() {
  const { mind } = room;
  if (!mind) return replace(byId("vitals"));
  replace(
    byId("vitals"),
    h(
      "div",
      null,
      h("h3", null, t("energy")),
      h("p", { class: "value" }, percent(Math.round(mind.energy * 100) / 100)),
      h("span", { class: "meter", "aria-hidden": "true", "--share": mind.energy }, h("span")),
    ),
    h("div", null, h("h3", null, t("next_beat")), h("p", { class: "value", id: "countdown" })),
    said(mind.reception_told) &&
      h("div", { class: "wide" }, h("h3", null, t("reception")), h("p", { class: "small" }, said(mind.reception_told))),
  );
  drawCountdown();
}

function drawCountdown() {
  const place = byId("countdown");
  if (!place) return;
  const left = (room.mind?.next_decision_point ?? 0) - now();
  const pending = room.mind?.next_decision_point && left > 0;
  const text = pending ? span(left) : t("waiting");
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("running", Boolean(pending));
}
