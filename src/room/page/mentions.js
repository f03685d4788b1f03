// Completion of @names while one writes: a list box that the text field controls.

import { h, replace, sign } from "/dom.js";
import { t } from "/i18n.js";
import { me, members } from "/page_state.js";

/** The list for `field`; `completed` is called after a name was filled in. */
export function completion(field, completed) {
  const box = h("ul", { class: "completion", role: "listbox", id: "completion", hidden: true });
  let fitting = [];
  let chosen = 0;

  const started = () => /(?:^|[^\p{L}\p{N}])@([^@\n]{0,32})$/u.exec(field.value.slice(0, field.selectionStart))?.[1];

  const close = () => {
    box.hidden = true;
    field.removeAttribute("aria-activedescendant");
  };

  const draw = () => {
    box.setAttribute("aria-label", t("mention"));
    replace(
      box,
      fitting.map((member, at) =>
        h(
          "li",
          {
            role: "option",
            id: `completion-${at}`,
            "aria-selected": String(at === chosen),
            // The field must keep the focus.
            onmousedown: (event) => {
              event.preventDefault();
              complete(at);
            },
          },
          sign(member),
          member.name,
          member.kind === "companion" && h("span", { class: "tag" }, t("companion")),
        ),
      ),
    );
    box.hidden = false;
    field.setAttribute("aria-activedescendant", `completion-${chosen}`);
  };

  const look = () => {
    const start = started()?.toLowerCase();
    const others = members()
      .filter(({ id }) => id !== me()?.id)
      .toReversed();
    fitting = start === undefined ? [] : others.filter(({ name }) => name.toLowerCase().startsWith(start));
    chosen = 0;
    if (fitting.length > 0) draw();
    else close();
  };

  const complete = (at) => {
    const start = field.selectionStart - started().length;
    field.setRangeText(`${fitting[at].name} `, start, field.selectionStart, "end");
    close();
    completed();
  };

  // A field of several lines may be no combo box; what is chosen is told all the same.
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", "completion");
  field.addEventListener("input", look);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (box.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) chosen = (chosen + step + fitting.length) % fitting.length;
    else if (event.key === "Enter" || event.key === "Tab") complete(chosen);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    if (step) draw();
  });
  return box;
}
