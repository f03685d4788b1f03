// One message of the conversation: who, what, reactions, what can be done with it, and why it spoke or kept silent.

import { ask } from "/api.js";
import { h, icon, replace, sign } from "/dom.js";
import { clock, list, percent, t } from "/i18n.js";
import { render } from "/markdown.js";
import { here, me, members, pin, room } from "/page_state.js";

const EMOJI = ["👍", "❤️", "😂", "😮", "😢", "🎉", "👀", "🔥", "🙏", "🤔", "👏", "💤"];

/** Draws a message. `follows` tells that the line above is by the same person, `acts` does what spans the page. */
export function drawMessage(message, follows, acts) {
  const companion = message.author.kind === "companion";
  // Who has another name by now is known by it.
  const author = members().find(({ id }) => id === message.author.id) ?? message.author;
  const row = h(
    "article",
    {
      class: ["message", follows && "follows", companion && "own"].filter(Boolean).join(" "),
      id: `m${message.id}`,
      tabindex: "-1",
      "aria-label": `${author.name}, ${clock(message.at)}`,
    },
    follows ? h("time", { class: "margin" }, clock(message.at)) : sign(author),
    h(
      "div",
      { class: "body" },
      follows
        ? null
        : h(
            "header",
            null,
            h("strong", { dir: "auto" }, author.name),
            companion && h("span", { class: "tag" }, t("companion")),
            h("time", { datetime: new Date(message.at).toISOString() }, clock(message.at)),
          ),
      message.reply_to && quote(message.reply_to, acts),
      text(message),
      message.reactions.length > 0 && reactions(message),
    ),
    h("div", { class: "verdict" }, verdict(message, acts)),
    tools(message, acts),
  );
  row.addEventListener("keydown", (event) => {
    if (event.target !== row || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { r: "reply", e: "edit", Delete: "delete", w: "why" }[event.key];
    const button = act && row.querySelector(`[data-act="${act}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
    if (act === "delete") button.focus();
  });
  return row;
}

function text({ text: source, edited }) {
  const parts = render(source, members().map(({ name }) => name));
  const mark = edited && h("span", { class: "edited" }, ` (${t("edited")})`);
  // Behind the last line, where that is one.
  if (mark && parts.at(-1)?.tagName === "P") parts.at(-1).append(mark);
  else if (mark) parts.push(mark);
  return h("div", { class: "text" }, parts);
}

function quote(id, acts) {
  const to = room.messages.find((message) => message.id === id);
  if (!to) return h("p", { class: "quote" }, t("gone_message"));
  return h(
    "button",
    { type: "button", class: "quote", onclick: () => acts.goTo(id) },
    icon("reply"),
    h("strong", { dir: "auto" }, to.author.name),
    h("span", { dir: "auto" }, to.text),
  );
}

function reactions(message) {
  return h(
    "div",
    { class: "reactions" },
    message.reactions.map(({ emoji, by }) => {
      const mine = by.some(({ id }) => id === room.person);
      const names = list(by.map(({ name }) => name));
      return h(
        "button",
        {
          type: "button",
          "aria-pressed": String(mine),
          "aria-label": t("reacted", { emoji, count: by.length, names }),
          title: names,
          onclick: () => react(message, emoji, !mine),
        },
        h("span", null, emoji),
        h("span", { class: "count" }, by.length),
      );
    }),
  );
}

async function react(message, emoji, added) {
  if (!me()) return;
  const { channel, id } = message;
  await ask("react", { channel, message: id, person: room.person, emoji, added });
}

/** Whether a decision has a score to show: its author did not write past the line. */
export const isWeighed = ({ refusal }) => refusal !== "wrote_on";

/** What a decision came to: its word, and the class it is drawn with. */
export function verdictOf({ address, refusal, speak }) {
  if (!isWeighed({ refusal })) return ["not_weighed", "silent"];
  // That it was looked at in a turn forbids nothing.
  if (refusal && refusal !== "seen_in_turn") return ["may_not", "refused"];
  if (address) return ["spoken_to", "speaks"];
  return speak ? ["would_speak", "speaks"] : ["kept_silent", "silent"];
}

/** A decision in a few words: what it came to, and at which score. */
export function labelOf(decision) {
  const verdict = t(verdictOf(decision)[0]);
  if (!isWeighed(decision)) return verdict;
  return t("badge", { verdict, score: percent(decision.score), bar: percent(decision.threshold) });
}

function verdict(message, acts) {
  if (message.turn) {
    return h(
      "button",
      { type: "button", class: "badge own", "data-act": "why", "aria-label": t("said_in_turn"), onclick: () => acts.showTurn(message.turn) },
      h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", null, t("said_in_turn")),
    );
  }
  const { decision } = message;
  if (!decision) return null;
  const [, kind] = verdictOf(decision);
  const label = labelOf(decision);
  const open = async () => {
    acts.showMind();
    await pin(message);
  };
  return h(
    "button",
    { type: "button", class: `badge ${kind}`, "data-act": "why", "aria-label": label, title: label, onclick: open },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", null, isWeighed(decision) ? percent(decision.score) : "–"),
  );
}

function tools(message, acts) {
  const button = (act, name, onclick) =>
    h("button", { type: "button", "data-act": act, "aria-label": t(act), title: t(act), onclick }, icon(name));
  const remove = button("delete", "trash", async () => {
    if (!remove.classList.contains("sure")) {
      remove.classList.add("sure");
      replace(remove, t("delete_sure"));
      remove.setAttribute("aria-label", t("delete_sure"));
      return;
    }
    await ask("delete", { channel: message.channel, message: message.id });
  });
  remove.addEventListener("blur", () => {
    remove.classList.remove("sure");
    replace(remove, icon("trash"));
    remove.setAttribute("aria-label", t("delete"));
  });
  const smile = button("react", "smile", () => pickEmoji(message, smile));
  return h(
    "div",
    { class: "tools", role: "group" },
    smile,
    button("reply", "reply", () => acts.reply(message)),
    message.author.kind === "person" && button("edit", "edit", () => acts.edit(message)),
    remove,
  );
}

function pickEmoji(message, from) {
  const other = h("input", { maxlength: 34, size: 4, "aria-label": t("other_emoji"), placeholder: t("other_emoji") });
  const choose = (emoji) => {
    // The picker goes when the focus leaves it.
    from.focus();
    if (emoji) react(message, emoji, true);
  };
  const picker = h(
    "div",
    { class: "picker", role: "dialog", "aria-label": t("emoji") },
    EMOJI.map((emoji) => h("button", { type: "button", onclick: () => choose(emoji) }, emoji)),
    other,
  );
  other.addEventListener("keydown", (event) => event.key === "Enter" && choose(other.value.trim()));
  picker.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") choose("");
  });
  picker.addEventListener("focusout", (event) => picker.contains(event.relatedTarget) || picker.remove());
  from.parentElement.append(picker);
  picker.firstChild.focus();
}

/** Puts a field in the place of the message's text; Enter saves, Escape leaves it as it was. */
export function editInPlace(message, row, done) {
  const field = h("textarea", { rows: 1, dir: "auto", "aria-label": t("edit"), value: message.text });
  const place = row.querySelector(".text");
  const save = async () => {
    const now = field.value.trim();
    if (now && now !== message.text) {
      await ask("edit", { channel: message.channel, message: message.id, text: now });
    }
    done();
  };
  const form = h(
    "form",
    { class: "editing" },
    field,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "plain", onclick: done }, t("cancel")),
      h("button", { class: "primary" }, t("save")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") done();
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      save();
    }
  });
  place.replaceWith(form);
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

/** Who the companion is here, for texts that name it. */
export const companionName = () => here()?.companion.name ?? "Kith";
