// Curves over time, one panel for each plot: side by side, or below each other on a narrow screen.
const HUES = ["#3b6ea5", "#d9763d", "#4f8a4a", "#a3497a", "#6a5acd", "#8a6d3b", "#2a8f94", "#555555"];
const panels = Object.entries(data.plots).map(([title, curves]) => {
  const lines = Object.entries(curves).map(([name, s]) => [name, floats(s)]);
  let low = Infinity, high = -Infinity;
  for (const [, x] of lines) for (const v of x) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!(high > low)) { low -= 0.5; high += 0.5; }
  return { title, lines, low, high };
});
function places() {
  const c = $("plot"), r = devicePixelRatio || 1, stacked = c.clientWidth < 640, k = panels.length;
  const w = stacked ? c.width : c.width / k, h = stacked ? c.height / k : c.height;
  return panels.map((p, i) => ({ ...p, r, x: stacked ? 0 : i * w, y: stacked ? i * h : 0, w, h, left: 58 * r, right: 14 * r }));
}
const shownNumber = v => Math.abs(v) >= 1e4 || (v !== 0 && Math.abs(v) < 1e-2) ? v.toExponential(1) : v.toFixed(2);
function panel(g, p, t) {
  const top = p.y + 22 * p.r, bottom = p.y + p.h - 8 * p.r, width = p.w - p.left - p.right;
  const x = s => p.x + p.left + width * s / last, y = v => bottom - (bottom - top) * (v - p.low) / (p.high - p.low);
  g.font = 12 * p.r + "px system-ui"; g.lineWidth = 1.5 * p.r;
  g.fillStyle = "#777"; g.textAlign = "right";
  g.fillText(shownNumber(p.high), p.x + p.left - 5 * p.r, top + 8 * p.r); g.fillText(shownNumber(p.low), p.x + p.left - 5 * p.r, bottom);
  g.textAlign = "left"; g.fillText(p.title, p.x + 8 * p.r, p.y + 15 * p.r);
  let pen = p.x + 16 * p.r + g.measureText(p.title).width;
  p.lines.forEach(([name, values], i) => {
    g.strokeStyle = g.fillStyle = HUES[i % HUES.length];
    g.beginPath(); values.forEach((v, j) => Number.isFinite(v) && g.lineTo(x(T[j]), y(v))); g.stroke();
    const end = pen + g.measureText(name).width, more = i + 1 < p.lines.length ? 24 * p.r : 0;
    if (end + more <= p.x + p.w) g.fillText(name, pen, p.y + 15 * p.r);
    else if (pen < Infinity) g.fillText("…", pen, p.y + 15 * p.r);
    pen = end + more <= p.x + p.w ? end + 10 * p.r : Infinity;
  });
  g.fillStyle = "#888"; g.fillRect(x(t), top, p.r, bottom - top);
}
function plot(t) {
  const c = $("plot"), g = c.getContext("2d");
  fit(c); g.clearRect(0, 0, c.width, c.height);
  for (const p of places()) panel(g, p, t);
}
// the time at a place of the plot [CSS pixels]
function timeAt(px, py) {
  const all = places(), p = all.find(p => px * p.r >= p.x && px * p.r < p.x + p.w && py * p.r >= p.y && py * p.r < p.y + p.h) || all[0];
  return last * (px * p.r - p.x - p.left) / (p.w - p.left - p.right);
}
