// Shapes that bend: flexes, whose vertices the server sends, and skins, which follow their bones.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';
import { minusSide, type FlexAsset, type SkinAsset } from './assets';
import { cross, product, rotationOf, sum, unit } from './vec';

function buffers(corners: number): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const attribute = new BufferAttribute(new Float32Array(3 * corners), 3);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  return geometry;
}

export type FlexLook = 'skin' | 'faces' | 'none';

export class FlexShape {
  geometry = buffers(0);
  /** Where the vertices are. */
  readonly positions: Float32Array;
  private from: Float32Array;
  private to: Float32Array;
  private look: FlexLook = 'none';
  private corners = new Uint32Array(0);
  private received = false;

  constructor(readonly asset: FlexAsset) {
    this.positions = new Float32Array(3 * asset.vertices);
    this.from = new Float32Array(this.positions);
    this.to = new Float32Array(this.positions);
  }

  receive(positions: Float32Array, jump: boolean): void {
    if (positions.length !== this.to.length) return;
    this.to = positions;
    this.from.set(jump || !this.received ? positions : this.positions);
    this.received = true;
  }

  show(alpha: number): void {
    for (let i = 0; i < this.positions.length; ++i) this.positions[i] = this.from[i] + alpha * (this.to[i] - this.from[i]);
  }

  /** What MuJoCo would draw with these flags. */
  choose(look: FlexLook, layer: number): void {
    const { asset } = this;
    const { skin, faces } = asset;
    let corners = new Uint32Array(0);
    let uv: Float32Array | null = null;
    if (look === 'skin') [corners, uv] = [skin.corners as Uint32Array<ArrayBuffer>, skin.uv];
    if (look === 'faces') {
      const chosen = [...faces.layer.keys()].filter((i) => asset.dim < 3 || faces.layer[i] === layer);
      corners = Uint32Array.from(chosen.flatMap((i) => [...faces.corners.subarray(3 * i, 3 * i + 3)]));
      if (faces.uv) uv = Float32Array.from(chosen.flatMap((i) => [...faces.uv!.subarray(6 * i, 6 * i + 6)]));
    }
    this.look = look;
    this.corners = corners;
    this.geometry = buffers(corners.length);
    if (uv) this.geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  }

  get drawn(): boolean {
    return this.received && this.corners.length > 0;
  }

  update(): void {
    const { corners, asset, positions: p } = this;
    const position = this.geometry.getAttribute('position') as BufferAttribute;
    const normal = this.geometry.getAttribute('normal') as BufferAttribute;
    const at = (v: number) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
    const faceNormal = (a: number[], b: number[], c: number[]) => unit(cross(sum(b, a, -1), sum(c, a, -1)));
    const vertexNormals = this.look === 'skin' ? this.vertexNormals() : null;
    for (let i = 0; i < corners.length; i += 3) {
      const signs = [0, 1, 2].map((k) => (corners[i + k] >= minusSide ? -1 : 1));
      const points = [0, 1, 2].map((k) => at(corners[i + k] % minusSide));
      const face = faceNormal(points[0], points[1], points[2]);
      const moved = points.map((point, k) => {
        const v = corners[i + k] % minusSide;
        const n = vertexNormals ? [vertexNormals[3 * v], vertexNormals[3 * v + 1], vertexNormals[3 * v + 2]] : face;
        return sum(point, n, signs[k] * asset.radius);
      });
      const rim = signs[0] !== signs[1] || signs[0] !== signs[2];
      const flat = !vertexNormals || rim || asset.flat ? faceNormal(moved[0], moved[1], moved[2]) : null;
      for (let k = 0; k < 3; ++k) {
        const v = corners[i + k] % minusSide;
        position.setXYZ(i + k, moved[k][0], moved[k][1], moved[k][2]);
        if (flat) normal.setXYZ(i + k, flat[0], flat[1], flat[2]);
        else {
          const n = vertexNormals!;
          normal.setXYZ(i + k, signs[k] * n[3 * v], signs[k] * n[3 * v + 1], signs[k] * n[3 * v + 2]);
        }
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }

  private vertexNormals(): Float32Array {
    const { normals } = this.asset;
    const p = this.positions;
    const out = new Float32Array(p.length);
    const edge = (a: number, b: number) => [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
    for (let i = 0; i < normals.length; i += 3) {
      const n = unit(cross(edge(normals[i], normals[i + 1]), edge(normals[i], normals[i + 2])));
      for (let k = 0; k < 3; ++k) for (let c = 0; c < 3; ++c) out[3 * normals[i + k] + c] += n[c];
    }
    for (let v = 0; v < out.length; v += 3) out.set(unit([out[v], out[v + 1], out[v + 2]]), v);
    return out;
  }
}

export class SkinShape {
  readonly geometry: BufferGeometry;

  constructor(readonly asset: SkinAsset) {
    this.geometry = buffers(asset.position.length / 3);
    this.geometry.setIndex(new BufferAttribute(asset.index, 1));
    if (asset.uv) this.geometry.setAttribute('uv', new BufferAttribute(asset.uv, 2));
  }

  /** `poses`: position and quaternion of a body every `stride` floats. */
  update(poses: Float32Array, stride: number): void {
    const { asset, geometry } = this;
    const position = geometry.getAttribute('position') as BufferAttribute;
    const normal = geometry.getAttribute('normal') as BufferAttribute;
    const out = position.array as Float32Array;
    const normals = normal.array as Float32Array;
    out.fill(0);
    normals.fill(0);
    const m: number[] = [];
    for (const bone of asset.bones) {
      const at = stride * bone.body;
      if (at + 7 > poses.length) continue;
      const [w, x, y, z] = bone.bindquat;
      rotationOf(product(poses.subarray(at + 3, at + 7), [w, -x, -y, -z]), 0, m);
      for (let i = 0; i < bone.vertex.length; ++i) {
        const v = 3 * bone.vertex[i];
        const a = asset.position[v] - bone.bindpos[0];
        const b = asset.position[v + 1] - bone.bindpos[1];
        const c = asset.position[v + 2] - bone.bindpos[2];
        for (let r = 0; r < 3; ++r)
          out[v + r] += bone.weight[i] * (m[3 * r] * a + m[3 * r + 1] * b + m[3 * r + 2] * c + poses[at + r]);
      }
    }
    const at = (v: number) => [out[3 * v], out[3 * v + 1], out[3 * v + 2]];
    for (let i = 0; i < asset.index.length; i += 3) {
      const corners = [asset.index[i], asset.index[i + 1], asset.index[i + 2]];
      const [a, b, c] = corners.map(at);
      const n = cross(sum(b, a, -1), sum(c, a, -1)); // its length weighs by area
      for (const v of corners) for (let k = 0; k < 3; ++k) normals[3 * v + k] += n[k];
    }
    for (let v = 0; v < out.length; v += 3) {
      const n = unit([normals[v], normals[v + 1], normals[v + 2]]);
      for (let k = 0; k < 3; ++k) {
        normals[v + k] = n[k];
        out[v + k] += asset.inflate * n[k];
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
  }
}
