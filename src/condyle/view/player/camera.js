// Where the eye is: on a sphere around the middle of all that moves.
const up = data.up, level = Math.abs(up[2]) > 0.9 ? [1, 0, 0] : cross(up, Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
const side = unit(cross(up, cross(level, up))), front = cross(side, up);
const FIRST = { yaw: Math.abs(up[1]) > 0.9 ? -1.2 : 0.6, pitch: 0.25, distance: 3.0 * data.radius };  // y up: seen from z
const eye = { ...FIRST };

function camera() {
  const c = Math.cos(eye.pitch), s = Math.sin(eye.pitch);
  const z = up.map((u, i) => s * u + c * (Math.cos(eye.yaw) * front[i] + Math.sin(eye.yaw) * side[i]));
  const aspect = canvas.width / canvas.height, away = eye.distance * Math.max(1, 1 / aspect);  // a tall screen stands back
  const from = data.center.map((x, i) => x + away * z[i]), x = unit(cross(up, z)), y = cross(z, x);
  const V = [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, from), -dot(y, from), -dot(z, from), 1];
  const f = 1 / Math.tan(0.35), near = away / 100, far = away * 20 + data.radius;
  const P = [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0];
  return { P: times(P, V), light: unit(z.map((d, i) => d + 0.6 * y[i] + 0.4 * x[i])) };
}
function turn(dx, dy) { eye.yaw -= dx / 150; eye.pitch = Math.max(-1.5, Math.min(1.5, eye.pitch + dy / 150)); }
function zoom(factor) { eye.distance = Math.max(0.05 * data.radius, Math.min(50 * data.radius, eye.distance * factor)); }
