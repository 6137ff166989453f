// Lines and the edges of boxes, in one draw call.

import {
  BufferAttribute,
  DoubleSide,
  DynamicDrawUsage,
  GLSL3,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  ShaderMaterial,
  Vector2,
} from 'three';
import fragmentShader from './lines.frag.glsl';
import vertexShader from './lines.vert.glsl';

/** Floats per line: from, to, color, width. */
const stride = 11;

export class Lines {
  readonly mesh: Mesh;
  private values = new Float32Array(64 * stride);
  private buffer!: InstancedInterleavedBuffer;
  private count = 0;
  private readonly material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader,
    fragmentShader,
    uniforms: { window: { value: new Vector2(1, 1) } },
    transparent: true,
    side: DoubleSide,
  });

  constructor() {
    this.mesh = new Mesh(this.geometryOf(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.matrixAutoUpdate = false;
    this.mesh.renderOrder = 1e6;
  }

  start(): void {
    this.count = 0;
  }

  add(from: ArrayLike<number>, to: ArrayLike<number>, rgba: ArrayLike<number>, width: number): void {
    if ((this.count + 1) * stride > this.values.length) {
      const grown = new Float32Array(2 * this.values.length);
      grown.set(this.values);
      this.values = grown;
      this.mesh.geometry.dispose();
      this.mesh.geometry = this.geometryOf();
    }
    const at = stride * this.count++;
    for (let k = 0; k < 3; ++k) {
      this.values[at + k] = from[k];
      this.values[at + 3 + k] = to[k];
    }
    for (let k = 0; k < 4; ++k) this.values[at + 6 + k] = rgba[k];
    this.values[at + 10] = width;
  }

  /** The twelve edges of a box with these half sizes; `place` is a row-major 3x4 matrix. */
  box(place: ArrayLike<number>, size: ArrayLike<number>, rgba: ArrayLike<number>, width: number): void {
    const corner = (i: number) => {
      const p = [0, 1, 2].map((k) => ((i >> k) & 1 ? size[k] : -size[k]));
      return [0, 1, 2].map((r) => place[4 * r] * p[0] + place[4 * r + 1] * p[1] + place[4 * r + 2] * p[2] + place[4 * r + 3]);
    };
    for (let i = 0; i < 8; ++i) for (let k = 0; k < 3; ++k) if (!((i >> k) & 1)) this.add(corner(i), corner(i | (1 << k)), rgba, width);
  }

  finish(): void {
    (this.mesh.geometry as InstancedBufferGeometry).instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * stride);
    this.buffer.needsUpdate = true;
  }

  window(width: number, height: number): void {
    this.material.uniforms.window.value.set(width, height);
  }

  private geometryOf(): InstancedBufferGeometry {
    this.buffer = new InstancedInterleavedBuffer(this.values, stride);
    this.buffer.setUsage(DynamicDrawUsage);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const layout: [string, number, number][] = [['from', 3, 0], ['to', 3, 3], ['tint', 4, 6], ['line_width', 1, 10]];
    for (const [name, size, offset] of layout)
      geometry.setAttribute(name, new InterleavedBufferAttribute(this.buffer, size, offset));
    return geometry;
  }
}
