// Binary messages of docs/viewer_protocol.md.

/** A part of the scene: MjvGeom, placed in the frame of a body or in the world. */
export interface PartRecord {
  slot: number;
  type: number;
  category: number;
  hasTexcoord: boolean;
  texuniform: boolean;
  infinite: [boolean, boolean];
  objtype: number;
  objid: number;
  /** -1: stands in the world, and frames move it. */
  body: number;
  dataid: number;
  matid: number;
  texid: number;
  size: Float32Array;
  pos: Float32Array;
  mat: Float32Array;
  rgba: Float32Array;
  emission: number;
  specular: number;
  shininess: number;
  reflectance: number;
  texrepeat: Float32Array;
  label: string;
}

export interface Parts {
  kind: 'parts';
  forget: boolean;
  removed: number[];
  changed: PartRecord[];
}

/** Positions and quaternions (w x y z) by index. */
export interface Poses {
  index: Uint32Array;
  pos: Float32Array;
  quat: Float32Array;
}

export interface Frame {
  kind: 'frame';
  full: boolean;
  jump: boolean;
  running: boolean;
  number: number;
  time: number;
  bodies: Poses;
  parts: Poses & { size: Float32Array };
  cameras: Poses;
  lights: { index: Uint32Array; pos: Float32Array; dir: Float32Array };
  lookat: Float32Array | null;
}

export interface FlexPositions {
  kind: 'flex';
  flex: number;
  positions: Float32Array;
}

export interface Samples {
  kind: 'samples';
  jumped: boolean;
  columns: number;
  rows: number;
  time: Float64Array;
  /** Row by row. */
  values: Float32Array;
}

export interface Values {
  kind: 'values';
  time: number;
  values: Float32Array;
}

export interface Worlds {
  kind: 'worlds';
  first: number;
  worlds: number;
  bodies: Uint16Array;
  pos: Float32Array;
  quat: Float32Array;
}

export interface Picture {
  kind: 'picture';
  width: number;
  height: number;
  time: number;
  png: Uint8Array;
}

export type BinaryMessage = Parts | Frame | FlexPositions | Samples | Values | Worlds | Picture;

/** Reads numbers one after the other; reading beyond the end throws a RangeError. */
export class Reader {
  private readonly view: DataView;
  at = 0;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.bytes.byteLength - this.at;
  }
  u8(): number {
    return this.view.getUint8(this.at++);
  }
  u16(): number {
    return this.view.getUint16((this.at += 2) - 2, true);
  }
  i16(): number {
    return this.view.getInt16((this.at += 2) - 2, true);
  }
  u32(): number {
    return this.view.getUint32((this.at += 4) - 4, true);
  }
  i32(): number {
    return this.view.getInt32((this.at += 4) - 4, true);
  }
  f32(): number {
    return this.view.getFloat32((this.at += 4) - 4, true);
  }
  f64(): number {
    return this.view.getFloat64((this.at += 8) - 8, true);
  }
  f16(): number {
    const bits = this.u16();
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  floats(n: number): Float32Array {
    this.need(4 * n);
    const out = new Float32Array(n);
    for (let i = 0; i < n; ++i) out[i] = this.f32();
    return out;
  }
  u32s(n: number): Uint32Array {
    this.need(4 * n);
    const out = new Uint32Array(n);
    for (let i = 0; i < n; ++i) out[i] = this.u32();
    return out;
  }
  u16s(n: number): Uint16Array {
    this.need(2 * n);
    const out = new Uint16Array(n);
    for (let i = 0; i < n; ++i) out[i] = this.u16();
    return out;
  }
  text(n: number): string {
    this.need(n);
    return new TextDecoder().decode(this.bytes.subarray(this.at, (this.at += n)));
  }
  take(n: number): Uint8Array {
    this.need(n);
    return this.bytes.subarray(this.at, (this.at += n));
  }
  rest(): Uint8Array {
    return this.bytes.subarray(this.at, (this.at += this.left));
  }
  /** Refuses sizes that the message cannot hold before memory is taken for them. */
  need(bytes: number): void {
    if (bytes > this.left) throw new RangeError(`a message ends ${bytes - this.left} bytes early`);
  }

  /** A position and a quaternion whose largest component is left out. */
  pose(pos: Float32Array, quat: Float32Array, i: number): void {
    for (let k = 0; k < 3; ++k) pos[3 * i + k] = this.f32();
    const v = [this.i16(), this.i16(), this.i16()];
    const missing = (v[0] & 1) | ((v[1] & 1) << 1);
    let left = 1;
    for (let k = 0, out = 0; k < 3; ++k, ++out) {
      if (out === missing) ++out;
      const c = (v[k] >> 1) / 16383 / Math.SQRT2;
      quat[4 * i + out] = c;
      left -= c * c;
    }
    quat[4 * i + missing] = Math.sqrt(Math.max(0, left));
  }
}

class PoseList {
  readonly index: number[] = [];
  readonly pos: number[] = [];
  readonly quat: number[] = [];
  readonly size: number[] = [];
  private readonly p = new Float32Array(3);
  private readonly q = new Float32Array(4);

  read(reader: Reader, index: number): void {
    this.index.push(index);
    reader.pose(this.p, this.q, 0);
    this.pos.push(...this.p);
    this.quat.push(...this.q);
  }
  poses(): Poses {
    return { index: Uint32Array.from(this.index), pos: Float32Array.from(this.pos), quat: Float32Array.from(this.quat) };
  }
}

function parts(r: Reader): Parts {
  const flags = r.u8();
  r.u16();
  const removedCount = r.u32();
  const changedCount = r.u32();
  const removed = [...r.u32s(removedCount)];
  const changed: PartRecord[] = [];
  for (let i = 0; i < changedCount; ++i) {
    const slot = r.u32();
    const type = r.u16();
    const category = r.u8();
    const bits = r.u8();
    const objtype = r.u16();
    r.u16();
    changed.push({
      slot,
      type,
      category,
      hasTexcoord: (bits & 1) !== 0,
      texuniform: (bits & 2) !== 0,
      infinite: [(bits & 4) !== 0, (bits & 8) !== 0],
      objtype,
      objid: r.i32(),
      body: r.i32(),
      dataid: r.i32(),
      matid: r.i32(),
      texid: r.i32(),
      size: r.floats(3),
      pos: r.floats(3),
      mat: r.floats(9),
      rgba: r.floats(4),
      emission: r.f32(),
      specular: r.f32(),
      shininess: r.f32(),
      reflectance: r.f32(),
      texrepeat: r.floats(2),
      label: r.text(r.u8()),
    });
  }
  return { kind: 'parts', forget: (flags & 1) !== 0, removed, changed };
}

function frame(r: Reader): Frame {
  const flags = r.u8();
  r.u16();
  const number = r.u32();
  const time = r.f64();
  const bodies = new PoseList();
  const moved = new PoseList();
  const cameras = new PoseList();
  const lights = { index: [] as number[], pos: [] as number[], dir: [] as number[] };
  let lookat: Float32Array | null = null;
  while (r.left > 0) {
    const tag = r.u8();
    r.u8();
    const count = r.u16();
    for (let i = 0; i < count; ++i) {
      if (tag === 1) bodies.read(r, r.u16());
      else if (tag === 2) {
        moved.read(r, r.u32());
        moved.size.push(r.f16(), r.f16(), r.f16());
      } else if (tag === 3) {
        lights.index.push(r.u16());
        lights.pos.push(r.f32(), r.f32(), r.f32());
        lights.dir.push(r.i16() / 32767, r.i16() / 32767, r.i16() / 32767);
      } else if (tag === 4) cameras.read(r, r.u16());
      else if (tag === 5) lookat = r.floats(3);
      else throw new RangeError(`a frame has an unknown block ${tag}`);
    }
  }
  return {
    kind: 'frame',
    full: (flags & 1) !== 0,
    jump: (flags & 2) !== 0,
    running: (flags & 4) !== 0,
    number,
    time,
    bodies: bodies.poses(),
    parts: { ...moved.poses(), size: Float32Array.from(moved.size) },
    cameras: cameras.poses(),
    lights: { index: Uint32Array.from(lights.index), pos: Float32Array.from(lights.pos), dir: Float32Array.from(lights.dir) },
    lookat,
  };
}

function flex(r: Reader): FlexPositions {
  r.u8();
  const id = r.u16();
  const n = r.u32();
  const low = r.floats(3);
  const size = r.floats(3);
  r.need(6 * n);
  const positions = new Float32Array(3 * n);
  for (let i = 0; i < 3 * n; ++i) positions[i] = low[i % 3] + (size[i % 3] * r.u16()) / 65535;
  return { kind: 'flex', flex: id, positions };
}

function samples(r: Reader): Samples {
  const flags = r.u8();
  const columns = r.u16();
  const rows = r.u32();
  r.need(rows * (8 + 4 * columns));
  const time = new Float64Array(rows);
  const values = new Float32Array(rows * columns);
  for (let row = 0, k = 0; row < rows; ++row) {
    time[row] = r.f64();
    for (let c = 0; c < columns; ++c) values[k++] = r.f32();
  }
  return { kind: 'samples', jumped: (flags & 1) !== 0, columns, rows, time, values };
}

function values(r: Reader): Values {
  r.u8();
  const columns = r.u16();
  return { kind: 'values', time: r.f64(), values: r.floats(columns) };
}

function worlds(r: Reader): Worlds {
  r.u8();
  const nbody = r.u16();
  const first = r.u32();
  const nworld = r.u32();
  const bodies = r.u16s(nbody);
  const n = nbody * nworld;
  r.need(18 * n);
  const pos = new Float32Array(3 * n);
  const quat = new Float32Array(4 * n);
  for (let i = 0; i < n; ++i) r.pose(pos, quat, i);
  return { kind: 'worlds', first, worlds: nworld, bodies, pos, quat };
}

function picture(r: Reader): Picture {
  r.u8();
  const width = r.u16();
  const height = r.u16();
  r.u16();
  return { kind: 'picture', width, height, time: r.f64(), png: r.rest() };
}

/** Throws a RangeError for what is not a whole message. */
export function decode(bytes: Uint8Array): BinaryMessage {
  const r = new Reader(bytes);
  const kind = r.u8();
  switch (kind) {
    case 1: return parts(r);
    case 2: return frame(r);
    case 3: return flex(r);
    case 4: return samples(r);
    case 5: return values(r);
    case 6: return worlds(r);
    case 7: return picture(r);
    default: throw new RangeError(`the server sent a message of unknown kind ${kind}`);
  }
}
