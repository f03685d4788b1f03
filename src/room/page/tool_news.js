// What a turn's tools told while they ran: how far they were, what they published and logged, the rounds of a task.

import { drawTaskRound, isTaskRound, part } from "/call.js";
import { h } from "/dom.js";
import { t } from "/i18n.js";

/** The most characters of published data. */
const LONGEST = 4_000;

/** The news of a turn, newest last; nothing where there is none. */
export const drawNews = ({ news }) => (news?.length > 0 ? part(t("news"), news.map(line)) : null);

/** The newest of it in a line. */
export function newest({ news }) {
  const { tool, text, name, log } = news.at(-1);
  return `${tool}: ${text ?? name ?? log}`;
}

function line({ tool, text, name, data, log }) {
  if (tool === "task" && name === "task" && isTaskRound(data)) return drawTaskRound(data);
  const label = h("code", null, tool);
  if (text !== undefined) return h("p", { class: "told" }, label, text);
  const title = name ?? t("tool_log");
  return [h("p", { class: "told" }, label, title), h("pre", { tabindex: "0", role: "group", "aria-label": title }, shown(data ?? log))];
}

function shown(data) {
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 2);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
