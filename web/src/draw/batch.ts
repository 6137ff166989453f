// Instances of one shape with one material, in one interleaved buffer that is filled anew for each picture.

import {
  BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferGeometry,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  ShaderMaterial,
} from 'three';

/** Floats per instance: 12 place, 3 size, 4 tint, 4 gloss, 4 texture map. */
export const stride = 27;
export const placeFloats = 12;

const layout: [string, number, number][] = [
  ['place_x', 4, 0],
  ['place_y', 4, 4],
  ['place_z', 4, 8],
  ['size', 3, 12],
  ['tint', 4, 15],
  ['gloss', 4, 19],
  ['texmap', 4, 23],
];

export class Batch {
  readonly mesh: Mesh;
  /** The same instances for the maps of shadows; null if these do not cast any. */
  readonly shadow: Mesh | null;
  count = 0;
  private geometry: InstancedBufferGeometry;
  private buffer: InstancedInterleavedBuffer;
  private values: Float32Array;

  constructor(
    private readonly shape: BufferGeometry,
    material: ShaderMaterial,
    caster: ShaderMaterial | null,
    capacity = 8,
  ) {
    this.values = new Float32Array(capacity * stride);
    this.buffer = instanceBuffer(this.values);
    this.geometry = instancesOf(shape, this.buffer);
    this.mesh = new Mesh(this.geometry, material);
    this.shadow = caster ? new Mesh(this.geometry, caster) : null;
    for (const mesh of [this.mesh, this.shadow]) {
      if (!mesh) continue;
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
    }
  }

  start(): void {
    this.count = 0;
  }

  /** Room for one more instance: where its floats begin in `array`. */
  add(): number {
    if ((this.count + 1) * stride > this.values.length) this.grow();
    return stride * this.count++;
  }

  get array(): Float32Array {
    return this.values;
  }

  finish(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    if (this.shadow) this.shadow.visible = this.count > 0;
    if (!this.count) return;
    this.buffer.clearUpdateRanges();
    this.buffer.addUpdateRange(0, this.count * stride);
    this.buffer.needsUpdate = true;
  }

  /** `shape`: also what the renderer holds of the shape; other batches of it must be gone too. */
  dispose(shape: boolean): void {
    if (!shape) {
      for (const name of Object.keys(this.shape.attributes)) this.geometry.deleteAttribute(name);
      this.geometry.setIndex(null);
    }
    this.geometry.dispose();
  }

  private grow(): void {
    const values = new Float32Array(2 * this.values.length);
    values.set(this.values);
    this.dispose(false);
    this.values = values;
    this.buffer = instanceBuffer(values);
    this.geometry = instancesOf(this.shape, this.buffer);
    this.mesh.geometry = this.geometry;
    if (this.shadow) this.shadow.geometry = this.geometry;
  }
}

function instanceBuffer(values: Float32Array): InstancedInterleavedBuffer {
  const buffer = new InstancedInterleavedBuffer(values, stride);
  buffer.setUsage(DynamicDrawUsage);
  return buffer;
}

function instancesOf(shape: BufferGeometry, buffer: InstancedInterleavedBuffer): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(shape.index);
  for (const [name, attribute] of Object.entries(shape.attributes)) geometry.setAttribute(name, attribute);
  for (const [name, size, offset] of layout)
    geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, size, offset));
  return geometry;
}
