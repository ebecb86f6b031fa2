// Solid parts, strokes of even width, and sheets one can see through.
const canvas = $("view"), gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
if (!gl) document.body.prepend("This browser has no WebGL 2, which the picture needs.");

// light, sky and ground as `files/lighting.py` computes them
const rgb = c => `vec3(${c.map(x => x.toFixed(5)).join()})`, bright = c => rgb(c.map(x => x ** 2.2));
const LIGHT = `uniform vec3 L, U, E; uniform highp sampler2DShadow D; uniform mat4 SUN;
  float sunny(vec3 p) { vec3 s = (SUN * vec4(p, 1.0)).xyz * 0.5 + 0.5; s.z -= 0.004; vec2 d = vec2(0.7 / 1024.0, 0.0);
    return 0.25 * (texture(D, s + d.xyy) + texture(D, s - d.xyy) + texture(D, s + d.yxy) + texture(D, s - d.yxy)); }
  vec3 toned(vec3 x) { return pow(x * (1.0 + 0.12 * x) / (1.0 + 0.35 * x) * 1.18, vec3(1.0 / 2.2)); }
  vec3 lit(vec3 c, vec3 n, vec3 p) { vec3 v = normalize(E - p); n = normalize(n); n = dot(n, v) < 0.0 ? -n : n;
    float sun = sunny(p), facing = clamp(dot(n, v), 0.0, 1.0), rise = dot(n, U);
    float gloss = 0.16 * pow(max(dot(n, normalize(v + L)), 0.0), 36.0) * sun, rim = 0.10 * pow(1.0 - facing, 3.0) * (0.6 + 0.4 * rise);
    vec3 fill = ${bright(scene.fill)}, light = (0.28 + 0.42 * (0.5 + 0.5 * rise)) * 1.25 * fill + 0.78 * max(dot(n, L), 0.0) * sun * ${bright(scene.sunlight)} + 0.16 * facing;
    return toned(pow(c, vec3(2.2)) * light + gloss + rim * fill); }`;
const SOLID = [`layout(location=0) in vec3 v; layout(location=1) in vec3 n; uniform mat4 M, P; out vec3 N, W;
  void main() { vec4 w = M * vec4(v, 1.0); gl_Position = P * w; N = mat3(M) * n; W = w.xyz; }`,
  `in vec3 N, W; uniform vec3 C; out vec4 o; ${LIGHT} void main() { o = vec4(lit(C, N, W), 1.0); }`];
// what casts shadows: how much of a pixel of the ground it covers, and how near the ground it is
const CAST = [`layout(location=0) in vec3 v; uniform mat4 M, P; uniform vec4 H; out float h;
  void main() { vec4 w = M * vec4(v, 1.0); gl_Position = P * w; h = dot(H, w); }`,
  `in float h; uniform vec3 C; out vec4 o; void main() { o = vec4(C.x, C.y * exp(-5.0 * max(h, 0.0)), 0.0, 1.0); }`];
// a triangle over the whole picture
const WHOLE = `out vec2 Q; void main() { Q = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0); gl_Position = vec4(Q, 0.0, 1.0); }`;
const BLUR = [WHOLE, `in vec2 Q; uniform sampler2D G; uniform vec2 R; out vec4 o;
  void main() { vec2 q = 0.5 * Q + 0.5, sum = vec2(0.0); float all = 0.0;
    for (int i = -3; i <= 3; i++) for (int j = -3; j <= 3; j++) { vec2 d = vec2(i, j) / 1.5; float w = exp(-0.5 * dot(d, d)); all += w;
      sum += w * vec2(texture(G, q + R.x * d).r, texture(G, q + R.y * d).g); }
    sum /= all; o = vec4(1.0 - (1.0 - 0.5 * sum.x) * (1.0 - 0.55 * sum.y), 0.0, 0.0, 1.0); }`];
const AROUND = [WHOLE, `in vec2 Q; uniform mat3 A; uniform vec2 F; uniform vec3 U, E, X, Y, O; uniform float ground, tile, radius, reach;
  uniform bool stands; uniform sampler2D G; out vec4 o;
  float checker(vec2 q) { vec2 w = max(fwidth(q), vec2(1e-5)), s = clamp((abs(mod(q, 2.0) - 1.0) - 0.5) / w, -0.5, 0.5); return 0.5 + 2.0 * s.x * s.y; }
  void main() { vec3 d = normalize(A * vec3(F * Q, -1.0)); float rise = dot(d, U), height = dot(E, U) - ground;
    vec3 sky = mix(${rgb(scene.sky[1])}, ${rgb(scene.sky[0])}, pow(clamp((rise + 0.3) / 0.6, 0.0, 1.0), 1.2));
    float away = rise * height < 0.0 ? -height / rise : 1e9; vec3 p = E + min(away, 60.0 * radius) * d;
    vec2 q = vec2(dot(p, X), dot(p, Y)); vec3 c = mix(${rgb(scene.squares[1])}, ${rgb(scene.squares[0])}, checker(q / tile));
    vec2 g = vec2(dot(p - O, X), dot(p - O, Y)) / reach * 0.5 + 0.5; bool on = all(lessThan(abs(g - 0.5), vec2(0.49)));
    c *= pow(1.0 - (on ? texture(G, g).r : 0.0), 0.8); float share = exp(-pow(length(p - O) / radius / 4.5, 2.0));
    o = vec4(stands && height > 0.0 && away < 60.0 * radius ? mix(sky, c, share) : sky, 1.0); }`];
// a stroke is a rectangle turned to the eye, a little nearer than what it lies on, with soft sides
const STROKE = [`layout(location=0) in vec3 a; layout(location=1) in vec3 b; layout(location=2) in vec3 c; uniform mat4 M, E, P; uniform vec2 S; out float side; out vec3 K;
  void main() { K = c; vec4 A = P * M * vec4(a, 1.0), B = P * E * vec4(b, 1.0);
    vec2 d = B.xy / B.w * S - A.xy / A.w * S; d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
    bool end = gl_VertexID > 1; vec4 X = end ? B : A; side = gl_VertexID % 2 == 0 ? 1.0 : -1.0;
    vec2 shift = (vec2(-d.y, d.x) * side + d * (end ? 0.5 : -0.5)) / S;
    gl_Position = vec4(X.xy + shift * X.w, X.z - 0.0006 * X.w, X.w); }`,
  `in float side; in vec3 K; uniform vec3 C; uniform bool own; out vec4 o;
  void main() { float s = abs(side), w = fwidth(side); o = vec4(own ? K : C, 1.0 - smoothstep(1.0 - 1.5 * w, 1.0, s)); }`];
// the lines of the grid are drawn where row or column is whole
const SHEET = [`layout(location=0) in vec3 v; layout(location=1) in vec3 n; uniform mat4 M, P; uniform int columns; out vec3 N, W; out vec2 G;
  void main() { vec4 w = M * vec4(v, 1.0); gl_Position = P * w; N = mat3(M) * n; W = w.xyz;
    G = vec2(gl_VertexID / columns, gl_VertexID % columns); }`,
  `in vec3 N, W; in vec2 G; uniform vec3 C; uniform float A, lines; out vec4 o; ${LIGHT}
  void main() { vec2 w = fwidth(G), d = abs(fract(G - 0.5) - 0.5) / max(w, vec2(1e-6));
    float line = lines * clamp(1.6 - min(d.x, d.y), 0.0, 1.0) * clamp(2.0 - 12.0 * max(w.x, w.y), 0.0, 1.0);
    o = vec4(lit(C * (1.0 - 0.35 * line), N, W), mix(A, min(1.0, A + 0.25), line)); }`];

function program([vertex, fragment]) {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\nprecision highp float;\n" + text); gl.compileShader(s); gl.attachShader(p, s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) console.error(gl.getShaderInfoLog(s));
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) console.error(gl.getProgramInfoLog(p));
  const places = {};
  return { p, at: name => places[name] ??= gl.getUniformLocation(p, name), slot: name => gl.getAttribLocation(p, name) };
}
const solid = program(SOLID), stroke = program(STROKE), sheet = program(SHEET), cast = program(CAST), blur = program(BLUR), around = program(AROUND);

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
  attribute(solid, "v", Float32Array.from(new Uint16Array(bytes(d.v)), (x, i) => d.low[i % 3] + d.size[i % 3] * x / 65535), gl.FLOAT);
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
  return { ...d, color: d.c, grid: d.lines, v, normals, grids: new Uint16Array(bytes(d.g)), shown: null, ...indices(new Uint32Array(cells)) };
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
  for (let i = 0; i < s.rows; i++) for (let j = 0; j < s.columns; j++) {  // at a pole, those of the row beside it
    const o = 3 * (i * s.columns + j), inside = 3 * (Math.min(Math.max(i, 1), s.rows - 2) * s.columns + Math.min(Math.max(j, 1), s.columns - 2));
    if (Math.hypot(q[o], q[o + 1], q[o + 2]) < 0.5) q.copyWithin(o, inside, inside + 3);
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
// a body's pose; −1 is the world, −2 that of the second motion
const placeOf = (body, where) => body >= 0 ? where[body] : body === -2 ? where.second : IDENTITY;
function paint(prog, things, where, view, draw) {
  gl.useProgram(prog.p);
  gl.uniformMatrix4fv(prog.at("P"), false, view.P);
  for (const x of things) {
    gl.bindVertexArray(x.vao);
    gl.uniformMatrix4fv(prog.at("M"), false, placeOf(x.body, where));
    gl.uniform3fv(prog.at("C"), view.color ?? x.color);
    draw(x);
  }
}
const whole = x => gl.drawElements(gl.TRIANGLES, x.count, x.kind, 0);
function light(prog, view) {
  gl.useProgram(prog.p);
  gl.uniform3fv(prog.at("L"), scene.sun); gl.uniform3fv(prog.at("U"), up); gl.uniform3fv(prog.at("E"), view.eye);
  gl.uniformMatrix4fv(prog.at("SUN"), false, SUN); gl.uniform1i(prog.at("D"), 0);
}
function drawSheet(x) {
  gl.uniform1f(sheet.at("A"), x.a); gl.uniform1i(sheet.at("columns"), x.columns); gl.uniform1f(sheet.at("lines"), x.grid ? 1 : 0);
  if (x.a === 1) { whole(x); return; }
  gl.enable(gl.CULL_FACE);  // far side first, so that what is near is on top
  for (const side of [gl.FRONT, gl.BACK]) { gl.cullFace(side); whole(x); }
  gl.disable(gl.CULL_FACE);
}
function blending(draw) {
  gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false); draw();
  gl.disable(gl.BLEND); gl.depthMask(true);
}
function paintStrokes(some, where, view, t, width, [w, h]) {
  gl.useProgram(stroke.p); gl.uniform2f(stroke.at("S"), w / width, h / width);
  paint(stroke, some, where, view, x => {
    gl.uniformMatrix4fv(stroke.at("E"), false, placeOf(x.end, where));
    if (x.steps > 1) turnTo(x, t);
    gl.uniform1i(stroke.at("own"), x.paint && !view.color ? 1 : 0);  // shadows have one colour
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, x.count);
  });
}
