// Small vectors as plain arrays. Quaternions are w x y z, matrices row-major.

export type Vec = ArrayLike<number>;

export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const sum = (a: Vec, b: Vec, scale = 1): number[] => [
  a[0] + scale * b[0],
  a[1] + scale * b[1],
  a[2] + scale * b[2],
];
export const length = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export function unit(a: Vec): number[] {
  const l = length(a);
  return l > 0 ? [a[0] / l, a[1] / l, a[2] / l] : [0, 0, 1];
}

/** Writes the rotation of a quaternion as nine numbers. */
export function rotationOf(q: Vec, at: number, out: Float32Array | number[]): void {
  const w = q[at], x = q[at + 1], y = q[at + 2], z = q[at + 3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
}

export function quaternionOf(m: Vec): number[] {
  const trace = m[0] + m[4] + m[8];
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    return [s / 4, (m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s];
  }
  const i = m[0] > m[4] && m[0] > m[8] ? 0 : m[4] > m[8] ? 1 : 2;
  const j = (i + 1) % 3;
  const k = (i + 2) % 3;
  const s = 2 * Math.sqrt(Math.max(1e-12, 1 + m[4 * i] - m[4 * j] - m[4 * k]));
  const q = [0, 0, 0, 0];
  q[0] = (m[3 * k + j] - m[3 * j + k]) / s;
  q[1 + i] = s / 4;
  q[1 + j] = (m[3 * j + i] + m[3 * i + j]) / s;
  q[1 + k] = (m[3 * k + i] + m[3 * i + k]) / s;
  return q;
}

export function product(p: Vec, q: Vec): number[] {
  return [
    p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
    p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
    p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
  ];
}
