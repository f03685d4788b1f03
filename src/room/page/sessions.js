// Opening a session, giving it another name or note, and ending it with what came of it.

import { ask } from "/api.js";
import { h } from "/dom.js";
import { t } from "/i18n.js";
import { edit } from "/manage.js";
import { room, showNew } from "/page_state.js";

/** The longest note and outcome, in characters. */
const LONGEST = 1_500;

const field = (id, key, value) => [
  h("label", { for: id }, t(key)),
  h("textarea", { id, rows: 3, maxlength: LONGEST, dir: "auto", value }),
];
const typed = (id) => document.getElementById(id).value.trim();

/** Asks for the name of a session that is opened from a channel, and what it is for. */
export function openSession(channel) {
  const names = [...new Set(room.sessions.map(({ profile }) => profile).filter(Boolean))];
  edit({
    title: t("session_open_in", { name: `#${channel.name}` }),
    name: "",
    longest: 100,
    fields: [
      ...field("session-about", "session_about", ""),
      h("label", { for: "session-profile" }, t("session_profile")),
      h("input", { id: "session-profile", list: "session-profiles", maxlength: 100, autocomplete: "off" }),
      h("datalist", { id: "session-profiles" }, names.map((value) => h("option", { value }))),
    ],
    isNew: true,
    save: async (label) => {
      const [about, profile] = [typed("session-about") || null, typed("session-profile") || null];
      const { session } = await ask("open_session", { channel: channel.id, label, about, profile });
      await showNew(session.channel);
    },
  });
}

/** Asks what a session is called and for from now on, or what came of it. */
export function editSession(session) {
  edit({
    title: t("edit_named", { name: `#${session.label}` }),
    name: session.label,
    longest: 100,
    fields: [...field("session-about", "session_about", session.about), ...field("session-outcome", "session_outcome", "")],
    isNew: false,
    warning: t("session_close_note"),
    removeLabel: t("session_close"),
    remove: () => ask("close_session", { id: session.id, outcome: typed("session-outcome") || null }),
    save: (label) => {
      const about = typed("session-about");
      // A note that nobody touched stays as the model or the person who wrote it left it.
      return ask("change_session", { id: session.id, label, about: about === (session.about ?? "").trim() ? null : about });
    },
  });
}
