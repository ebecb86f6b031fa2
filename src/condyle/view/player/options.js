// The panel of options: what is shown, which curves, and sliders for the coordinates of a model without a motion.
const boxes = {}, WIDE = 900;
function element(kind, content, ...children) {
  const e = document.createElement(kind);
  e.textContent = content; e.append(...children);
  return e;
}
function box(name, checked, changed) {
  const e = element("input", "");
  e.type = "checkbox"; e.checked = checked; e.onchange = () => changed(e.checked);
  return [e, element("label", "", e, name)];
}
function open(on) { document.body.classList.toggle("open", on); $("more").setAttribute("aria-expanded", on); draw(); measured(); }
function show(layer, on) { state.shown[layer] = on; if (boxes[layer]) boxes[layer].checked = on; draw(); }
function addLayers() {
  const layers = [["bodies", parts], ["lines", strokes], ["muscles", muscles()], ["surfaces", sheets], ["names", names]].filter(([, some]) => some.length);
  if (data.second) layers.push(["ghost", [data.second]]);
  for (const [layer] of layers) {
    const [input, label] = box(layer === "ghost" ? "second motion as a ghost" : layer, state.shown[layer], on => show(layer, on));
    boxes[layer] = input; $("layers").append(label);
  }
}
// hides what has not the text of a field in its name
function addFilter(place, rows) {
  if (rows.length < 9) return;
  const field = element("input", "");
  field.type = "search"; field.placeholder = "find by name"; field.setAttribute("aria-label", "find by name: " + place.firstElementChild.textContent);
  field.oninput = () => { for (const [name, row] of rows) row.hidden = row.style.display = name.toLowerCase().includes(field.value.toLowerCase()) ? "" : "none"; };
  place.firstElementChild.after(field);
}
function addCurves() {
  const rows = [];
  for (const p of panels) {
    $("curves").append(element("h3", p.title));
    for (const line of p.lines) {
      const [, label] = box(line.name, line.chosen, on => { line.chosen = on; draw(); describePlot(); }), hue = element("i", "");
      hue.style.background = line.hue; label.append(hue); rows.push([line.name, label]); $("curves").append(label);
    }
  }
  addFilter($("curves"), rows);
}
function describePlot() {
  $("plot").setAttribute("aria-label", "curves over time, click to go to a time: " + places().map(p => p.title + ": " + p.lines.map(x => x.name).join(", ")).join("; "));
}
// a slider moves a number of the posture, or one of three turns of a quaternion
function addSlider(dial, angles) {
  const k = dial.unit === "°" ? 180 / Math.PI : 1, input = element("input", ""), value = element("span", ""), row = element("label", "", element("b", dial.name), input, value);
  Object.assign(input, { type: "range", min: k * dial.low, max: k * dial.high, step: "any", value: k * dial.value });
  const say = () => { value.textContent = (+input.value).toFixed(dial.unit === "°" ? 0 : 3) + (dial.unit === "°" ? "°" : " " + dial.unit).trimEnd(); input.setAttribute("aria-valuetext", value.textContent); };
  input.oninput = () => {
    const x = +input.value / k;
    if (dial.turn < 0) rig.q[dial.at] = x;
    else { angles[dial.at][dial.turn] = x; turned(angles[dial.at]).forEach((v, i) => { rig.q[dial.at + i] = v; }); }
    state.moved = true; say(); draw();
  };
  row.className = "row"; value.setAttribute("aria-hidden", "true"); say();
  input.setAttribute("aria-label", dial.name);
  return row;
}
function addSliders() {
  const angles = {}, start = [...rig.q];
  for (const d of rig.dials) if (d.turn >= 0) (angles[d.at] ??= [])[d.turn] = d.value;
  const rows = rig.dials.map(d => [d.name, addSlider(d, angles)]), reset = element("button", "Reset posture");
  $("poses").append(...rows.map(([, row]) => row), reset, ...rig.notes.map(text => element("p", text)));
  reset.onclick = () => {
    rows.forEach(([, row], i) => { const k = rig.dials[i].unit === "°" ? 180 / Math.PI : 1, e = row.querySelector("input"); e.value = k * rig.dials[i].value; e.oninput(); });
    rig.q = start.slice(); state.moved = false; draw();
  };
  addFilter($("poses"), rows);
}
const squareSize = x => x >= 1000 ? x / 1000 + " km" : x >= 1 ? x + " m" : x >= 0.01 ? Math.round(100 * x) + " cm" : +(1000 * x).toPrecision(1) + " mm";
