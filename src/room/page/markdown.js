// The Markdown that Discord renders. A parser made for it (markdown-it) reads it, and what it found becomes elements one by
// one: no HTML is ever written, so that there is none to sanitise.

import { copyButton } from "/copy.js";
import { h } from "/dom.js";
import { t } from "/i18n.js";
import MarkdownIt from "/markdown-it.mjs";

const parser = new MarkdownIt("zero", { breaks: true, linkify: true });
parser.enable([
  "newline", "escape", "backticks", "emphasis", "strikethrough", "link", "autolink", "linkify",
  "fence", "blockquote", "heading", "list",
]);
// Links are what begins with http.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
for (const scheme of ["ftp:", "mailto:", "//"]) parser.linkify.add(scheme, null);
parser.validateLink = (url) => /^https?:\/\//i.test(url);

/** A run of text without a character that may begin something; the parser's own knows no `|`. */
const PLAIN = /[^\n!#$%&*+\-:<=>@[\\\]^_`{|}~]+/y;

parser.inline.ruler.at("text", (state, silent) => {
  PLAIN.lastIndex = state.pos;
  const run = PLAIN.exec(state.src.slice(0, state.posMax))?.[0];
  if (!run) return false;
  if (!silent) state.pending += run;
  state.pos += run.length;
  return true;
});

parser.inline.ruler.before("emphasis", "mention", (state, silent) => {
  const { names } = state.env;
  if (!names || state.src[state.pos] !== "@") return false;
  names.lastIndex = state.pos;
  const name = names.exec(state.src)?.[0];
  if (!name) return false;
  if (!silent) state.push("mention", "", 0).content = name;
  state.pos += name.length;
  return true;
});

parser.inline.ruler.before("emphasis", "spoiler", (state, silent) => {
  const { src, pos, posMax } = state;
  if (!src.startsWith("||", pos)) return false;
  const end = src.indexOf("||", pos + 2);
  if (end <= pos + 2 || end + 2 > posMax) return false;
  if (!silent) {
    state.push("spoiler_open", "span", 1);
    Object.assign(state, { pos: pos + 2, posMax: end });
    state.md.inline.tokenize(state);
    state.push("spoiler_close", "span", -1);
  }
  Object.assign(state, { pos: end + 2, posMax });
  return true;
});

/** What Discord reads otherwise than Markdown's standard: quotes need a space and end with their line, and so do lists. */
function prepared(source) {
  const lines = [];
  let fenced = false;
  let rest = false;
  let begun = false;
  for (const line of source.split("\n")) {
    const fence = line.match(/```/g)?.length ?? 0;
    if (!fenced && !rest && line.startsWith(">>> ")) rest = true;
    const text = rest ? `> ${line.replace(/^>>> /, "")}` : !fenced && /^>(?! )/.test(line) ? `\\${line}` : line;
    const belongs = /^(> | *(?:[-*]|\d+[.)]) )/.test(text);
    if (begun && !fenced && !belongs && text !== "") lines.push("");
    // A block of code may end behind its last line.
    const ends = fenced && fence === 1 && /\S.*```\s*$/.test(line);
    if (ends) lines.push(text.replace(/```\s*$/, ""), "```");
    else lines.push(text);
    if (fence % 2 === 1) fenced = !fenced;
    begun = !fenced && belongs;
  }
  return lines.join("\n");
}

/** The text of a message as elements; `names` are those that can be mentioned. */
export function render(source, names) {
  const sorted = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
  const env = { names: sorted.length > 0 ? new RegExp(`@(?:${sorted.join("|")})`, "iuy") : null };
  return [...build(parser.parse(prepared(source), env)).childNodes];
}

function build(tokens) {
  const root = document.createDocumentFragment();
  const open = [root];
  for (const token of tokens) {
    if (token.type === "inline") open.at(-1).append(build(token.children));
    else if (token.nesting === -1) open.pop();
    else {
      const element = draw(token);
      open.at(-1).append(element);
      // What is hidden stands in an element of its own.
      if (token.nesting === 1) open.push(element.hides ?? element);
    }
  }
  return root;
}

/** Each block finds its direction by itself. */
const AUTO = { dir: "auto" };

const drawn = {
  paragraph_open: ({ hidden }) => h(hidden ? "span" : "p", AUTO),
  heading_open: ({ tag }) => h("p", { ...AUTO, class: `title ${tag}` }),
  blockquote_open: () => h("blockquote"),
  bullet_list_open: () => h("ul"),
  ordered_list_open: (token) => h("ol", { start: token.attrGet("start") }),
  list_item_open: () => h("li", AUTO),
  strong_open: ({ markup }) => h(markup === "__" ? "u" : "strong"),
  em_open: () => h("em"),
  s_open: () => h("s"),
  link_open: (token) => {
    const href = token.attrGet("href");
    return h("a", { href, title: href, target: "_blank", rel: "noopener noreferrer" });
  },
  spoiler_open: spoiler,
  mention: ({ content }) => h("span", { class: "mention", dir: "auto" }, content),
  code_inline: ({ content }) => h("code", null, content),
  fence: ({ info, content }) =>
    h(
      "div",
      { class: "code" },
      h("div", null, h("span", { class: "small" }, info.trim().slice(0, 30)), copyButton(content)),
      h("pre", { tabindex: 0, dir: "ltr", role: "group", "aria-label": t("code") }, h("code", null, content)),
    ),
  softbreak: () => h("br"),
  hardbreak: () => h("br"),
};

const draw = (token) => drawn[token.type]?.(token) ?? document.createTextNode(token.content);

/** What is shown only to who asks for it. */
function spoiler() {
  const hides = h("span", { "aria-hidden": "true" });
  const button = h("span", { class: "spoiler", role: "button", tabindex: 0, "aria-label": t("spoiler") }, hides);
  const show = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    if (button.classList.contains("shown")) return;
    event.preventDefault();
    event.stopPropagation();
    button.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) button.removeAttribute(name);
    hides.removeAttribute("aria-hidden");
  };
  button.addEventListener("click", show);
  button.addEventListener("keydown", show);
  button.hides = hides;
  return button;
}
