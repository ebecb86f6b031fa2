// Which controls this page has, and the loop that draws.
$("whole").textContent = "/ " + last.toFixed(2) + " s";
$("squares").hidden = !stands; $("squares").textContent = "squares of " + squareSize(scene.tile);
for (const [id, some] of [["poses", rig], ["moves", last > 0], ["curves", panels.length]]) $(id).hidden = !some;
if (!(last > 0)) for (const id of ["plot", "grip", "play", "time", "clock", "whole", "curves", "film"]) $(id).style.display = "none";
new ResizeObserver(() => { draw(); measured(); }).observe($("stage"));
let before = null;
function tick(now) {
  if (state.playing && before !== null) {
    const t = state.t + state.speed * (now - before) / 1000, ends = t >= last && (!state.loop || recorder);
    if (ends) { stop(last); endFilm(); } else { state.t = t % last; draw(); if (recorder) compose(); }
  }
  before = now; requestAnimationFrame(tick);
}
addLayers(); if (rig) addSliders();
if (last > 0) { chooseFirst(); addCurves(); describePlot(); }
pace(1); open(innerWidth >= WIDE || Boolean(rig));
if (!linked()) { play(state.playing); seek(0); }
requestAnimationFrame(tick);
