// Builds elements. Text from people only ever becomes text nodes and attributes, never markup.

/** An element: `h("p", { class: "note", onclick }, "text", child)`. Absent children and properties are skipped. */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

const present = (children) =>
  children.flat(4).filter((child) => child !== null && child !== undefined && child !== false && child !== "");

/** Gives an element these children instead of those it has. */
export const replace = (element, ...children) => element.replaceChildren(...present(children));

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

const PATHS = {
  plus: "M12 5v14M5 12h14",
  reply: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6v1",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.5 14.5s1.2 1.8 3.5 1.8 3.5-1.8 3.5-1.8M9 10h.01M15 10h.01",
  edit: "M4 20h4L19 9l-4-4L4 16v4ZM13.5 6.5l4 4",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5",
  send: "M5 12h13M12.5 6l6 6-6 6",
  close: "M6 6l12 12M18 6 6 18",
  back: "M14.5 6l-6 6 6 6",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20",
  warning: "M12 4 2.8 20h18.4L12 4ZM12 10v4.5M12 17.2h.01",
  why: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.6 9.5a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .9-1 1.8M12 16.5h.01",
};

/** A small drawing beside a label, hidden from screen readers. */
export function icon(name) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true", class: "drawn" },
    s("path", { d: PATHS[name] }),
  );
}

const HUES = [14, 152, 226, 286, 40, 190, 340, 100];

/** A person's round sign: the first letter of the name, in a colour of their own. */
export function sign(author) {
  const companion = author.kind === "companion";
  let sum = 0;
  for (const digit of String(author.id)) sum = (sum * 31 + digit.charCodeAt(0)) % 9973;
  return h(
    "span",
    { class: companion ? "sign companion" : "sign", "aria-hidden": "true", "--hue": HUES[sum % HUES.length] },
    [...author.name][0]?.toUpperCase() ?? "?",
  );
}

/** Opens a modal dialog; it is gone when it closes, and the focus returns to where it was. */
export function dialog(title, closeLabel, ...content) {
  const from = document.activeElement;
  const heading = h("h2", { id: "dialog-title" }, title);
  const close = h("button", { type: "button", class: "quiet icon", "aria-label": closeLabel }, icon("close"));
  const box = h("dialog", { "aria-labelledby": "dialog-title" }, h("header", null, heading, close), content);
  close.addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.addEventListener("close", () => {
    box.remove();
    from?.focus();
  });
  document.body.append(box);
  box.showModal();
  return box;
}
