// What is remembered, in lists: of each person, and what happened by day.

import { h, sign } from "/dom.js";
import { date, day, t, whole } from "/i18n.js";
import { drawEntry } from "/memory_entry.js";

/** What is known of each person. `unfolded` keeps whose facts are on show while it is drawn anew. */
export function drawPeople({ people, memories }, unfolded, acts) {
  const facts = memories.filter(({ person }) => person !== null);
  const ids = [...new Set(facts.map(({ person }) => person))];
  if (ids.length === 0) return h("p", { class: "note" }, t("memory_no_facts"));
  return ids.map((id) => {
    const told = facts.filter(({ person }) => person === id);
    const person = people.find((one) => one.id === id) ?? { id, name: acts.nameOf(id) };
    const details = h(
      "details",
      { class: "remembered-person", open: unfolded.has(id) },
      h("summary", null, sign(person), h("strong", null, person.name), h("span", { class: "small count" }, whole(told.length))),
      h("ul", null, told.map((entry) => h("li", null, drawEntry(entry, acts)))),
    );
    details.addEventListener("toggle", () => (details.open ? unfolded.add(id) : unfolded.delete(id)));
    return details;
  });
}

/** What happened, by day. */
export function drawEpisodes({ memories }, acts) {
  const episodes = memories.filter(({ person }) => person === null);
  if (episodes.length === 0) return h("p", { class: "note" }, t("memory_no_episodes"));
  const days = Map.groupBy(episodes, ({ at }) => new Date(at).toDateString());
  const drawDay = (entries) => {
    const { at } = entries[0];
    const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
    const title = h("h3", null, isThisYear ? day(at) : date(at));
    return h("li", null, title, h("ul", null, entries.map((entry) => h("li", null, drawEntry(entry, acts)))));
  };
  return h("ol", { class: "episodes" }, [...days.values()].map(drawDay));
}
