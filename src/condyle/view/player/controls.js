// What a person does: play, scrub, speed, turn, zoom, follow, a link to a time; and what is drawn then.
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;  // then it waits until it is asked to play
const state = { t: 0, playing: last > 0 && !still, speed: 1, loop: true, frame: 0, moved: false, eye,
  shown: { bodies: true, lines: true, muscles: true, surfaces: true, names: scene.labels, ghost: false } };
window.player = state;

function fit(c) {
  const r = devicePixelRatio || 1, w = Math.round(c.clientWidth * r), h = Math.round(c.clientHeight * r);
  if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
}
// world poses of all bodies: of a record, or of the posture that sliders made; a ghost is moved onto the first motion
function placed(t) {
  if (state.moved) return posed(rig.q);
  const [k, s] = between(T, t), where = [], back = state.shown.ghost ? data.second.way.map(x => -x) : [0, 0, 0];
  for (let b = 0; b < n; b++) {
    const o = pose(b, k, s);
    if (data.second && b >= data.second.first) for (let i = 0; i < 3; i++) o[4 + i] += back[i];
    state["pose" + b] = Array.from(o); where.push(matrix(o));
  }
  where.second = [...IDENTITY.slice(0, 12), ...back, 1];
  return where;
}
function draw() {
  const where = state.where = placed(state.t);
  fit(canvas);
  const view = camera(where);
  picture(where, view, state.t, state.shown); name(where, view.P); state.view = view;
  if (last > 0) plot(state.t);
  $("clock").textContent = state.t.toFixed(2) + " s";
  $("time").value = state.t; sayTime();
  state.frame++;
}
// the names of bodies, beside their origins
const names = data.bodies.map(text => { const e = document.createElement("span"); e.textContent = text; $("names").append(e); return e; });
function name(where, P) {
  $("names").hidden = !state.shown.names;
  if (!state.shown.names) return;
  names.forEach((e, b) => {
    const [x, y, , w] = times(P, where[b]).slice(12);
    e.style.transform = `translate(${(0.5 + 0.5 * x / w) * canvas.clientWidth + 7}px, ${(0.5 - 0.5 * y / w) * canvas.clientHeight - 9}px)`;
  });
}
function sayTime() { $("time").setAttribute("aria-valuetext", `${state.t.toFixed(2)} seconds of ${last.toFixed(2)}, ${state.playing ? "playing" : "paused"}`); }
function seek(t) { state.t = Math.max(0, Math.min(last, t)); draw(); }
function play(on) {
  state.playing = on && last > 0; $("play").textContent = state.playing ? "Pause" : "Play";
  if (last > 0) tell(state.playing ? "playing" : "paused at " + state.t.toFixed(2) + " seconds");
  sayTime();
  if (!state.playing) link();
}
// said by screen readers, never while it plays
function tell(text) { $("said").textContent = text; }
// the address names the time that is shown: #t=1.25
function link() { try { history.replaceState(null, "", "#t=" + state.t.toFixed(3).replace(/\.?0+$/, "")); } catch { /* a page without an address of its own */ } }
function linked() {
  const found = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (found && Number.isFinite(+found[1])) { state.playing = false; state.t = Math.min(last, +found[1]); play(false); draw(); }
  return Boolean(found);
}
function pace(x) {
  state.speed = Math.max(0.1, Math.min(2, x));
  const text = state.speed.toFixed(2).replace(/0$/, "");
  $("speed").value = state.speed; $("factor").textContent = text + "x"; $("speed").setAttribute("aria-valuetext", text + " times");
}
// go to a time and stay there
function stop(t) { seek(t); play(false); }
function step(by) { const [k, s] = between(T, state.t); stop(T[Math.max(0, Math.min(T.length - 1, Math.round(k + s) + by))]); }
function home() { Object.assign(eye, FIRST, { shift: [0, 0] }); draw(); }
function follow(b) { eye.follow = b; $("follow").value = b; tell(b < 0 ? "camera stays" : "camera follows " + data.bodies[b]); draw(); }
function loop(on) { state.loop = $("loop").checked = on; }

const KEYS = {
  " ": () => play(!state.playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => stop(0), End: () => stop(last),
  ArrowUp: () => pace(state.speed * 1.25), ArrowDown: () => pace(state.speed / 1.25), h: home,
  f: () => follow(eye.follow + 1 < n ? eye.follow + 1 : -1), n: () => show("names", !state.shown.names),
  l: () => loop(!state.loop), o: () => open(!document.body.classList.contains("open")),
  g: () => { if (data.second) show("ghost", !state.shown.ghost); },
  a: () => { turn(15, 0); draw(); }, d: () => { turn(-15, 0); draw(); }, w: () => { turn(0, 15); draw(); }, s: () => { turn(0, -15); draw(); },
  "+": () => { zoom(0.9); draw(); }, "-": () => { zoom(1 / 0.9); draw(); },
};
// keys that a control needs for itself: text, a choice, values of sliders, the blank that presses
function needs(e, key) {
  if (e.type === "search" || e.tagName === "SELECT") return true;
  if (e.type === "range" && e.id !== "time") return /^(Arrow|Home|End)/.test(key);
  return key === " " && (e.tagName === "BUTTON" || e.type === "checkbox");
}
addEventListener("keydown", e => {
  if (!KEYS[e.key] || e.ctrlKey || e.metaKey || e.altKey || needs(e.target, e.key)) return;
  e.preventDefault(); KEYS[e.key]();
});
$("play").onclick = () => play(!state.playing);
$("home").onclick = home;
$("more").onclick = () => open(!document.body.classList.contains("open"));
$("loop").onchange = e => loop(e.target.checked);
$("time").max = last;
$("time").oninput = e => { if (state.playing) play(false); seek(+e.target.value); };
$("time").onchange = () => play(false);
for (const [value, text] of [[-1, "camera stays"], ...data.bodies.map((x, b) => [b, "follow " + x])]) {
  const option = document.createElement("option"); option.value = value; option.textContent = text; $("follow").append(option);
}
$("follow").value = eye.follow; $("follow").onchange = e => follow(+e.target.value);
addEventListener("hashchange", linked);
$("speed").oninput = e => pace(+e.target.value);
$("plot").onpointerdown = $("plot").onpointermove = e => { if (e.buttons) stop(timeAt(e.offsetX, e.offsetY)); };

const fingers = new Map();
let spread = 0;
const gap = () => { const [a, b] = [...fingers.values()]; return Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1])); };
canvas.onpointerdown = e => { fingers.set(e.pointerId, [e.clientX, e.clientY]); canvas.setPointerCapture(e.pointerId); if (fingers.size === 2) spread = gap(); };
canvas.onpointerup = canvas.onpointercancel = e => fingers.delete(e.pointerId);
canvas.onpointermove = e => {
  const before = fingers.get(e.pointerId);
  if (!before) return;
  fingers.set(e.pointerId, [e.clientX, e.clientY]);
  const dx = e.clientX - before[0], dy = e.clientY - before[1];
  if (fingers.size === 1 && !e.shiftKey) turn(dx, dy);
  else if (fingers.size === 1) pan(dx, dy);
  else { zoom(spread / gap()); spread = gap(); pan(dx / 2, dy / 2); }
  draw();
};
canvas.onwheel = e => { e.preventDefault(); zoom(Math.exp(e.deltaY / 800)); draw(); };
$("grip").onpointerdown = e => $("grip").setPointerCapture(e.pointerId);
function stretch(h) {
  const height = Math.round(Math.max(0, Math.min(innerHeight - 200, h)));
  $("plot").style.height = height + "px"; draw(); measured();
}
function measured() {
  for (const [key, x] of [["min", 0], ["max", Math.max(0, innerHeight - 200)], ["now", $("plot").clientHeight]]) $("grip").setAttribute("aria-value" + key, x);
}
$("grip").onpointermove = e => { if (e.buttons) stretch($("plot").getBoundingClientRect().bottom - e.clientY); };
$("grip").onkeydown = e => {
  if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
  e.preventDefault(); e.stopPropagation(); stretch($("plot").clientHeight + (e.key === "ArrowUp" ? 20 : -20));
};
$("about").textContent = `${n} ${n === 1 ? "body" : "bodies"}: ${data.bodies.slice(0, 20).join(", ")}${n > 20 ? ", …" : ""}` + (last > 0 ? `; ${last.toFixed(2)} seconds` : "");
