// Curves over time, those chosen by name, one panel for each unit: side by side, and below each other on a narrow screen.
const HUES = ["#3b6ea5", "#d9763d", "#4f8a4a", "#a3497a", "#6a5acd", "#8a6d3b", "#2a8f94", "#555555"];
const AT_FIRST = 6, NARROWEST = 260, LOWEST = 56;  // curves of a panel; a panel [CSS pixels]
const panels = Object.entries(data.plots).map(([title, curves]) => {
  const lines = Object.entries(curves).map(([name, d], i) => {
    const values = Float32Array.from(new Uint16Array(bytes(d.v)), x => d.low + d.size * x / 65535);
    return { name, values, low: d.low, high: d.low + d.size, hue: HUES[i % HUES.length], chosen: false };
  });
  return { title, lines };
});
// at first those that change most, in as many panels as have room
function chooseFirst() {
  const c = $("plot"), room = Math.max(1, Math.floor(c.clientWidth / NARROWEST)) * Math.max(1, Math.floor(c.clientHeight / LOWEST));
  for (const p of panels.slice(0, room)) {
    const ranked = [...p.lines].sort((a, b) => (b.high - b.low) - (a.high - a.low)).slice(0, AT_FIRST);
    for (const line of ranked) line.chosen = true;
  }
}
function places() {
  const c = $("plot"), r = devicePixelRatio || 1, shown = panels.map(p => ({ ...p, lines: p.lines.filter(x => x.chosen) })).filter(p => p.lines.length);
  const across = Math.max(1, Math.min(shown.length, Math.floor(c.clientWidth / NARROWEST))), down = Math.ceil(shown.length / across);
  const w = c.width / across, h = c.height / down;
  return shown.map((p, i) => {
    let low = Math.min(...p.lines.map(x => x.low)), high = Math.max(...p.lines.map(x => x.high));
    if (!(high > low)) { low -= 0.5; high += 0.5; }
    return { ...p, low, high, r, x: (i % across) * w, y: Math.floor(i / across) * h, w, h, left: 58 * r, right: 14 * r };
  });
}
const shownNumber = v => Math.abs(v) >= 1e4 || (v !== 0 && Math.abs(v) < 1e-2) ? v.toExponential(1) : v.toFixed(Math.abs(v) >= 100 ? 0 : 2);
function drawPanel(g, p, t) {
  const top = p.y + 22 * p.r, bottom = p.y + p.h - 8 * p.r, width = p.w - p.left - p.right;
  const x = s => p.x + p.left + width * s / last, y = v => bottom - (bottom - top) * (v - p.low) / (p.high - p.low);
  g.font = 12 * p.r + "px system-ui"; g.lineWidth = 1.5 * p.r;
  g.fillStyle = "#666"; g.textAlign = "right";
  g.fillText(shownNumber(p.high), p.x + p.left - 5 * p.r, top + 8 * p.r); g.fillText(shownNumber(p.low), p.x + p.left - 5 * p.r, bottom);
  g.textAlign = "left"; g.fillText(p.title, p.x + 8 * p.r, p.y + 15 * p.r);
  let pen = p.x + 16 * p.r + g.measureText(p.title).width;
  p.lines.forEach(({ name, values, hue }, i) => {
    g.strokeStyle = g.fillStyle = hue;
    g.beginPath(); values.forEach((v, j) => g.lineTo(x(T[j]), y(v))); g.stroke();
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
  for (const p of places()) drawPanel(g, p, t);
}
// the time at a place of the plot [CSS pixels]
function timeAt(px, py) {
  const all = places(), p = all.find(p => px * p.r >= p.x && px * p.r < p.x + p.w && py * p.r >= p.y && py * p.r < p.y + p.h) || all[0];
  return p ? last * (px * p.r - p.x - p.left) / (p.w - p.left - p.right) : state.t;
}
