// The middle: the conversation and who is typing. Stays at the newest line while it is in view.

import { byId, h, replace } from "/dom.js";
import { placeFailures } from "/failures.js";
import { day, list, t, toHundred } from "/i18n.js";
import { companionName, drawMessage, editInPlace } from "/message.js";
import { changed, fetchNewer, fetchOlder, me, members, on, room, show, showAround } from "/page_state.js";

/** Lines of one person within this time stand together without the name, in milliseconds. */
const TOGETHER = 5 * 60_000;
/** So near to the end, in pixels, new lines scroll into view. */
const NEAR_END = 90;
/** So near to the first or last line on show, in pixels, what lies beyond it is fetched. */
const NEAR_EDGE = 300;

const log = byId("log");
let acts = {};
/** The id of the row that Tab reaches: of hundreds, only this one's buttons are in the order of focus. */
let current = null;
/** How far down the place was scrolled when that was last looked at, in pixels. */
let scrolledTo = 0;

/** Wires the conversation. `page` does what spans the page: reply, showMind, showTurn, write. */
export function start(page) {
  acts = { ...page, goTo, edit };
  on("history", () => {
    room.following = true;
    draw();
  });
  on("older", () => {
    const fromEnd = log.scrollHeight - log.scrollTop;
    room.following = false;
    draw();
    log.scrollTop = log.scrollHeight - fromEnd;
  });
  on("newer", () => {
    const { scrollTop } = log;
    draw();
    log.scrollTop = scrollTop;
  });
  on("around", () => {
    room.following = false;
    draw();
  });
  on("said", said);
  on("message", redraw);
  on("gone", (id) => {
    const row = byId(`m${id}`);
    const next = row?.nextElementSibling;
    if (row?.contains(document.activeElement)) (next ?? log).focus();
    noticeScroll();
    draw();
  });
  on("people", () => {
    noticeScroll();
    draw();
  });
  on("turns", drawFailures);
  on("typing", drawTyping);
  setInterval(drawTyping, 1000);
  log.addEventListener("keydown", move);
  log.addEventListener("focusin", (event) => {
    const row = event.target.closest(".message");
    if (row && row.id !== current) rove(row.id);
  });
  log.addEventListener("scroll", scrolled);
  byId("jump").addEventListener("click", jump);
  on("unread", drawJump);
  // The place shrinks when the field below grows, and is nothing while another pane is on show.
  new ResizeObserver(follow).observe(log);
}

function rove(id) {
  current = byId(id ?? "") ? id : (log.querySelector(".message:last-of-type")?.id ?? null);
  for (const row of log.querySelectorAll(".message")) {
    const tabindex = row.id === current ? 0 : -1;
    row.tabIndex = tabindex;
    for (const inner of row.querySelectorAll("a, button, input, [role=button]")) inner.tabIndex = tabindex;
  }
}

function follow() {
  noticeScroll();
  if (room.following) log.scrollTop = log.scrollHeight;
  scrolledTo = log.scrollTop;
  drawJump();
}

/** The browser tells of scrolling a frame late: who has scrolled up since is not pulled back. */
function noticeScroll() {
  if (log.clientHeight > 0 && log.scrollTop < scrolledTo) scrolled();
}

function scrolled() {
  const isUp = log.scrollTop < scrolledTo;
  scrolledTo = log.scrollTop;
  const below = log.scrollHeight - log.scrollTop - log.clientHeight;
  const before = room.following;
  if (below < NEAR_END) room.following = !room.newer;
  // Lines that grew below are no reason to stop following.
  else if (isUp) room.following = false;
  if (log.scrollTop < NEAR_EDGE && room.more && !room.following) fetchOlder();
  if (below < NEAR_EDGE && room.newer) fetchNewer();
  if (before === room.following) return;
  drawJump();
  changed("followed");
}

function drawJump() {
  const button = byId("jump");
  button.hidden = room.following;
  const count = room.unread.get(room.channel) ?? 0;
  button.textContent = count > 0 ? t("jump_new", { count: toHundred(count) }) : t("jump");
}

async function jump() {
  if (room.newer) await show(room.channel);
  room.following = true;
  follow();
  changed("followed");
  acts.write();
}

function drawFailures() {
  placeFailures(log, acts.showTurn);
  follow();
}

/** Draws the whole conversation. */
export function draw() {
  log.setAttribute("aria-busy", "true");
  const rows = room.messages.flatMap((message, at) => lines(message, room.messages[at - 1]));
  const older = room.more && h("button", { type: "button", class: "older plain", onclick: fetchOlder }, t("older"));
  const empty =
    room.messages.length === 0 &&
    room.isLoaded &&
    h(
      "div",
      { class: "empty" },
      h("h3", null, t("quiet_room")),
      h("p", null, t("quiet_hint", { name: companionName() })),
    );
  replace(log, older, empty, rows);
  scrolledTo = log.scrollTop;
  drawFailures();
  rove(current);
  requestAnimationFrame(() => log.removeAttribute("aria-busy"));
}

function lines(message, before) {
  const newDay = !before || new Date(before.at).toDateString() !== new Date(message.at).toDateString();
  const follows =
    !newDay && !message.reply_to && before.author.id === message.author.id && message.at - before.at < TOGETHER;
  const row = drawMessage(message, follows, acts);
  const from = room.unreadFrom;
  const isNew = from !== null && BigInt(message.id) > BigInt(from) && !(before && BigInt(before.id) > BigInt(from));
  return [
    newDay && h("h3", { class: "day" }, h("span", null, day(message.at))),
    isNew && h("div", { class: "day new-from", role: "separator" }, h("span", null, t("new_from_here"))),
    row,
  ].filter(Boolean);
}

function said(message) {
  const mine = message.author.id === room.person;
  room.following ||= mine;
  if (mine && room.unreadFrom !== null) {
    room.unreadFrom = null;
    log.querySelector(".new-from")?.remove();
  }
  if (room.messages.at(-1) === message && room.messages.length > 1) {
    const atEnd = current === null || current === `m${room.messages.at(-2).id}`;
    log.append(...lines(message, room.messages.at(-2)));
    drawFailures();
    // Who is not among the rows goes to the newest.
    rove(atEnd && !log.contains(document.activeElement) ? null : current);
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
  rove(current);
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

/** Brings a message into view, wherever in the channel it stands. */
export async function goTo(id) {
  const isFar = !byId(`m${id}`);
  if (isFar) await showAround(id);
  const row = byId(`m${id}`);
  // On a slow way from afar the lines at its end would be fetched.
  row?.scrollIntoView({ block: "center", behavior: isFar ? "instant" : "smooth" });
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
