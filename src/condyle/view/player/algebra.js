// Numbers from text, vectors, 4x4 matrices by columns, and the poses of bodies.
const bytes = s => Uint8Array.from(atob(s), c => c.charCodeAt(0)).buffer;
const floats = s => new Float32Array(bytes(s));
const $ = id => document.getElementById(id);
const T = floats(data.t), n = data.bodies.length, last = T[T.length - 1];
const turns = new Int16Array(bytes(data.turns)), positions = floats(data.places);

const cross = (a, b) => [a[1]*b[2]-a[2]*b[1], a[2]*b[0]-a[0]*b[2], a[0]*b[1]-a[1]*b[0]];
const dot = (a, b) => a[0]*b[0] + a[1]*b[1] + a[2]*b[2];
const unit = a => { const s = Math.hypot(...a), m = s > 1e-12 ? s : Infinity; return a.map(x => x / m); };
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const times = (A, B) => { const C = []; for (let j = 0; j < 4; j++) for (let i = 0; i < 4; i++) {
  let s = 0; for (let k = 0; k < 4; k++) s += A[4*k+i] * B[4*j+k]; C.push(s); } return C; };

// the record at or before t of a sorted array, and how far t is to the next one (0 to 1)
function between(times, t) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) { const k = (low + high) >> 1; if (times[k] <= t) low = k; else high = k; }
  if (times.length < 2) return [0, 0];
  return [low, Math.min(1, Math.max(0, (t - times[low]) / (times[low + 1] - times[low])))];
}
// quaternion (w, x, y, z) and position of body b: a normalised blend of records k and k + 1
function pose(b, k, s) {
  const at = k * n + b, next = Math.min(k + 1, T.length - 1) * n + b, o = new Float32Array(7);
  let d = 0, size = 0;
  for (let i = 0; i < 4; i++) d += turns[4 * at + i] * turns[4 * next + i];
  for (let i = 0; i < 4; i++) { o[i] = (1 - s) * turns[4 * at + i] + s * (d < 0 ? -1 : 1) * turns[4 * next + i]; size += o[i] * o[i]; }
  for (let i = 0; i < 4; i++) o[i] /= Math.sqrt(size);
  for (let i = 0; i < 3; i++) o[4 + i] = (1 - s) * positions[3 * at + i] + s * positions[3 * next + i];
  return o;
}
function matrix([w, x, y, z, a, b, c]) {
  return [1-2*(y*y+z*z), 2*(x*y+w*z), 2*(x*z-w*y), 0, 2*(x*y-w*z), 1-2*(x*x+z*z), 2*(y*z+w*x), 0,
          2*(x*z+w*y), 2*(y*z-w*x), 1-2*(x*x+y*y), 0, a, b, c, 1];
}
