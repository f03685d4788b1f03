// Plots with axes, drawn by uPlot in the page's colours and language.

import { h } from "/dom.js";
import uPlot from "/uplot.mjs";

const HEIGHT = 300;

/** A colour of the page. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** An axis in the page's colours. */
export const axis = (options) => ({
  stroke: colour("--muted"),
  grid: { stroke: colour("--line"), width: 1 },
  ticks: { stroke: colour("--line"), width: 1 },
  font: `11px ${colour("--sans")}`,
  ...options,
});

/**
 * A plot that is as wide as its place, drawn anew where that or the colours change. `options` gives those of uPlot and its
 * data, made anew each time. What it shows must stand in a table, too: a picture says nothing to who does not see it.
 */
export function plot(title, options, signal) {
  const place = h("figure", { class: "plot", "aria-label": title });
  let drawn = null;
  const draw = () => {
    const width = place.clientWidth;
    if (width === 0 || signal.aborted) return;
    drawn?.destroy();
    const { data, ...rest } = options();
    drawn = new uPlot({ width, height: HEIGHT, ...rest }, data, place);
  };
  const sizes = new ResizeObserver(() => {
    if (!drawn) draw();
    else if (place.clientWidth > 0) drawn.setSize({ width: place.clientWidth, height: HEIGHT });
  });
  if (signal.aborted) return place;
  sizes.observe(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw, { signal });
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    drawn?.destroy();
  });
  return place;
}
