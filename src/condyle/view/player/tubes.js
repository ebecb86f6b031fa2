// Muscles as tubes with round ends, between points of two bodies or along points that each record has.
const AROUND_TUBE = 8, LATITUDES = [-90, -45, 0, 0, 45, 90], HALF_TUBE = 3 * AROUND_TUBE;
const TUBE_VERTEX = `layout(location=0) in vec3 v; layout(location=1) in vec3 a; layout(location=2) in vec3 b; layout(location=3) in vec3 c;
  uniform mat4 M, End, P; uniform vec4 H; uniform float radius; out vec3 N, W, K; out float h;
  void main() { vec3 A = (M * vec4(a, 1.0)).xyz, B = (End * vec4(b, 1.0)).xyz, d = B - A; float l = length(d); bool some = l > 1e-6;
    d = some ? d / l : vec3(1.0, 0.0, 0.0); vec3 x = normalize(cross(d, abs(d.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
    N = x * v.x + cross(d, x) * v.y + d * v.z; K = c; W = (gl_VertexID < ${HALF_TUBE} ? A : B) + (some ? radius : 0.0) * N;
    gl_Position = P * vec4(W, 1.0); h = dot(H, vec4(W, 1.0)); }`;
const tube = program([TUBE_VERTEX, `in vec3 N, W, K; uniform vec3 C; uniform bool own; out vec4 o; ${LIGHT} void main() { o = vec4(lit(own ? K : C, N, W), 1.0); }`]);
const castTube = program([TUBE_VERTEX, CAST[1]]);
const template = LATITUDES.flatMap(d => Array.from({ length: AROUND_TUBE }, (_, k) => {
  const a = 2 * Math.PI * k / AROUND_TUBE, l = d * Math.PI / 180; return [Math.cos(l) * Math.cos(a), Math.cos(l) * Math.sin(a), Math.sin(l)]; })).flat();
const skin = LATITUDES.slice(1).flatMap((_, i) => Array.from({ length: AROUND_TUBE }, (_, k) => {
  const a = i * AROUND_TUBE + k, b = i * AROUND_TUBE + (k + 1) % AROUND_TUBE; return [a, b, b + AROUND_TUBE, a, b + AROUND_TUBE, a + AROUND_TUBE]; })).flat();
function tubes(array, stride, more) {
  return arrangement(() => {
    attribute(tube, "v", new Float32Array(template), gl.FLOAT);
    const buffer = attribute(tube, "a", array, gl.FLOAT, { stride, step: 1, use: gl.DYNAMIC_DRAW }), slots = [["b", 12], ["c", 24]];
    for (const [name, offset] of slots.slice(0, stride > 24 ? 2 : 1)) {
      const slot = tube.slot(name);
      gl.enableVertexAttribArray(slot); gl.vertexAttribPointer(slot, 3, gl.FLOAT, false, stride, offset); gl.vertexAttribDivisor(slot, 1);
    }
    return { buffer, instances: 4 * array.length / stride, ...indices(new Uint16Array(skin)), ...more };
  });
}
const tied = list => list.map(d => tubes(floats(d.s), 24, { body: d.body, end: d.end, color: d.c }));
const ties = tied(data.ties), straight = tied(data.straight);
const chains = data.chains.map(d => {
  const count = d.counts.reduce((a, b) => a + b, 0);
  return tubes(new Float32Array(9 * count), 36, { body: d.body, end: d.body, color: d.c, counts: d.counts, low: d.low, size: d.size,
    places: new Uint16Array(bytes(d.v)), paint: d.paint && new Uint8Array(bytes(d.paint)), shown: null });
});
// points and colours of a chain at time t, blended between records
function lay(x, t) {
  const [k, f] = between(T, t), next = Math.min(k + 1, T.length - 1), points = x.places.length / 3 / T.length, out = new Float32Array(9 * x.instances);
  if (x.shown === k + f) return;
  const at = (p, i) => x.low[i] + x.size[i] / 65535 * ((1 - f) * x.places[3 * (k * points + p) + i] + f * x.places[3 * (next * points + p) + i]);
  const shade = (m, i) => x.paint ? ((1 - f) * x.paint[3 * (k * x.counts.length + m) + i] + f * x.paint[3 * (next * x.counts.length + m) + i]) / 255 : x.color[i];
  let p = 0, o = 0;
  x.counts.forEach((count, m) => {
    for (let j = 0; j < count; j++, p++) for (let i = 0; i < 9; i++) out[o++] = i < 3 ? at(p, i) : i < 6 ? at(p + 1, i - 3) : shade(m, i - 6);
    p++;
  });
  gl.bindBuffer(gl.ARRAY_BUFFER, x.buffer); gl.bufferSubData(gl.ARRAY_BUFFER, 0, out);
  x.shown = k + f;
}
// those of a posture that sliders made have no records: muscles are straight from point to point
const muscles = () => state.moved && straight.length ? [...ties, ...straight] : [...ties, ...chains];
function paintTubes(prog, some, where, view) {
  gl.useProgram(prog.p); gl.uniform1f(prog.at("radius"), data.radius);
  paint(prog, some, where, view, x => {
    gl.uniformMatrix4fv(prog.at("End"), false, placeOf(x.end, where));
    gl.uniform1i(prog.at("own"), x.counts ? 1 : 0);
    gl.drawElementsInstanced(gl.TRIANGLES, x.count, x.kind, 0, x.instances);
  });
}
