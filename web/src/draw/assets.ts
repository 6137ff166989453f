// Meshes, height fields, textures, flexes and skins by the hash of their content. Each is fetched once, and a reload
// of the model with the same content needs nothing again.

import {
  ClampToEdgeWrapping,
  CubeTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  NoColorSpace,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  type BufferGeometry,
} from 'three';
import { Reader } from '../decode';
import type { TextureAsset } from '../messages';
import { meshShape } from './shapes';

export interface FlexAsset {
  dim: number;
  vertices: number;
  flat: boolean;
  radius: number;
  edges: Uint32Array;
  normals: Uint32Array;
  skin: { corners: Uint32Array; uv: Float32Array | null };
  faces: { corners: Uint32Array; layer: Uint32Array; uv: Float32Array | null };
}

export interface SkinAsset {
  inflate: number;
  position: Float32Array;
  uv: Float32Array | null;
  index: Uint32Array;
  bones: { body: number; bindpos: Float32Array; bindquat: Float32Array; vertex: Uint32Array; weight: Float32Array }[];
}

/** Corners of flexes that are moved by -radius carry this bit. */
export const minusSide = 0x80000000;

function magic(r: Reader, expected: string): void {
  const text = r.text(4);
  if (text !== expected) throw new RangeError(`an asset begins with ${JSON.stringify(text)}, not ${expected}`);
}

function readMesh(bytes: Uint8Array): BufferGeometry {
  const r = new Reader(bytes);
  magic(r, 'MSH1');
  const vertices = r.u32();
  const triangles = r.u32();
  const flags = r.u32();
  const position = r.floats(3 * vertices);
  const normal = new Float32Array(3 * vertices);
  r.need(4 * vertices);
  for (let i = 0; i < vertices; ++i) {
    let x = r.i16() / 32767;
    let y = r.i16() / 32767;
    const z = 1 - Math.abs(x) - Math.abs(y);
    if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
    const l = Math.hypot(x, y, z) || 1;
    normal.set([x / l, y / l, z / l], 3 * i);
  }
  const uv = flags & 1 ? r.floats(2 * vertices) : null;
  const index = flags & 2 ? r.u32s(3 * triangles) : r.u16s(3 * triangles);
  return meshShape(position, normal, uv, index);
}

/** Two triangles per cell, flat, with walls down to the floor of the base. */
function readHfield(bytes: Uint8Array): BufferGeometry {
  const r = new Reader(bytes);
  magic(r, 'HFD1');
  const rows = r.u32();
  const columns = r.u32();
  const [sx, sy, height, base] = r.floats(4);
  const values = r.floats(rows * columns);
  const x = (c: number) => -sx + (2 * sx * c) / Math.max(1, columns - 1);
  const y = (row: number) => -sy + (2 * sy * row) / Math.max(1, rows - 1);
  const corner = (row: number, c: number) => [x(c), y(row), height * values[row * columns + c]];
  const floor = (row: number, c: number) => [x(c), y(row), -base];
  const position: number[] = [];
  const quad = (a: number[], b: number[], c: number[], d: number[]) => position.push(...a, ...b, ...c, ...a, ...c, ...d);
  for (let i = 0; i + 1 < rows; ++i)
    for (let j = 0; j + 1 < columns; ++j) quad(corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j));
  const last = rows - 1;
  const end = columns - 1;
  for (let j = 0; j < end; ++j) {
    quad(floor(0, j), floor(0, j + 1), corner(0, j + 1), corner(0, j));
    quad(floor(last, j + 1), floor(last, j), corner(last, j), corner(last, j + 1));
  }
  for (let i = 0; i < last; ++i) {
    quad(floor(i + 1, 0), floor(i, 0), corner(i, 0), corner(i + 1, 0));
    quad(floor(i, end), floor(i + 1, end), corner(i + 1, end), corner(i, end));
  }
  quad(floor(0, 0), floor(last, 0), floor(last, end), floor(0, end));
  return meshShape(Float32Array.from(position), null, null, null);
}

function readFlex(bytes: Uint8Array): FlexAsset {
  const r = new Reader(bytes);
  magic(r, 'FLX1');
  const dim = r.u32();
  const vertices = r.u32();
  const edgeCount = r.u32();
  const skinCount = r.u32();
  const faceCount = r.u32();
  const normalCount = r.u32();
  const flags = r.u32();
  const radius = r.f32();
  const hasUv = (flags & 1) !== 0;
  const edges = r.u32s(2 * edgeCount);
  const normals = r.u32s(3 * normalCount);
  const triangles = (count: number, layered: boolean) => {
    r.need(count * (12 + (layered ? 4 : 0) + (hasUv ? 24 : 0)));
    const corners = new Uint32Array(3 * count);
    const layer = new Uint32Array(layered ? count : 0);
    const uv = hasUv ? new Float32Array(6 * count) : null;
    for (let i = 0; i < count; ++i) {
      corners.set(r.u32s(3), 3 * i);
      if (layered) layer[i] = r.u32();
      uv?.set(r.floats(6), 6 * i);
    }
    return { corners, layer, uv };
  };
  const skin = triangles(skinCount, false);
  const faces = triangles(faceCount, true);
  return { dim, vertices, flat: (flags & 2) !== 0, radius, edges, normals, skin, faces };
}

function readSkin(bytes: Uint8Array): SkinAsset {
  const r = new Reader(bytes);
  magic(r, 'SKN1');
  const vertices = r.u32();
  const triangles = r.u32();
  const boneCount = r.u32();
  const flags = r.u32();
  const inflate = r.f32();
  const position = r.floats(3 * vertices);
  const uv = flags & 1 ? r.floats(2 * vertices) : null;
  const index = r.u32s(3 * triangles);
  const bones = [];
  for (let i = 0; i < boneCount; ++i) {
    const body = r.u32();
    const bindpos = r.floats(3);
    const bindquat = r.floats(4);
    const n = r.u32();
    bones.push({ body, bindpos, bindquat, vertex: r.u32s(n), weight: r.floats(n) });
  }
  return { inflate, position, uv, index, bones };
}

async function readTexture(bytes: Uint8Array, about: TextureAsset): Promise<Texture> {
  const blob = new Blob([bytes as BlobPart], { type: 'image/png' });
  const exact: ImageBitmapOptions = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };
  const whole = await createImageBitmap(blob, exact);
  let texture: Texture;
  if (about.type === '2d') {
    texture = new Texture(whole);
    texture.wrapS = texture.wrapT = RepeatWrapping;
  } else {
    const side = whole.width;
    const single = whole.height < 6 * side;
    const faces = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        single ? whole : createImageBitmap(whole, 0, i * side, side, side, exact),
      ),
    );
    texture = new CubeTexture(faces);
    texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  }
  texture.flipY = false; // row 0 is v = 0
  texture.colorSpace = about.srgb ? SRGBColorSpace : NoColorSpace;
  texture.generateMipmaps = true;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

export class Assets {
  private readonly known = new Map<string, Promise<unknown>>();

  constructor(private readonly fetchBytes: (hash: string) => Promise<Uint8Array>) {}

  mesh(hash: string): Promise<BufferGeometry> {
    return this.once(`mesh ${hash}`, hash, readMesh);
  }
  hfield(hash: string): Promise<BufferGeometry> {
    return this.once(`hfield ${hash}`, hash, readHfield);
  }
  flex(hash: string): Promise<FlexAsset> {
    return this.once(`flex ${hash}`, hash, readFlex);
  }
  skin(hash: string): Promise<SkinAsset> {
    return this.once(`skin ${hash}`, hash, readSkin);
  }
  texture(about: TextureAsset): Promise<Texture> {
    return this.once(`${about.type} ${about.srgb} ${about.asset}`, about.asset, (bytes) => readTexture(bytes, about));
  }

  private once<T>(key: string, hash: string, read: (bytes: Uint8Array) => T | Promise<T>): Promise<T> {
    let value = this.known.get(key) as Promise<T> | undefined;
    if (!value) {
      value = this.fetchBytes(hash).then(read);
      // a download that failed is tried again with the next parts
      value.catch(() => this.known.delete(key));
      this.known.set(key, value);
    }
    return value;
  }
}
