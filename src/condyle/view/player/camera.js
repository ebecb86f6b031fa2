// Where the eye is: it frames all that moves, goes around it, and may go along with a body.
const scene = data.setting, up = scene.up, HALF = Math.tan(scene.angle / 2);
const plus = (a, b, s = 1) => a.map((x, i) => x + s * b[i]);
const level = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
const side = unit(plus(level, up, -dot(level, up))), depth = cross(up, side);
const FIRST = { yaw: Math.atan2(dot(scene.front, depth), dot(scene.front, side)), pitch: Math.asin(dot(scene.front, up)), zoom: 1, shift: [0, 0] };
const eye = { ...FIRST, shift: [0, 0], follow: scene.follow };
const outlines = { fixed: floats(scene.outline), followed: floats(scene.followed), together: data.second && floats(data.second.outline) };

// right, up and backwards for the eye
function axes(pitch, yaw) {
  const c = Math.cos(pitch), s = Math.sin(pitch);
  const z = up.map((u, i) => s * u + c * (Math.cos(yaw) * side[i] + Math.sin(yaw) * depth[i])), x = unit(cross(up, z));
  return [x, cross(z, x), z];
}
// the place to look at and the distance from which the first view shows the whole outline, as `Setting.camera` computes
function framed(points, aspect) {
  const [x, y, z] = axes(FIRST.pitch, FIRST.yaw), slopes = [HALF * aspect / scene.margin, HALF / scene.margin], far = [0, 0], middle = [0, 0];
  [x, y].forEach((a, i) => {
    let right = -Infinity, left = -Infinity, s = slopes[i];
    for (let k = 0; k < points.length; k += 3) {
      const p = points.subarray(k, k + 3), u = dot(a, p), w = s * dot(z, p);
      right = Math.max(right, w + u); left = Math.max(left, w - u);
    }
    middle[i] = (right - left) / 2; far[i] = (right + left) / 2 / s;
  });
  const away = Math.max(...far), at = dot(z, outlines.followed.length && points === outlines.followed ? [0, 0, 0] : scene.center);
  return { target: x.map((_, i) => middle[0] * x[i] + middle[1] * y[i] + at * z[i]), away: Math.max(away - at, 1e-3 * scene.radius) };
}
function camera(where) {
  const aspect = canvas.width / canvas.height, own = eye.follow >= 0 && eye.follow === scene.follow;
  const frame = framed(own ? outlines.followed : state.shown.ghost ? outlines.together : outlines.fixed, aspect), away = frame.away * eye.zoom;
  const carried = eye.follow >= 0 ? where[eye.follow].slice(12, 15) : [0, 0, 0];
  const [x, y, z] = axes(eye.pitch, eye.yaw), start = eye.follow >= 0 && !own ? carried : plus(frame.target, carried);
  const target = plus(plus(start, x, eye.shift[0] * away), y, eye.shift[1] * away), from = plus(target, z, away);
  const V = [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, from), -dot(y, from), -dot(z, from), 1];
  const f = 1 / HALF, near = Math.max(away - 4 * scene.radius, away / 100), far = away + 40 * scene.radius;
  const P = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
  return { P: times(P, V), eye: from, axes: [...x, ...y, ...z], slopes: [HALF * aspect, HALF] };
}
function turn(dx, dy) { eye.yaw -= dx / 150; eye.pitch = Math.max(-1.5, Math.min(1.5, eye.pitch + dy / 150)); }
function zoom(factor) { eye.zoom = Math.max(0.03, Math.min(30, eye.zoom * factor)); }
function pan(dx, dy) { const s = 2 * HALF / canvas.clientHeight; eye.shift = [eye.shift[0] - s * dx, eye.shift[1] + s * dy]; }
