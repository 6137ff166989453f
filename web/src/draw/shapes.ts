// Unit shapes, scaled by the size of a part. Texture coordinates are MuJoCo's.

import { BufferAttribute, BufferGeometry } from 'three';

/** Types of the geoms of a scene: the model's, then those that only exist to be drawn. */
export const enum GeomType {
  Plane = 0,
  Hfield = 1,
  Sphere = 2,
  Capsule = 3,
  Ellipsoid = 4,
  Cylinder = 5,
  Box = 6,
  Mesh = 7,
  Sdf = 8,
  Arrow = 100,
  Arrow1 = 101,
  Arrow2 = 102,
  Line = 103,
  LineBox = 104,
  Flex = 105,
  Skin = 106,
  Label = 107,
  Triangle = 108,
  None = 1001,
}

const slices = 40;
const stacks = 20;

class Builder {
  readonly position: number[] = [];
  readonly normal: number[] = [];
  readonly uv: number[] = [];
  readonly lift: number[] = [];
  readonly index: number[] = [];

  vertex(p: number[], n: number[], u: number, v: number, lift = 0): number {
    this.position.push(p[0], p[1], p[2]);
    this.normal.push(n[0], n[1], n[2]);
    this.uv.push(u, v);
    this.lift.push(lift);
    return this.position.length / 3 - 1;
  }

  /** Rows of vertices from the top down, each going around z, joined by triangles that face outwards. */
  rings(rows: number, columns: number, at: (row: number, column: number) => void): void {
    const first = this.position.length / 3;
    for (let r = 0; r <= rows; ++r) for (let c = 0; c <= columns; ++c) at(r, c);
    for (let r = 0; r < rows; ++r)
      for (let c = 0; c < columns; ++c) {
        const a = first + r * (columns + 1) + c;
        const b = a + columns + 1;
        this.index.push(a, b, a + 1, b, b + 1, a + 1);
      }
  }

  /** The side of a cylinder or cone about z. */
  side(z0: number, r0: number, z1: number, r1: number): void {
    const slope = Math.atan2(r0 - r1, z1 - z0);
    this.rings(1, slices, (row, column) => {
      const a = (2 * Math.PI * column) / slices;
      const r = row ? r0 : r1;
      const n = [Math.cos(a) * Math.cos(slope), Math.sin(a) * Math.cos(slope), Math.sin(slope)];
      this.vertex([r * Math.cos(a), r * Math.sin(a), row ? z0 : z1], n, column / slices, row);
    });
  }

  /** A disk, or a ring, at height z that faces up or down. */
  disk(z: number, radius: number, up: boolean, inner = 0): void {
    const first = this.position.length / 3;
    for (let c = 0; c <= slices; ++c) {
      const a = (2 * Math.PI * c) / slices;
      const x = Math.cos(a);
      const y = Math.sin(a);
      const n = [0, 0, up ? 1 : -1];
      this.vertex([inner * x, inner * y, z], n, 0.5 + (0.5 * inner * x) / radius, 0.5 + (0.5 * inner * y) / radius);
      this.vertex([radius * x, radius * y, z], n, 0.5 + 0.5 * x, 0.5 + 0.5 * y);
    }
    for (let c = 0; c < slices; ++c) {
      const a = first + 2 * c;
      if (up) this.index.push(a, a + 1, a + 3, a, a + 3, a + 2);
      else this.index.push(a, a + 3, a + 1, a, a + 2, a + 3);
    }
  }

  geometry(): BufferGeometry {
    return geometryOf(this.position, this.normal, this.uv, this.index, this.lift.some((x) => x !== 0) ? this.lift : null);
  }
}

function geometryOf(
  position: ArrayLike<number>,
  normal: ArrayLike<number>,
  uv: ArrayLike<number> | null,
  index: ArrayLike<number> | null,
  lift: ArrayLike<number> | null = null,
): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(position), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normal), 3));
  if (uv) geometry.setAttribute('uv', new BufferAttribute(Float32Array.from(uv), 2));
  if (lift) geometry.setAttribute('lift', new BufferAttribute(Float32Array.from(lift), 1));
  if (index) geometry.setIndex(new BufferAttribute(Uint32Array.from(index), 1));
  return geometry;
}

function plane(): BufferGeometry {
  const b = new Builder();
  for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) b.vertex([x, y, 0], [0, 0, 1], (x + 1) / 2, (1 - y) / 2);
  b.index.push(0, 1, 2, 0, 2, 3);
  return b.geometry();
}

function sphere(): BufferGeometry {
  const b = new Builder();
  b.rings(stacks, slices, (row, column) => {
    const elevation = Math.PI * (0.5 - row / stacks);
    const a = (2 * Math.PI * column) / slices;
    const n = [Math.cos(a) * Math.cos(elevation), Math.sin(a) * Math.cos(elevation), Math.sin(elevation)];
    b.vertex(n, n, column / slices, row / stacks);
  });
  return b.geometry();
}

/** Radius 1; vertices of the caps and ends of the side are lifted by half the length. */
function capsule(): BufferGeometry {
  const b = new Builder();
  const point = (elevation: number, a: number) => [
    Math.cos(a) * Math.cos(elevation),
    Math.sin(a) * Math.cos(elevation),
    Math.sin(elevation),
  ];
  const half = stacks / 2;
  for (const end of [1, -1])
    b.rings(half, slices, (row, column) => {
      const elevation = (Math.PI / 2) * (end > 0 ? 1 - row / half : -row / half);
      const n = point(elevation, (2 * Math.PI * column) / slices);
      b.vertex(n, n, column / slices, (end > 0 ? 1 : 0) - (2 * elevation) / Math.PI, end);
    });
  b.rings(1, slices, (row, column) => {
    const n = point(0, (2 * Math.PI * column) / slices);
    b.vertex(n, n, column / slices, row, row ? -1 : 1);
  });
  return b.geometry();
}

function cylinder(): BufferGeometry {
  const b = new Builder();
  b.side(-1, 1, 1, 1);
  b.disk(1, 1, true);
  b.disk(-1, 1, false);
  return b.geometry();
}

function box(): BufferGeometry {
  const b = new Builder();
  // per face: normal, then the axes u and v that turn with it
  const faces = [
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[-1, 0, 0], [0, -1, 0], [0, 0, 1]],
    [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
    [[0, -1, 0], [1, 0, 0], [0, 0, 1]],
    [[0, 0, 1], [1, 0, 0], [0, 1, 0]],
    [[0, 0, -1], [-1, 0, 0], [0, 1, 0]],
  ];
  for (const [n, s, t] of faces) {
    const first = b.position.length / 3;
    for (const [x, y] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
      const p = [0, 1, 2].map((k) => n[k] + x * s[k] + y * t[k]);
      const [u, v] = n[0] !== 0 ? [p[1], p[2]] : n[1] !== 0 ? [p[0], p[2]] : [p[0], p[1]];
      b.vertex(p, n, 0.5 + 0.5 * u, 0.5 - 0.5 * v);
    }
    b.index.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  return b.geometry();
}

/** MuJoCo draws an arrow half as long as its size says: a shaft to one third, then a cone to one half. */
function arrow(head: number, both: boolean): BufferGeometry {
  const b = new Builder();
  const neck = 1 / 3;
  b.side(both ? -neck : 0, 1, neck, 1);
  b.side(neck, head, 0.5, 0);
  b.disk(neck, head, false);
  if (both) {
    b.side(-0.5, 0, -neck, head);
    b.disk(-neck, head, true);
  } else {
    b.disk(0, 1, false);
  }
  return b.geometry();
}

function triangle(): BufferGeometry {
  const b = new Builder();
  for (const [x, y] of [[0, 0], [1, 0], [0, 1]]) b.vertex([x, y, 0], [0, 0, 1], x, y);
  b.index.push(0, 1, 2);
  return b.geometry();
}

const unit = new Map<GeomType, BufferGeometry>();

/** The shape of a type, undefined for those that need data (meshes, height fields) or are not solid (lines). */
export function unitShape(type: GeomType): BufferGeometry | undefined {
  let shape = unit.get(type);
  if (shape) return shape;
  switch (type) {
    case GeomType.Plane: shape = plane(); break;
    case GeomType.Sphere:
    case GeomType.Ellipsoid: shape = sphere(); break;
    case GeomType.Capsule: shape = capsule(); break;
    case GeomType.Cylinder: shape = cylinder(); break;
    case GeomType.Box: shape = box(); break;
    case GeomType.Arrow: shape = arrow(1.75, false); break;
    case GeomType.Arrow1: shape = arrow(1, false); break;
    case GeomType.Arrow2: shape = arrow(1.75, true); break;
    case GeomType.Triangle: shape = triangle(); break;
    default: return undefined;
  }
  unit.set(type, shape);
  return shape;
}

/** Triangles with a normal and, if given, a texture coordinate per corner. */
export function meshShape(
  position: Float32Array,
  normal: Float32Array | null,
  uv: Float32Array | null,
  index: Uint32Array | Uint16Array | null,
): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  if (uv) geometry.setAttribute('uv', new BufferAttribute(uv, 2));
  if (index) geometry.setIndex(new BufferAttribute(index, 1));
  if (normal) geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  else geometry.computeVertexNormals();
  return geometry;
}
