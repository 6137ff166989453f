// The page's reader of binary messages against bytes written by hand from docs/viewer_protocol.md.

import assert from 'node:assert/strict';
import test from 'node:test';
import { build } from 'esbuild';

async function moduleOf(path) {
  const out = await build({
    entryPoints: [new URL(path, import.meta.url).pathname], bundle: true, format: 'esm', write: false, logLevel: 'error', loader: { '.css': 'empty' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(out.outputFiles[0].contents).toString('base64')}`);
}

const { decode } = await moduleOf('../src/decode.ts');

/** Writes numbers one after the other. */
class Bytes {
  constructor() {
    this.parts = [];
  }
  put(size, write, values) {
    for (const v of values) {
      const b = Buffer.alloc(size);
      b[write](v);
      this.parts.push(b);
    }
    return this;
  }
  u8(...v) { return this.put(1, 'writeUInt8', v); }
  u16(...v) { return this.put(2, 'writeUInt16LE', v); }
  i16(...v) { return this.put(2, 'writeInt16LE', v); }
  u32(...v) { return this.put(4, 'writeUInt32LE', v); }
  i32(...v) { return this.put(4, 'writeInt32LE', v); }
  f32(...v) { return this.put(4, 'writeFloatLE', v); }
  f64(...v) { return this.put(8, 'writeDoubleLE', v); }
  text(s) { this.parts.push(Buffer.from(s)); return this; }
  get bytes() { return new Uint8Array(Buffer.concat(this.parts)); }

  /** Position and quaternion as the protocol packs them. */
  pose(pos, quat) {
    this.f32(...pos);
    let missing = 0;
    quat.forEach((c, i) => (missing = Math.abs(c) > Math.abs(quat[missing]) ? i : missing));
    const sign = quat[missing] < 0 ? -1 : 1;
    const rest = quat.filter((_, i) => i !== missing).map((c) => Math.round(sign * c * Math.SQRT2 * 16383) * 2);
    return this.i16(rest[0] | (missing & 1), rest[1] | (missing >> 1), rest[2]);
  }
}

const close = (actual, expected, tolerance) => {
  assert.equal(actual.length, expected.length);
  expected.forEach((x, i) => assert.ok(Math.abs(actual[i] - x) <= tolerance, `${actual[i]} is not ${x} (number ${i})`));
};

test('a part has every field of its record', () => {
  const bytes = new Bytes().u8(1, 1).u16(0).u32(2, 1).u32(7, 9)
    .u32(3).u16(6).u8(2, 1 | 2 | 4).u16(5, 0).i32(11, -1, 4, 2, -1)
    .f32(0.1, 0.2, 0.3).f32(1, 2, 3).f32(1, 0, 0, 0, 1, 0, 0, 0, 1).f32(0.5, 0.25, 0.75, 1)
    .f32(0.1, 0.2, 0.3, 0.4).f32(2, 3).u8(4).text('né!').bytes;
  const m = decode(bytes);
  assert.equal(m.kind, 'parts');
  assert.equal(m.forget, true);
  assert.deepEqual(m.removed, [7, 9]);
  const [p] = m.changed;
  assert.deepEqual([p.slot, p.type, p.category, p.objtype, p.objid, p.body, p.dataid, p.matid, p.texid], [3, 6, 2, 5, 11, -1, 4, 2, -1]);
  assert.deepEqual([p.hasTexcoord, p.texuniform, p.infinite], [true, true, [true, false]]);
  close(p.size, [0.1, 0.2, 0.3], 1e-7);
  close(p.pos, [1, 2, 3], 0);
  close(p.rgba, [0.5, 0.25, 0.75, 1], 0);
  close([p.emission, p.specular, p.shininess, p.reflectance], [0.1, 0.2, 0.3, 0.4], 1e-7);
  close(p.texrepeat, [2, 3], 0);
  assert.equal(p.label, 'né!');
});

test('poses come back to the accuracy of 16 bits, whichever component is left out', () => {
  for (let i = 0; i < 4; ++i)
    for (const sign of [1, -1]) {
      const raw = [0.3, -0.4, 0.2, 0.1];
      raw[i] = sign * 0.9;
      const l = Math.hypot(...raw);
      const quat = raw.map((c) => c / l);
      const m = decode(new Bytes().u8(2, 7).u16(0).u32(41).f64(1.25).u8(1, 0).u16(1).u16(5).pose([1, -2, 3], quat).bytes);
      assert.deepEqual([m.full, m.jump, m.running, m.number, m.time], [true, true, true, 41, 1.25]);
      assert.deepEqual([...m.bodies.index], [5]);
      close(m.bodies.pos, [1, -2, 3], 0);
      // q and -q are the same rotation: the one left out is positive
      close(m.bodies.quat, quat.map((c) => sign * c), 5e-5);
    }
});

test('a frame holds parts, lights, cameras and the tracked point', () => {
  const m = decode(new Bytes().u8(2, 0).u16(0).u32(1).f64(0)
    .u8(2, 0).u16(1).u32(70000).pose([0, 0, 1], [1, 0, 0, 0]).u16(0x3c00, 0xc000, 0x3555)
    .u8(3, 0).u16(1).u16(2).f32(1, 2, 3).i16(0, 0, -32767)
    .u8(4, 0).u16(1).u16(0).pose([4, 5, 6], [0, 0, 0, 1])
    .u8(5, 0).u16(1).f32(7, 8, 9).bytes);
  assert.deepEqual([...m.parts.index], [70000]);
  close(m.parts.size, [1, -2, 1 / 3], 1e-4);
  close(m.lights.pos, [1, 2, 3], 0);
  close(m.lights.dir, [0, 0, -1], 0);
  close(m.cameras.quat, [0, 0, 0, 1], 1e-6);
  close(m.lookat, [7, 8, 9], 0);
  assert.equal(m.bodies.index.length, 0);
});

test('flex positions span their box', () => {
  const m = decode(new Bytes().u8(3, 0).u16(1).u32(2).f32(-1, 0, 2).f32(2, 4, 0).u16(0, 65535, 0, 65535, 0, 9).bytes);
  assert.equal(m.flex, 1);
  close(m.positions, [-1, 4, 2, 1, 0, 2], 1e-6);
});

test('samples, values, worlds and pictures', () => {
  const s = decode(new Bytes().u8(4, 1).u16(2).u32(2).f64(0.5).f32(1, 2).f64(0.6).f32(3, 4).bytes);
  assert.equal(s.jumped, true);
  assert.deepEqual([[...s.time], [...s.values]], [[0.5, 0.6], [1, 2, 3, 4]]);
  const v = decode(new Bytes().u8(5, 0).u16(3).f64(2).f32(1, 2, 3).bytes);
  assert.deepEqual([v.time, [...v.values]], [2, [1, 2, 3]]);
  const w = decode(new Bytes().u8(6, 0).u16(1).u32(4, 2).u16(9).pose([1, 0, 0], [1, 0, 0, 0]).pose([2, 0, 0], [0, 1, 0, 0]).bytes);
  assert.deepEqual([w.first, w.worlds, [...w.bodies]], [4, 2, [9]]);
  close(w.pos, [1, 0, 0, 2, 0, 0], 0);
  close(w.quat, [1, 0, 0, 0, 0, 1, 0, 0], 1e-6);
  const p = decode(new Bytes().u8(7, 0).u16(3, 4, 0).f64(1).u8(137, 80).bytes);
  assert.deepEqual([p.width, p.height, p.time, [...p.png]], [3, 4, 1, [137, 80]]);
});

test('messages that end early or are unknown are refused, however long they claim to be', () => {
  const whole = [
    new Bytes().u8(1, 0).u16(0).u32(0, 1).u32(3),
    new Bytes().u8(1, 0).u16(0).u32(0xffffffff, 0),
    new Bytes().u8(2, 0).u16(0).u32(1).f64(0).u8(1, 0).u16(65535).u16(1),
    new Bytes().u8(2, 0).u16(0).u32(1).f64(0).u8(9, 0).u16(1),
    new Bytes().u8(3, 0).u16(0).u32(0xffffffff).f32(0, 0, 0, 0, 0, 0),
    new Bytes().u8(4, 0).u16(65535).u32(0xffffffff),
    new Bytes().u8(5, 0).u16(2).f64(0).f32(1),
    new Bytes().u8(6, 0).u16(1).u32(0, 0xffffffff).u16(1),
    new Bytes().u8(42),
    new Bytes(),
  ];
  for (const message of whole) assert.throws(() => decode(message.bytes), RangeError);
});

const { Track } = await moduleOf('../src/draw/track.ts');

test('what is shown moves from where it is to the newest frame, and jumps where told', () => {
  const track = new Track();
  track.set(2, [0, 0, 0], [1, 0, 0, 0], 0, true);
  track.begin();
  track.set(2, [2, 4, 6], [-1, 0, 0, 0], 0, false);
  assert.equal(track.show(0.5), true);
  close([...track.shown.subarray(20, 27)], [1, 2, 3, 1, 0, 0, 0], 1e-6);
  track.begin();
  track.set(2, [3, 4, 6], [1, 0, 0, 0], 0, false);
  track.show(0.5);
  close([...track.shown.subarray(20, 23)], [2, 3, 4.5], 1e-6);
  assert.equal(track.show(1), false);
  close([...track.shown.subarray(20, 23)], [3, 4, 6], 0);
  track.begin();
  track.set(2, [9, 9, 9], [1, 0, 0, 0], 0, true);
  track.show(0);
  close([...track.shown.subarray(20, 23)], [9, 9, 9], 0);
});

const { OrbitCamera } = await moduleOf('../src/draw/camera.ts');

test('the camera moves by the formulas of mjv_moveCamera', () => {
  const camera = new OrbitCamera();
  camera.set({ lookat: [0, 0, 0], distance: 2, azimuth: 90, elevation: 0 });
  camera.move('rotate', 0.25, 0.5, 1, 1);
  close([camera.azimuth, camera.elevation], [45, -89], 1e-9);
  camera.set({ azimuth: 90, elevation: 0 });
  // looking along +y, to the right is +x: the scene follows the mouse
  camera.move('move_v', 0.1, 0, 1, 1);
  close(camera.lookat, [-0.2, 0, 0], 1e-9);
  camera.move('move_v', 0, 0.1, 1, 1);
  close(camera.lookat, [-0.2, 0, 0.2], 1e-9);
  camera.move('zoom', 0, 0.1, 1, 1);
  close([camera.distance], [2 - Math.log(1 + 2 / 3) * 0.9], 1e-9);
  camera.move('zoom', 0, 100, 1, 1);
  close([camera.distance], [0.01], 1e-9);
});

const { History } = await moduleOf('../src/ui/plots.ts');

test('plots keep their past and leave a gap where the time jumped', () => {
  const h = new History(['a']);
  const rows = (jumped, time, values) => h.add({ kind: 'samples', jumped, columns: 1, rows: time.length, time, values });
  rows(false, [0, 1, 2, 3], [10, 11, 12, 13]);
  rows(true, [1.5, 2], [21, 22]);
  assert.deepEqual(h.time, [0, 1, 1, 1.5, 2]);
  assert.deepEqual(h.columns[0], [10, 11, null, 21, 22]);
  assert.equal(h.csv(), 'time,a\n0,10\n1,11\n1.5,21\n2,22\n');
});
