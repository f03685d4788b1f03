// Notifications of the desktop while the page is out of sight, where the person and the browser allow them.

import { byId } from "/dom.js";
import { t } from "/i18n.js";
import { on, room, show } from "/page_state.js";

const STORED = "kith.notify";
/** The longest text of one, in characters. */
const LONGEST = 200;

const isOn = () => localStorage.getItem(STORED) === "on" && Notification.permission === "granted";

/** Wires the switch and what is told. */
export function start() {
  const button = byId("notify");
  button.hidden = !("Notification" in window);
  if (button.hidden) return;
  button.addEventListener("click", toggle);
  on("heard", tell);
}

/** Draws the switch. */
export function draw() {
  const button = byId("notify");
  if (button.hidden) return;
  button.textContent = t(isOn() ? "notify_on" : Notification.permission === "denied" ? "notify_denied" : "notify_off");
  button.setAttribute("aria-pressed", String(isOn()));
}

async function toggle() {
  const wants = !isOn() && (await Notification.requestPermission()) === "granted";
  localStorage.setItem(STORED, wants ? "on" : "off");
  draw();
}

function tell({ channel, author, text }) {
  if (author.kind !== "companion" || document.visibilityState === "visible" || !isOn()) return;
  const name = room.channels.find(({ id }) => id === channel)?.name ?? "";
  const note = new Notification(`${author.name} · #${name}`, { body: text.slice(0, LONGEST), tag: channel });
  note.onclick = () => {
    window.focus();
    show(channel);
    note.close();
  };
}
