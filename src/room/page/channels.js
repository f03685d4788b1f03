// The left side: channels, people, the model that answers, the page's language.

import { ask } from "/api.js";
import { byId, dialog, h, icon, replace, sign } from "/dom.js";
import { switchLanguage, t, toHundred, whole } from "/i18n.js";
import { editChannel, editPerson } from "/manage.js";
import { connectModel } from "/model.js";
import { become, here, on, room, show } from "/page_state.js";
import { editSession, openSession } from "/sessions.js";

/** Wires the left side. `draw` draws the whole page anew, `toChat` shows the chat where only one pane fits. */
export function start(draw, toChat) {
  for (const id of ["add-channel", "add-person"]) byId(id).append(icon("plus"));
  byId("add-channel").addEventListener("click", () => editChannel(null));
  byId("add-person").addEventListener("click", () => editPerson(null));
  byId("edit-channel").append(icon("edit"));
  byId("edit-channel").addEventListener("click", () => editChannel(here()));
  byId("open-session").append(icon("plus"));
  byId("open-session").addEventListener("click", () => openSession(here()));
  byId("help").addEventListener("click", showKeys);
  byId("model").addEventListener("click", connectModel);
  byId("language").addEventListener("click", () => {
    switchLanguage();
    draw();
  });
  on("channels unread", () => drawChannels(toChat));
  on("people channels", drawPeople);
  on("model", drawModel);
}

function drawChannels(toChat) {
  const entries = asTree(room.channels).map((channel) => {
    const session = room.sessions.find((known) => known.channel === channel.id);
    const unread = room.unread.get(channel.id) ?? 0;
    const open = () => {
      toChat();
      show(channel.id);
    };
    return h(
      "li",
      { class: channel.parent ? "thread" : null },
      h(
        "button",
        {
          type: "button",
          class: unread ? "entry unread" : "entry",
          "aria-current": channel.id === room.channel ? "page" : null,
          onclick: open,
        },
        h("span", { class: "hash", "aria-hidden": "true" }, channel.kind === "direct" ? "@" : "#"),
        h("span", { class: "label", dir: "auto" }, channel.name),
        channel.mode === "on" ? null : h("span", { class: "mode" }, t(`mode_${channel.mode}`)),
        unread > 0 && h("span", { class: "new", "aria-label": t("new_messages", { count: toHundred(unread) }) }, toHundred(unread)),
      ),
      session && [editor(session), closer(session)],
    );
  });
  replace(byId("channels"), entries);
  const channel = here();
  replace(byId("channel-name"), h("span", { class: "hash", "aria-hidden": "true" }, "# "), channel?.name);
  byId("channel-topic").textContent = channel?.topic ?? "";
  const unread = [...room.unread.values()].reduce((sum, count) => sum + count, 0);
  document.title = `${unread > 0 ? `(${toHundred(unread)}) ` : ""}${channel ? `#${channel.name} · ` : ""}Kith`;
}

/** Threads below the channel they hang below. */
function asTree(channels) {
  const below = (id) => channels.filter(({ parent }) => parent === id);
  const known = new Set(channels.map(({ id }) => id));
  const tops = channels.filter(({ parent }) => !known.has(parent));
  return tops.flatMap((top) => [top, ...below(top.id)]);
}

/** Gives a session another name or note, or ends it with what came of it. */
function editor(session) {
  const label = t("edit_named", { name: `#${session.label}` });
  const change = () => editSession(session);
  return h(
    "button",
    { type: "button", class: "quiet icon", "aria-label": label, title: label, "aria-haspopup": "dialog", onclick: change },
    icon("edit"),
  );
}

/** Ends a session; its channel stays. */
function closer(session) {
  const label = [t("session_close"), session.profile].filter(Boolean).join(" · ");
  const close = () => ask("close_session", { id: session.id });
  return h("button", { type: "button", class: "quiet icon", "aria-label": label, title: label, onclick: close }, icon("close"));
}

function drawPeople() {
  const companion = here()?.companion;
  const entries = room.people.map((person) =>
    h(
      "li",
      null,
      h(
        "button",
        {
          type: "button",
          class: "entry",
          "aria-pressed": String(person.id === room.person),
          title: `${t("write_as")} ${person.name}`,
          onclick: () => become(person.id),
        },
        sign(person),
        h("span", { class: "label", dir: "auto" }, person.name),
      ),
      h(
        "button",
        {
          type: "button",
          class: "quiet icon rename",
          "aria-label": t("edit_named", { name: person.name }),
          title: t("edit_named", { name: person.name }),
          onclick: () => editPerson(person),
        },
        icon("edit"),
      ),
    ),
  );
  const last =
    companion &&
    h(
      "li",
      { class: "entry" },
      sign(companion),
      h("span", { class: "label" }, companion.name),
      h("span", { class: "mode" }, t("companion")),
    );
  replace(byId("people"), entries, last);
}

function drawModel() {
  const { model } = room;
  if (!model) return;
  const used = whole(model.tokens_today);
  const budget =
    model.daily_cap === null ? t("budget_open", { used }) : t("budget", { used, cap: whole(model.daily_cap) });
  const share = model.daily_cap ? Math.min(1, model.tokens_today / model.daily_cap) : 0;
  replace(
    byId("model"),
    h("span", { class: model.stand_in ? "tag demo" : "tag" }, model.stand_in ? t("stand_in") : t("model")),
    h("strong", null, model.stand_in ? t("connect") : model.name),
    model.trouble && h("span", { class: "trouble" }, model.trouble),
    h("span", { class: "meter", "aria-hidden": "true", "--share": share }, h("span")),
    h("span", { class: "small" }, budget),
  );
}

/** Keys, each with the message that says what it does. */
const KEYS = [
  ["Enter", "key_send"],
  ["Shift Enter", "key_new_line"],
  ["@", "key_mention"],
  ["↑", "key_edit_last"],
  ["Alt 1 … 9", "key_other_person"],
  ["↑ ↓", "key_move"],
  ["R E Del", "key_message_actions"],
  ["W", "key_why"],
  ["Esc", "key_back"],
];

function showKeys() {
  const rows = KEYS.map(([keys, what]) =>
    h(
      "div",
      null,
      h(
        "dt",
        null,
        keys.split(" ").map((key) => h("kbd", null, key)),
      ),
      h("dd", null, t(what)),
    ),
  );
  dialog(t("keys"), t("close"), h("dl", { class: "keys" }, rows));
}
