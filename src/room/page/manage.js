// Adding, renaming and removing channels and people.

import { ask } from "/api.js";
import { dialog, h } from "/dom.js";
import { t } from "/i18n.js";
import { become, room, showNew } from "/page_state.js";

/** Asks for a channel's name and topic; of a new one without `channel`. */
export function editChannel(channel) {
  const topic = h("input", { id: "add-topic", maxlength: 200, autocomplete: "off", value: channel?.topic ?? "" });
  edit({
    title: channel ? t("edit_named", { name: `#${channel.name}` }) : t("add_channel"),
    name: channel?.name ?? "",
    longest: 48,
    fields: [h("label", { for: "add-topic" }, t("topic")), topic],
    isNew: !channel,
    warning: t("remove_channel_note"),
    remove: channel && (() => ask("remove_channel", { channel: channel.id })),
    save: async (name) => {
      const fields = { name, topic: topic.value.trim() };
      if (channel) return ask("change_channel", { channel: channel.id, ...fields });
      const added = await ask("add_channel", fields);
      await showNew(added.id);
    },
  });
}

/** Asks for a person's name; of a new one without `person`. */
export function editPerson(person) {
  edit({
    title: person ? t("edit_named", { name: person.name }) : t("add_person"),
    name: person?.name ?? "",
    longest: 32,
    fields: null,
    isNew: !person,
    warning: t("remove_person_note"),
    remove: person && (() => ask("remove_person", { person: person.id })),
    save: async (name) => {
      if (person) return ask("rename_person", { person: person.id, name });
      const added = await ask("add_person", { name });
      if (!room.people.some(({ id }) => id === added.id)) room.people.push(added);
      become(added.id);
    },
  });
}

/** A dialog that asks for a name and what `fields` ask for; `remove` takes two clicks, with a warning between them. */
export function edit({ title, name: before, longest, fields, isNew, warning, remove, removeLabel, save }) {
  const name = h("input", {
    id: "add-name",
    required: true,
    autofocus: true,
    maxlength: longest,
    autocomplete: "off",
    dir: "auto",
    value: before,
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const attempt = async (act) => {
    try {
      await act();
      box.close();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const gone = h("button", { type: "button", class: "plain danger", "data-act": "remove" }, removeLabel ?? t("remove"));
  gone.addEventListener("click", () => {
    if (gone.dataset.sure) return attempt(remove);
    gone.dataset.sure = "yes";
    gone.textContent = t("delete_sure");
    problem.textContent = warning;
  });
  const form = h(
    "form",
    { class: "fields" },
    h("label", { for: "add-name" }, t("name")),
    name,
    fields,
    problem,
    h("div", { class: "row end" }, remove && gone, h("button", { class: "primary" }, t(isNew ? "add" : "save"))),
  );
  const box = dialog(title, t("close"), form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => save(name.value.trim()));
  });
}
