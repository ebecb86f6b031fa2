// Curves of moment arms over a coordinate: choose the coordinate, point at a muscle's name, read values under the pointer.
(() => {
  const data = JSON.parse(document.getElementById("arms-data").textContent);
  const box = document.getElementById("arms"), choice = box.querySelector("select");
  const svg = box.querySelector("svg"), list = box.querySelector("ul"), words = box.querySelector("output");
  const W = 640, H = 360, L = 56, B = 40, T = 14, R = 10, hidden = new Set();
  const make = (tag, into, attributes, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return into.appendChild(e);
  };
  const color = k => `hsl(${(k * 137.5) % 360} 60% 42%)`;
  for (const c of data.coordinates) choice.add(new Option(c.name));
  let lit = -1;
  function scales(c) {
    const shown = c.arms.filter((_, k) => !hidden.has(c.muscles[k])).flat().concat(0);
    const low = Math.min(...shown), high = Math.max(...shown), room = 0.06 * (high - low || 1);
    const x0 = c.x[0], x1 = c.x[c.x.length - 1], y0 = low - room, y1 = high + room;
    return { x: v => L + (W - L - R) * (v - x0) / (x1 - x0), y: v => T + (H - T - B) * (y1 - v) / (y1 - y0),
      back: p => x0 + (x1 - x0) * (p - L) / (W - L - R), x0, x1, y0, y1 };
  }
  function ticks(a, b) {
    const rough = (b - a) / 6, unit = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find(k => k * unit >= rough) * unit;
    const out = [];
    for (let v = Math.ceil(a / step) * step; v <= b + 1e-9 * step; v += step) out.push(+v.toPrecision(6));
    return out;
  }
  function draw() {
    const c = data.coordinates[choice.selectedIndex], s = scales(c);
    svg.replaceChildren();
    for (const v of ticks(s.x0, s.x1)) {
      make("line", svg, { x1: s.x(v), x2: s.x(v), y1: T, y2: H - B, stroke: "#e4e7eb" });
      make("text", svg, { x: s.x(v), y: H - B + 16, "text-anchor": "middle" }, v);
    }
    for (const v of ticks(s.y0, s.y1)) {
      make("line", svg, { x1: L, x2: W - R, y1: s.y(v), y2: s.y(v), stroke: v === 0 ? "#52606d" : "#e4e7eb" });
      make("text", svg, { x: L - 6, y: s.y(v) + 4, "text-anchor": "end" }, v);
    }
    make("text", svg, { x: (L + W - R) / 2, y: H - 6, "text-anchor": "middle" }, `${c.name} [${c.unit}]`);
    make("text", svg, { x: 14, y: H / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${H / 2})` }, "moment arm [mm]");
    c.arms.forEach((arm, k) => {
      if (hidden.has(c.muscles[k])) return;
      const points = arm.map((v, i) => `${s.x(c.x[i]).toFixed(1)},${s.y(v).toFixed(1)}`).join(" ");
      make("polyline", svg, { points, fill: "none", stroke: color(k), "stroke-width": lit === k ? 3.5 : 1.5,
        opacity: lit < 0 || lit === k ? 1 : 0.25 });
    });
  }
  function names() {
    const c = data.coordinates[choice.selectedIndex];
    list.replaceChildren(...c.muscles.map((name, k) => {
      const item = document.createElement("li"), label = document.createElement("label"), tick = document.createElement("input");
      tick.type = "checkbox"; tick.checked = !hidden.has(name); label.style.color = color(k);
      tick.onchange = () => { tick.checked ? hidden.delete(name) : hidden.add(name); draw(); };
      item.onmouseenter = () => { lit = k; draw(); }; item.onmouseleave = () => { lit = -1; draw(); };
      tick.style.marginRight = "5px"; label.append(tick, name); item.append(label);
      return item;
    }));
  }
  svg.onmousemove = event => {
    const c = data.coordinates[choice.selectedIndex], s = scales(c), at = svg.getBoundingClientRect();
    const x = s.back((event.clientX - at.left) * W / at.width), y = (event.clientY - at.top) * H / at.height;
    const i = Math.max(0, Math.min(c.x.length - 1, Math.round((x - s.x0) / (s.x1 - s.x0) * (c.x.length - 1))));
    const shown = c.arms.map((_, k) => k).filter(k => !hidden.has(c.muscles[k]));
    const k = shown.reduce((a, b) => Math.abs(s.y(c.arms[b][i]) - y) < Math.abs(s.y(c.arms[a][i]) - y) ? b : a, shown[0]);
    words.textContent = k === undefined ? "" : `${c.muscles[k]}: ${c.arms[k][i].toFixed(1)} mm at ${c.name} = ${c.x[i].toFixed(2)} ${c.unit}`;
  };
  choice.onchange = () => { lit = -1; names(); draw(); };
  names(); draw();
})();
