// The middle: the conversation and who is typing. Stays at the newest line while it is in view.

import { byId, h, replace } from "/dom.js";
import { day, list, t } from "/i18n.js";
import { companionName, drawMessage, editInPlace } from "/message.js";
import { fetchOlder, me, members, on, room } from "/page_state.js";

/** Lines of one person within this time stand together without the name, in milliseconds. */
const TOGETHER = 5 * 60_000;
/** So near to the end, in pixels, new lines scroll into view. */
const NEAR_END = 90;

const log = byId("log");
let acts = {};
/** Whether the newest line is in view and shall stay there. */
let following = true;

/** Wires the conversation. `page` does what spans the page: reply, showMind, showTurn, write. */
export function start(page) {
  acts = { ...page, goTo, edit };
  on("history", () => {
    following = true;
    draw();
  });
  on("older", () => {
    const fromEnd = log.scrollHeight - log.scrollTop;
    following = false;
    draw();
    log.scrollTop = log.scrollHeight - fromEnd;
  });
  on("said", said);
  on("message", redraw);
  on("gone", (id) => {
    const row = byId(`m${id}`);
    const next = row?.nextElementSibling;
    if (row?.contains(document.activeElement)) (next ?? log).focus();
    draw();
  });
  on("people", draw);
  on("typing", drawTyping);
  setInterval(drawTyping, 1000);
  log.addEventListener("keydown", move);
  log.addEventListener("scroll", () => {
    following = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END;
  });
  // The place shrinks when the field below grows, and is nothing while another pane is on show.
  new ResizeObserver(follow).observe(log);
}

function follow() {
  if (following) log.scrollTop = log.scrollHeight;
}

/** Draws the whole conversation. */
export function draw() {
  log.setAttribute("aria-busy", "true");
  const rows = room.messages.flatMap((message, at) => lines(message, room.messages[at - 1]));
  const older = room.more && h("button", { type: "button", class: "older plain", onclick: fetchOlder }, t("older"));
  const empty =
    room.messages.length === 0 &&
    room.channel !== null &&
    h(
      "div",
      { class: "empty" },
      h("h3", null, t("quiet_room")),
      h("p", null, t("quiet_hint", { name: companionName() })),
    );
  replace(log, older, empty, rows);
  follow();
  requestAnimationFrame(() => log.removeAttribute("aria-busy"));
}

function lines(message, before) {
  const newDay = !before || new Date(before.at).toDateString() !== new Date(message.at).toDateString();
  const follows =
    !newDay && !message.reply_to && before.author.id === message.author.id && message.at - before.at < TOGETHER;
  const row = drawMessage(message, follows, acts);
  return newDay ? [h("h3", { class: "day" }, h("span", null, day(message.at))), row] : [row];
}

function said(message) {
  following ||= message.author.id === room.person;
  if (room.messages.at(-1) === message && room.messages.length > 1) {
    log.append(...lines(message, room.messages.at(-2)));
  } else {
    draw();
  }
  follow();
}

function redraw(message) {
  const row = byId(`m${message.id}`);
  if (!row || row.querySelector(".editing")) return;
  const focused = row.contains(document.activeElement) && (document.activeElement.dataset.act ?? "row");
  const fresh = drawMessage(message, row.classList.contains("follows"), acts);
  row.replaceWith(fresh);
  if (focused) (fresh.querySelector(`[data-act="${focused}"]`) ?? fresh).focus();
  follow();
}

/** Puts the field for editing into a message's row. */
export function edit(message) {
  const row = byId(`m${message.id}`);
  if (!row) return;
  editInPlace(message, row, () => {
    const current = room.messages.find(({ id }) => id === message.id);
    row.querySelector(".editing")?.remove();
    if (current) redraw(current);
    acts.write();
  });
}

/** Edits the last message of the person one writes as. */
export function editLast() {
  const last = room.messages.findLast(({ author }) => author.id === room.person);
  if (last) edit(last);
}

/** Brings a message into view. */
export function goTo(id) {
  const row = byId(`m${id}`);
  row?.scrollIntoView({ block: "center", behavior: "smooth" });
  row?.focus({ preventScroll: true });
}

function move(event) {
  const row = event.target.closest(".message");
  const rows = [...log.querySelectorAll(".message")];
  const at = rows.indexOf(row);
  const to = { ArrowUp: at < 0 ? rows.length - 1 : at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[
    event.key
  ];
  if (event.key === "Escape") return acts.write();
  if (to === undefined || (event.target !== log && event.target !== row)) return;
  event.preventDefault();
  if (to >= rows.length) return acts.write();
  rows[Math.max(to, 0)]?.focus();
}

function drawTyping() {
  const names = [];
  for (const [id, until] of room.typing) {
    if (until < Date.now()) room.typing.delete(id);
    else if (id !== me()?.id) names.push(members().find((member) => member.id === id)?.name);
  }
  const known = names.filter(Boolean);
  const line = known.length === 0 ? "" : t(known.length > 1 ? "are_typing" : "is_typing", { names: list(known) });
  const place = byId("typing");
  if (place.dataset.line === line) return;
  place.dataset.line = line;
  replace(place, line && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")), line);
}
