// Solid parts, strokes of even width, and sheets one can see through.
const canvas = $("view"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
if (!gl) document.body.prepend("This browser has no WebGL 2, which the picture needs.");

const SHADE = `vec3 lit(vec3 c, vec3 n, vec3 L, bool both) { float d = dot(normalize(n), L);
  return c * (0.45 + 0.5 * (both ? abs(d) : max(d, 0.0)) + (both ? 0.0 : 0.12 * max(-d, 0.0))); }`;
const SOLID = [`in vec3 v, n; uniform mat4 M, P; out vec3 N;
  void main() { gl_Position = P * M * vec4(v, 1.0); N = mat3(M) * n; }`,
  `in vec3 N; uniform vec3 L, C; out vec4 o; ${SHADE} void main() { o = vec4(lit(C, N, L, false), 1.0); }`];
// a stroke is a rectangle turned to the eye, a little nearer than what it lies on
const STROKE = [`in vec3 a, b, c; uniform mat4 M, E, P; uniform vec2 S; out vec3 K;
  void main() { K = c; vec4 A = P * M * vec4(a, 1.0), B = P * E * vec4(b, 1.0);
    vec2 d = B.xy / B.w * S - A.xy / A.w * S; d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
    bool end = gl_VertexID > 1; vec4 X = end ? B : A; float side = gl_VertexID % 2 == 0 ? 1.0 : -1.0;
    vec2 shift = (vec2(-d.y, d.x) * side + d * (end ? 0.5 : -0.5)) / S;
    gl_Position = vec4(X.xy + shift * X.w, X.z - 0.0006 * X.w, X.w); }`,
  `in vec3 K; out vec4 o; void main() { o = vec4(K, 1.0); }`];
// the lines of the grid are drawn where row or column is whole
const SHEET = [`in vec3 v, n; uniform mat4 M, P; uniform int columns; out vec3 N; out vec2 G;
  void main() { gl_Position = P * M * vec4(v, 1.0); N = mat3(M) * n;
    G = vec2(gl_VertexID / columns, gl_VertexID % columns); }`,
  `in vec3 N; in vec2 G; uniform vec3 L, C; uniform float A; out vec4 o; ${SHADE}
  void main() { vec2 w = fwidth(G), d = abs(fract(G - 0.5) - 0.5) / max(w, vec2(1e-6));
    float line = (1.0 - smoothstep(0.4, 1.2, min(d.x, d.y))) * (1.0 - smoothstep(0.15, 0.4, max(w.x, w.y)));
    vec3 c = lit(C, N, L, true); o = vec4(mix(c, 0.55 * c, 0.7 * line), mix(A, min(1.0, A + 0.25), line)); }`];

function program([vertex, fragment]) {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\nprecision highp float;\n" + text); gl.compileShader(s); gl.attachShader(p, s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) console.error(gl.getShaderInfoLog(s));
  }
  gl.linkProgram(p);
  const places = {};
  return { p, at: name => places[name] ??= gl.getUniformLocation(p, name), slot: name => gl.getAttribLocation(p, name) };
}
const solid = program(SOLID), stroke = program(STROKE), sheet = program(SHEET);

function attribute(prog, name, array, kind, { stride = 0, offset = 0, step = 0, normal = false, use = gl.STATIC_DRAW } = {}) {
  const slot = prog.slot(name), buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferData(gl.ARRAY_BUFFER, array, use);
  gl.enableVertexAttribArray(slot); gl.vertexAttribPointer(slot, 3, kind, normal, stride, offset);
  gl.vertexAttribDivisor(slot, step);
  return buffer;
}
function arrangement(make) {
  const vao = gl.createVertexArray(); gl.bindVertexArray(vao); const made = make(); gl.bindVertexArray(null);
  return { vao, ...made };
}
function indices(array) {
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer()); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, array, gl.STATIC_DRAW);
  return { count: array.length, kind: array.BYTES_PER_ELEMENT === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
}
const parts = data.parts.map(d => arrangement(() => {
  attribute(solid, "v", floats(d.v), gl.FLOAT);
  attribute(solid, "n", new Int8Array(bytes(d.n)), gl.BYTE, { normal: true });
  return { body: d.body, color: d.c, ...indices(d.small ? new Uint16Array(bytes(d.f)) : new Uint32Array(bytes(d.f))) };
}));
const strokes = data.strokes.map(d => arrangement(() => {
  const s = floats(d.s), steps = d.steps ?? 1;
  const ends = [attribute(stroke, "a", s, gl.FLOAT, { stride: 24, step: 1 }),
    attribute(stroke, "b", s, gl.FLOAT, { stride: 24, offset: 12, step: 1 })];
  const paint = d.paint && attribute(stroke, "c", new Uint8Array(bytes(d.paint)), gl.UNSIGNED_BYTE, { step: 1, normal: true });
  return { body: d.body, end: d.end ?? d.body, color: d.c, paint, count: s.length / 6 / steps, steps, ends };  // the body of a, of b
}));
const sheets = data.sheets.map(d => arrangement(() => {
  const size = 3 * d.rows * d.columns, cells = [];
  for (let i = 0; i + 1 < d.rows; i++) for (let j = 0; j + 1 < d.columns; j++) {
    const a = i * d.columns + j, b = a + d.columns; cells.push(a, a + 1, b + 1, a, b + 1, b);
  }
  const v = attribute(sheet, "v", new Float32Array(size), gl.FLOAT, { use: gl.DYNAMIC_DRAW });
  const normals = attribute(sheet, "n", new Float32Array(size), gl.FLOAT, { use: gl.DYNAMIC_DRAW });
  return { ...d, color: d.c, v, normals, grids: new Uint16Array(bytes(d.g)), shown: null, ...indices(new Uint32Array(cells)) };
}));

// the grid of a sheet at time t, blended between the times it was kept at, and its normals
function bend(s, t) {
  const [k, f] = between(s.t, t), size = 3 * s.rows * s.columns;
  if (s.shown === k + f) return;
  const p = new Float32Array(size), q = new Float32Array(size), next = Math.min(k + 1, s.t.length - 1);
  for (let i = 0; i < size; i++) {
    const g = (1 - f) * s.grids[k * size + i] + f * s.grids[next * size + i];
    p[i] = s.low[i % 3] + s.size[i % 3] * g / 65535;
  }
  const at = (i, j) => { const o = 3 * (i * s.columns + j); return [p[o], p[o + 1], p[o + 2]]; };
  const less = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  for (let i = 0; i < s.rows; i++) for (let j = 0; j < s.columns; j++) {
    const down = less(at(Math.min(i + 1, s.rows - 1), j), at(Math.max(i - 1, 0), j));
    const right = less(at(i, Math.min(j + 1, s.columns - 1)), at(i, Math.max(j - 1, 0)));
    q.set(unit(cross(down, right)), 3 * (i * s.columns + j));
  }
  for (const [buffer, array] of [[s.v, p], [s.normals, q]]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferSubData(gl.ARRAY_BUFFER, 0, array);
  }
  s.shown = k + f;
}
// the lines of the record that is nearest to a time
function turnTo(x, t) {
  const [k, f] = between(T, t), record = Math.round(k + f), start = 24 * x.count * record;
  for (const [i, name] of ["a", "b"].entries()) {
    gl.bindBuffer(gl.ARRAY_BUFFER, x.ends[i]);
    gl.vertexAttribPointer(stroke.slot(name), 3, gl.FLOAT, false, 24, start + 12 * i);
  }
  if (!x.paint) return;
  gl.bindBuffer(gl.ARRAY_BUFFER, x.paint);
  gl.vertexAttribPointer(stroke.slot("c"), 3, gl.UNSIGNED_BYTE, true, 3, 3 * x.count * record);
}
function paint(prog, things, where, view, draw) {
  gl.useProgram(prog.p);
  gl.uniformMatrix4fv(prog.at("P"), false, view.P);
  gl.uniform3fv(prog.at("L"), view.light);
  for (const x of things) {
    gl.bindVertexArray(x.vao);
    gl.uniformMatrix4fv(prog.at("M"), false, x.body < 0 ? IDENTITY : where[x.body]);
    gl.uniform3fv(prog.at("C"), x.color);
    draw(x);
  }
}
function paintSheets(where, view, t) {
  for (const x of sheets) bend(x, t);
  const draw = x => {
    gl.uniform1f(sheet.at("A"), x.a); gl.uniform1i(sheet.at("columns"), x.columns);
    if (x.a === 1) { gl.drawElements(gl.TRIANGLES, x.count, x.kind, 0); return; }
    gl.enable(gl.CULL_FACE);  // far side first, so that what is near is on top
    for (const side of [gl.FRONT, gl.BACK]) { gl.cullFace(side); gl.drawElements(gl.TRIANGLES, x.count, x.kind, 0); }
    gl.disable(gl.CULL_FACE);
  };
  paint(sheet, sheets.filter(x => x.a === 1), where, view, draw);
  gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false);
  paint(sheet, sheets.filter(x => x.a < 1), where, view, draw);
  gl.disable(gl.BLEND); gl.depthMask(true);
}
function picture(where, view, t, shown) {
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0.957, 0.949, 0.933, 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.enable(gl.DEPTH_TEST);
  if (shown.bodies) paint(solid, parts, where, view, x => gl.drawElements(gl.TRIANGLES, x.count, x.kind, 0));
  gl.useProgram(stroke.p);
  const width = Math.max(2.0, 2.4 * (devicePixelRatio || 1));  // [pixel]
  gl.uniform2f(stroke.at("S"), canvas.width / width, canvas.height / width);
  if (shown.lines) paint(stroke, strokes, where, view, x => {
    gl.uniformMatrix4fv(stroke.at("E"), false, x.end < 0 ? IDENTITY : where[x.end]);
    if (x.steps > 1) turnTo(x, t);
    if (!x.paint) gl.vertexAttrib3fv(stroke.slot("c"), x.color);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, x.count);
  });
  if (shown.surfaces) paintSheets(where, view, t);
}
