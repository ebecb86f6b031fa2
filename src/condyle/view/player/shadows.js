// Shadows: what the sun sees, what lies above each place of the ground, and the ground under the sky.
const NEAR = 1024, FAR = 512, SMALL = 256, stands = scene.ground !== null, reach = 2.6 * scene.radius;
const X = unit(cross(up, scene.front)), Y = cross(up, X), across = unit(cross(scene.sun, Y)), R = scene.radius, O = scene.center;
// rows of world coordinates from the middle of the scene, as a matrix by columns
const looking = (rows, sizes, offset = [0, 0, 0]) => { const m = [];
  for (let j = 0; j < 3; j++) { for (let i = 0; i < 3; i++) m.push(rows[i][j] / sizes[i]); m.push(0); }
  return [...m, ...rows.map((r, i) => offset[i] - dot(r, O) / sizes[i]), 1]; };
const SUN = looking([across, cross(scene.sun, across), scene.sun.map(x => -x)], [1.1 * R, 1.1 * R, 3 * R]);
const DOWN = looking([X, Y, up.map(x => -x)], [reach, reach, 8 * R]);
// along the sun on the ground: a point p falls on p − (up·p − ground) sun / (up·sun), so each row loses that slope
const SLANT = (() => {
  const slopes = [X, Y].map(a => dot(a, scene.sun) / dot(up, scene.sun)), high = dot(up, O) - (scene.ground ?? 0);
  return looking([plus(X, up, -slopes[0]), plus(Y, up, -slopes[1]), up.map(x => -x)], [reach, reach, 8 * R],
    [-slopes[0] * high / reach, -slopes[1] * high / reach, 0]);
})();

function target(size, depth) {
  const texture = gl.createTexture(), frame = gl.createFramebuffer();
  gl.bindTexture(gl.TEXTURE_2D, texture); gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.texStorage2D(gl.TEXTURE_2D, 1, depth ? gl.DEPTH_COMPONENT24 : gl.RG8, size, size);
  for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
  if (depth) gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, depth ? gl.DEPTH_ATTACHMENT : gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  return { texture, frame, size };
}
const sunMap = target(NEAR, true), coverMap = target(FAR, false), softMap = target(SMALL, false);
function onto(map) { gl.bindFramebuffer(gl.FRAMEBUFFER, map.frame); gl.viewport(0, 0, map.size, map.size); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); }
function bound(unit, texture) { gl.activeTexture(gl.TEXTURE0 + unit); gl.bindTexture(gl.TEXTURE_2D, texture); }

function paintShadows(some, where, t) {
  bound(0, null); bound(1, null); gl.clearColor(0, 0, 0, 0);
  const solids = [...some.parts, ...some.sheets.filter(x => x.a === 1)];
  onto(sunMap); paint(cast, solids, where, { P: SUN }, whole); paintTubes(castTube, some.tubes, where, { P: SUN });
  if (stands) paintCover(solids, some, where, t);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  bound(0, sunMap.texture); bound(1, softMap.texture);
}
function paintCover(solids, some, where, t) {
  onto(coverMap); gl.disable(gl.DEPTH_TEST); gl.enable(gl.BLEND); gl.blendEquation(gl.MAX);
  for (const prog of [cast, castTube]) { gl.useProgram(prog.p); gl.uniform4f(prog.at("H"), ...up.map(x => x / R), -scene.ground / R); }
  for (const [P, color] of [[SLANT, [1, 0, 0]], [DOWN, [0, 1, 0]]]) {
    paint(cast, solids, where, { P, color }, whole); paintTubes(castTube, some.tubes, where, { P, color });
  }
  paint(cast, some.sheets.filter(x => x.a < 1), where, { P: SLANT, color: [0.45, 0, 0] }, whole);
  gl.blendEquation(gl.FUNC_ADD); gl.disable(gl.BLEND);
  paintStrokes(some.strokes, where, { P: SLANT, color: [1, 0, 0] }, t, Math.max(1.0, 0.004 * R / reach * FAR), [FAR, FAR]);
  onto(softMap); gl.bindVertexArray(null); gl.useProgram(blur.p); bound(1, coverMap.texture);
  gl.uniform1i(blur.at("G"), 1); gl.uniform2f(blur.at("R"), 0.012 * R / (2 * reach), 0.03 * R / (2 * reach));
  gl.drawArrays(gl.TRIANGLES, 0, 3); bound(1, null); gl.enable(gl.DEPTH_TEST);
}
function paintSurroundings(view) {
  gl.useProgram(around.p); gl.disable(gl.DEPTH_TEST); gl.bindVertexArray(null);
  gl.uniformMatrix3fv(around.at("A"), false, view.axes); gl.uniform2fv(around.at("F"), view.slopes);
  for (const [name, value] of [["U", up], ["E", view.eye], ["X", X], ["Y", Y], ["O", O]]) gl.uniform3fv(around.at(name), value);
  for (const [name, value] of [["ground", scene.ground ?? 0], ["tile", scene.tile], ["radius", R], ["reach", reach]]) gl.uniform1f(around.at(name), value);
  gl.uniform1i(around.at("stands"), stands ? 1 : 0); gl.uniform1i(around.at("G"), 1);
  gl.drawArrays(gl.TRIANGLES, 0, 3); gl.enable(gl.DEPTH_TEST);
}
