// Where one writes: as whom, what, in reply to what; with completion of @names, and drafts that survive a reload.

import { ask } from "/api.js";
import { byId, h, icon, replace, sign } from "/dom.js";
import { t } from "/i18n.js";
import { completion } from "/mentions.js";
import { attempt, discard, post, waiting } from "/outbox.js";
import { become, here, me, on, room } from "/page_state.js";

/** A typing notice is sent at most so often, in milliseconds. */
const TYPING_EVERY = 4000;

const form = byId("composer");
let replyTo = null;
let lastTyping = 0;
let editLast = () => {};
const parts = {};

/** Wires the field. `editLast` edits the person's last message. */
export function start(page) {
  editLast = page.editLast;
  build();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  on("people channels", drawPeople);
  on("history", restore);
  on("outbox", drawWaiting);
  on("gone", (id) => replyTo?.id === id && reply(null));
  document.addEventListener("keydown", (event) => {
    const person = event.altKey && /^Digit[1-9]$/.test(event.code) && room.people[Number(event.code.at(-1)) - 1];
    if (!person) return;
    event.preventDefault();
    become(person.id);
  });
}

function build() {
  parts.waiting = h("div", { class: "waiting" });
  parts.reply = h("div", { class: "replying", hidden: true });
  parts.people = h("div", { class: "as", role: "radiogroup" });
  parts.field = h("textarea", { id: "write", rows: 1, dir: "auto", maxlength: 4000, enterkeyhint: "send" });
  parts.send = h("button", { class: "primary icon send" }, icon("send"));
  parts.names = completion(parts.field, changedText);
  form.append(
    parts.waiting,
    parts.reply,
    parts.people,
    h("div", { class: "field" }, parts.names, parts.field, parts.send),
  );
  parts.field.addEventListener("input", changedText);
  parts.field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && parts.field.value === "") {
      event.preventDefault();
      editLast();
    } else if (event.key === "Escape" && replyTo) {
      reply(null);
    }
  });
}

/** Draws the labels anew, e.g. in another language. */
export function draw() {
  drawPeople();
  drawWaiting();
  reply(replyTo);
}

function drawPeople() {
  parts.people.setAttribute("aria-label", t("write_as"));
  parts.send.setAttribute("aria-label", t("send"));
  const focused = parts.people.contains(document.activeElement);
  const radios = room.people.map((person, at) => {
    const chosen = person.id === room.person;
    return h(
      "button",
      {
        type: "button",
        role: "radio",
        "aria-checked": String(chosen),
        tabindex: chosen ? 0 : -1,
        title: at < 9 ? `Alt ${at + 1}` : null,
        onclick: () => {
          become(person.id);
          focus();
        },
        onkeydown: (event) => {
          const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          become(room.people.at((at + step) % room.people.length).id);
        },
      },
      sign(person),
      h("span", null, person.name),
    );
  });
  replace(parts.people, h("span", { class: "small", "aria-hidden": "true" }, t("write_as")), radios);
  if (focused) parts.people.querySelector("[aria-checked=true]")?.focus();
  const label = t("write_in", { person: me()?.name, channel: here()?.name });
  parts.field.placeholder = label;
  parts.field.setAttribute("aria-label", label);
}

function drawWaiting() {
  const rows = waiting
    .filter(({ channel }) => channel === room.channel)
    .map((entry) =>
      h(
        "div",
        { class: entry.problem ? "stuck" : "" },
        h("span", { class: "text", dir: "auto" }, entry.text),
        h(
          "span",
          { class: "small", role: "status" },
          entry.problem ? t("not_sent", { why: entry.problem }) : t("sending"),
        ),
        entry.problem && [
          h("button", { type: "button", class: "plain", onclick: () => attempt(entry) }, t("retry")),
          h("button", { type: "button", class: "plain", onclick: () => discard(entry) }, t("discard")),
        ],
      ),
    );
  replace(parts.waiting, rows);
}

/** Chooses the message to reply to; `null` for none. */
export function reply(message) {
  replyTo = message;
  parts.reply.hidden = message === null;
  replace(
    parts.reply,
    message && [
      icon("reply"),
      h("strong", null, t("replying", { name: message.author.name })),
      h("span", { class: "text", dir: "auto" }, message.text),
      h(
        "button",
        { type: "button", class: "quiet icon", "aria-label": t("cancel"), onclick: () => reply(null) },
        icon("close"),
      ),
    ],
  );
  if (message) focus();
}

/** Puts the cursor where one writes. */
export const focus = () => parts.field.focus();

function send() {
  const text = parts.field.value.trim();
  if (!text || !me() || !here()) return;
  post(text, replyTo?.id);
  parts.field.value = "";
  lastTyping = 0;
  reply(null);
  changedText();
}

const draft = () => `kith.draft.${room.channel}`;

function restore() {
  const text = sessionStorage.getItem(draft()) ?? "";
  if (text !== parts.field.value) {
    parts.field.value = text;
    reply(null);
  }
  grow();
  drawWaiting();
}

function changedText() {
  const text = parts.field.value;
  grow();
  if (room.channel) sessionStorage.setItem(draft(), text);
  if (!text.trim() || !me() || Date.now() - lastTyping < TYPING_EVERY) return;
  lastTyping = Date.now();
  // A lost typing notice harms nobody.
  ask("typing", { channel: room.channel, person: room.person }).catch(() => {});
}

function grow() {
  parts.field.style.setProperty("height", "auto");
  parts.field.style.setProperty("height", `${Math.min(parts.field.scrollHeight, 180)}px`);
}
