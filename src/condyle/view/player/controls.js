// What a person does: play, scrub, speed, turn, zoom, layers; and the loop that draws.
const state = { t: 0, playing: last > 0, speed: 1, frame: 0, shown: { bodies: true, lines: true, surfaces: true } };
window.player = state;

function fit(c) {
  const r = devicePixelRatio || 1, w = Math.round(c.clientWidth * r), h = Math.round(c.clientHeight * r);
  if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
}
function draw() {
  const [k, s] = between(T, state.t), where = [];
  for (let b = 0; b < n; b++) { const o = pose(b, k, s); state["pose" + b] = Array.from(o); where.push(matrix(o)); }
  fit(canvas); picture(where, camera(), state.t, state.shown);
  if (last > 0) plot(state.t);
  $("clock").textContent = state.t.toFixed(2) + " / " + last.toFixed(2) + " s";
  $("time").value = last ? 1000 * state.t / last : 0;
  state.frame++;
}
function seek(t) { state.t = Math.max(0, Math.min(last, t)); draw(); }
function play(on) { state.playing = on && last > 0; $("play").textContent = state.playing ? "Pause" : "Play"; }
function pace(x) {
  state.speed = Math.max(0.1, Math.min(2, x));
  $("speed").value = Math.log10(state.speed); $("factor").textContent = state.speed.toFixed(2).replace(/0$/, "") + "x";
}
function step(by) { const [k, s] = between(T, state.t); play(false); seek(T[Math.max(0, Math.min(T.length - 1, Math.round(k + s) + by))]); }
function home() { Object.assign(eye, FIRST); draw(); }

const KEYS = {
  " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => seek(0), End: () => seek(last),
  ArrowUp: () => pace(state.speed * 1.25), ArrowDown: () => pace(state.speed / 1.25), h: home,
  "+": () => { zoom(0.9); draw(); }, "-": () => { zoom(1 / 0.9); draw(); },
};
addEventListener("keydown", e => {
  if (!KEYS[e.key] || e.ctrlKey || e.metaKey || e.altKey || (e.key === " " && e.target.tagName === "BUTTON")) return;
  e.preventDefault(); KEYS[e.key]();
});
$("play").onclick = () => play(!state.playing);
$("home").onclick = home;
$("time").oninput = e => { play(false); seek(e.target.value / 1000 * last); };
$("speed").oninput = e => pace(10 ** e.target.value);
$("plot").onpointerdown = $("plot").onpointermove = e => { if (e.buttons) { play(false); seek(timeAt(e.offsetX, e.offsetY)); } };

const fingers = new Map();
let spread = 0;
const gap = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]); };
canvas.onpointerdown = e => { fingers.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); if (fingers.size === 2) spread = gap(); };
canvas.onpointerup = canvas.onpointercancel = e => fingers.delete(e.pointerId);
canvas.onpointermove = e => {
  const before = fingers.get(e.pointerId);
  if (!before) return;
  fingers.set(e.pointerId, [e.clientX, e.clientY]);
  if (fingers.size === 1) turn(e.clientX - before[0], e.clientY - before[1]);
  else { zoom(spread / gap()); spread = gap(); }
  draw();
};
canvas.onwheel = e => { e.preventDefault(); zoom(Math.exp(e.deltaY / 800)); draw(); };
$("grip").onpointerdown = e => $("grip").setPointerCapture(e.pointerId);
$("grip").onpointermove = e => {
  if (!e.buttons) return;
  const bottom = $("plot").getBoundingClientRect().bottom;
  $("plot").style.height = Math.max(0, Math.min(innerHeight - 200, bottom - e.clientY)) + "px"; draw();
};
for (const [name, some] of [["bodies", parts], ["lines", strokes], ["surfaces", sheets]]) {
  if (!some.length || !(strokes.length + sheets.length)) continue;
  const box = document.createElement("input"), label = document.createElement("label");
  box.type = "checkbox"; box.checked = true; label.append(box, " " + name); $("layers").append(label);
  box.onchange = () => { state.shown[name] = box.checked; draw(); };
}
if (!(last > 0)) for (const id of ["plot", "grip", "play", "time", "clock", "pace"]) $(id).style.display = "none";
addEventListener("resize", draw);
let before = null;
function tick(now) {
  if (state.playing && before !== null) { state.t = (state.t + state.speed * (now - before) / 1000) % last; draw(); }
  before = now; requestAnimationFrame(tick);
}
play(state.playing); pace(1); seek(0); requestAnimationFrame(tick);
