// One picture: shadows, surroundings, what is solid, lines, what one can see through, and a second motion as a ghost.
const GHOST = 0.35;  // how much of it covers what is behind
const ofSecond = x => x.body === -2 || x.body >= data.second.first;
// what is shown, of the first motion alone or of the ghost alone (where there is none, all)
function selection(shown, ghost) {
  const some = list => shown.ghost ? list.filter(x => ofSecond(x) === ghost) : list;
  return { parts: shown.bodies ? some(parts) : [], tubes: shown.muscles ? some(muscles()) : [], strokes: shown.lines ? some(strokes) : [], sheets: shown.surfaces ? some(sheets) : [] };
}
function paintSolid(some, where, view) {
  for (const prog of [solid, tube, sheet]) light(prog, view);
  paint(solid, some.parts, where, view, whole);
  paintTubes(tube, some.tubes, where, view);
  paint(sheet, some.sheets.filter(x => x.a === 1), where, view, drawSheet);
}
function paintClear(some, where, view, t) {
  const width = Math.max(2.0, 2.4 * (devicePixelRatio || 1));
  blending(() => paintStrokes(some.strokes, where, view, t, width, [canvas.width, canvas.height]));
  blending(() => paint(sheet, some.sheets.filter(x => x.a < 1), where, view, drawSheet));
}
function paintGhost(some, where, view, t) {
  gl.colorMask(false, false, false, false); paintSolid(some, where, view); gl.colorMask(true, true, true, true);
  gl.depthFunc(gl.LEQUAL); gl.enable(gl.BLEND); gl.blendColor(0, 0, 0, GHOST); gl.blendFunc(gl.CONSTANT_ALPHA, gl.ONE_MINUS_CONSTANT_ALPHA);
  paintSolid(some, where, view);
  gl.depthFunc(gl.LESS); gl.disable(gl.BLEND); paintClear(some, where, view, t);
}
function picture(where, view, t, shown) {
  for (const x of sheets) bend(x, t);
  for (const x of chains) lay(x, t);
  const some = selection(shown, false);
  gl.enable(gl.DEPTH_TEST); gl.disable(gl.BLEND);
  paintShadows(some, where, t);
  gl.viewport(0, 0, canvas.width, canvas.height); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  paintSurroundings(view);
  paintSolid(some, where, view);
  paintClear(some, where, view, t);
  if (shown.ghost) paintGhost(selection(shown, true), where, view, t);
}
