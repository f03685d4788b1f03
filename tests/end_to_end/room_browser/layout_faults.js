// Looks at the page as it is drawn, and returns what is wrong with its layout, a sentence each.

const faults = [];
const name = (one) => `${one.tagName.toLowerCase()}${one.id && "#" + one.id}.${one.className} "${one.textContent.trim().slice(0, 30)}"`;
const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
const isShown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".unseen, .skip, noscript");
/** What of a box can be seen: ancestors cut off what is outside of them. */
const seen = (one, box, isText) => {
  let { left, top, right, bottom } = box;
  const cut = (outer) => {
    [left, top] = [Math.max(left, outer.left), Math.max(top, outer.top)];
    [right, bottom] = [Math.min(right, outer.right), Math.min(bottom, outer.bottom)];
  };
  for (let outer = one; outer && outer !== document.body; outer = outer.parentElement) {
    const style = getComputedStyle(outer);
    if ((isText || outer !== one) && style.overflow !== "visible") cut(outer.getBoundingClientRect());
    if (style.position === "fixed") break;
  }
  cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  return { left, top, right, bottom, isEmpty: right - left < 3 || bottom - top < 3 };
};
const scrolls = (one) => {
  for (let outer = one; outer; outer = outer.parentElement) {
    if (["auto", "scroll"].includes(getComputedStyle(outer).overflowX)) return true;
  }
  return false;
};
const layer = (one) => {
  for (let outer = one; outer; outer = outer.parentElement) {
    if (getComputedStyle(outer).position === "fixed") return outer;
  }
  return null;
};
if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
if (document.documentElement.scrollHeight > innerHeight) faults.push("the page scrolls as a whole, beside what scrolls in it");
const all = [...root.querySelectorAll("*")].filter(isShown);
for (const one of all) {
  const box = one.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) continue;
  const style = getComputedStyle(one);
  if (["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis" && one.scrollWidth > one.clientWidth + 1)
    faults.push(`cut off: ${name(one)}`);
  if ((box.left < -1 || box.right > innerWidth + 1) && !scrolls(one.parentElement)) faults.push(`outside: ${name(one)}`);
}
for (const one of all.filter((one) => one.matches("a, button, input, select, textarea, summary"))) {
  const box = seen(one, one.getBoundingClientRect());
  if (box.isEmpty) continue;
  const above = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
  if (above && !one.contains(above) && !above.contains(one) && layer(above) === layer(one)) faults.push(`covered by ${name(above)}: ${name(one)}`);
}
/** The boxes of what is written, line by line. */
const lines = all.flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).flatMap((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].map((box) => ({ one, box: seen(one, box, true) }));
})).filter(({ box }) => !box.isEmpty);
for (const [at, { one, box }] of lines.entries()) {
  for (const { one: other, box: beside } of lines.slice(at + 1)) {
    const wide = Math.min(box.right, beside.right) - Math.max(box.left, beside.left);
    const high = Math.min(box.bottom, beside.bottom) - Math.max(box.top, beside.top);
    if (wide > 2 && high > 5 && one !== other && layer(one) === layer(other)) faults.push(`${name(one)} is written over ${name(other)}`);
  }
}
return [...new Set(faults)];
