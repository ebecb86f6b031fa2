// Bodies where sliders put them: every joint is H Π exp(ĝ φ(q)), rows of a table where it is piecewise, or a quaternion.
const columns = (R, p) => [R[0], R[3], R[6], 0, R[1], R[4], R[7], 0, R[2], R[5], R[8], 0, p[0], p[1], p[2], 1];
const several = s => { const all = floats(s), out = []; for (let k = 0; k < all.length; k += 16) out.push([...all.subarray(k, k + 16)]); return out; };
const rig = data.rig && {
  ...data.rig, placements: several(data.rig.placements), ends: several(data.rig.ends), q: [...floats(data.rig.q)],
  joints: data.rig.joints.map(j => j.map(s => ({ ...s, poses: several(s.poses), twists: floats(s.twists), breaks: s.breaks.map(floats),
    terms: s.terms.map(t => ({ ...t, constants: floats(t.constants) })) }))),
};
// the row of x: a breakpoint belongs to the span on its right, the last one to the last span
function span(b, x) {
  let k = 0;
  while (k < b.length && b[k] <= x) k++;
  return x === b[b.length - 1] ? b.length - 1 : k;
}
const middle = (b, k) => k === 0 ? b[0] : k === b.length ? b[k - 1] : (b[k - 1] + b[k]) / 2;
function polynomial(c, at, orders, u) {
  const inner = orders.slice(1), size = inner.reduce((a, b) => a * b, 1);
  let sum = 0;
  for (let i = orders[0] - 1; i >= 0; i--) sum = sum * u[0] + (inner.length ? polynomial(c, at + i * size, inner, u.slice(1)) : c[at + i]);
  return sum;
}
function scalar({ kind, coordinates, orders, constants: c }, row, q, local) {
  const x = q[coordinates[0]];
  if (kind === "sinusoid") { const k = 4 * row; return c[k] + c[k + 1] * Math.sin(c[k + 2] * x + c[k + 3]); }
  if (kind === "ellipse") { const a = c[2 * row], b = c[2 * row + 1], S = Math.sin(x), C = Math.cos(x); return x + Math.atan2((b - a) * S * C, a * C * C + b * S * S); }
  return polynomial(c, row * orders.reduce((a, b) => a * b, 1), orders, coordinates.map(k => local[k] ?? q[k]));
}
// exp of a twist (angular part first) times φ
function exponential(g, phi) {
  const w = Math.hypot(g[0], g[1], g[2]), v = g.slice(3);
  if (w === 0) return columns([1, 0, 0, 0, 1, 0, 0, 0, 1], v.map(x => x * phi));
  const k = [...g.slice(0, 3)].map(x => x / w), a = w * phi, s = Math.sin(a), c = 1 - Math.cos(a), [x, y, z] = k, first = cross(k, v), second = cross(k, first);
  const R = [1 - c * (y*y + z*z), c*x*y - s*z, c*x*z + s*y, c*x*y + s*z, 1 - c * (x*x + z*z), c*y*z - s*x, c*x*z - s*y, c*y*z + s*x, 1 - c * (x*x + y*y)];
  return columns(R, [0, 1, 2].map(i => phi * v[i] + c / w * first[i] + (phi - s / w) * second[i]));
}
function factors(s, q) {
  const local = {};
  let row = 0;
  s.breaks.forEach((b, k) => {
    const c = s.grid[k], period = b[b.length - 1] - b[0], x = s.periodic[k] ? b[0] + (((q[c] - b[0]) % period) + period) % period : q[c], here = span(b, x);
    row = row * (b.length + 1) + here; local[c] = x - middle(b, here);
  });
  const m = s.terms.length;
  return s.terms.reduce((X, t, k) => times(X, exponential([...s.twists.subarray(6 * (row * m + k), 6 * (row * m + k) + 6)], scalar(t, row, q, local))), s.poses[row]);
}
const segment = (s, q) => s.quaternion < 0 ? factors(s, q) : matrix(q[s.quaternion].length > 4 ? q[s.quaternion] : [...q[s.quaternion], 0, 0, 0]);
const joint = (k, q) => rig.joints[k].reduce((X, s) => times(X, segment(s, q)), IDENTITY);
// world poses of all bodies for the numbers q
function posed(q) {
  const own = rig.parents.map(() => []), where = [];
  for (const [body, c, at, width] of rig.places) own[body][c] = width > 1 ? q.slice(at, at + width) : q[at];
  for (const [body, c, from, driver, k] of rig.followers) own[body][c] = joint(k, [own[from][driver]])[12];
  rig.parents.forEach((parent, b) => {
    const local = times(times(rig.placements[b], joint(rig.kinds[b], own[b])), rig.ends[b]);
    where.push(parent < 0 ? local : times(where[parent], local));
  });
  return where;
}
// the quaternion of turns about x, then y, then z
function turned(angles) {
  const [[a, x], [b, y], [c, z]] = angles.map(v => [Math.cos(v / 2), Math.sin(v / 2)]);
  return [a*b*c - x*y*z, x*b*c + a*y*z, a*y*c - x*b*z, a*b*z + x*y*c];
}
