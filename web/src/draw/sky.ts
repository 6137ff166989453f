// What stands behind everything: the skybox and the haze at the horizon of an infinite plane.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  GLSL3,
  Mesh,
  ShaderMaterial,
  Vector3,
  type CubeTexture,
} from 'three';
import { cross, dot, sum, type Vec } from './vec';
import type { View } from './camera';

export class Sky {
  readonly mesh: Mesh;
  private readonly material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: `
      uniform vec3 middle, right, up;
      out vec3 ray;
      void main() {
        ray = middle + position.x * right + position.y * up;
        gl_Position = vec4(position.xy, 1.0, 1.0);
      }`,
    fragmentShader: `
      precision highp float;
      in vec3 ray;
      uniform samplerCube image;
      out vec4 fragment;
      // textures have y up, the world z
      void main() { fragment = vec4(texture(image, vec3(ray.x, ray.z, -ray.y)).rgb, 1.0); }`,
    uniforms: {
      image: { value: null },
      middle: { value: new Vector3() },
      right: { value: new Vector3() },
      up: { value: new Vector3() },
    },
    depthTest: false,
    depthWrite: false,
    side: DoubleSide,
  });

  constructor() {
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new BufferAttribute(Float32Array.from([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.mesh = new Mesh(triangle, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1e6;
    this.mesh.visible = false;
  }

  show(texture: CubeTexture | null, view: View): void {
    this.mesh.visible = texture !== null;
    if (!texture) return;
    const { uniforms } = this.material;
    uniforms.image.value = texture;
    const side = cross(view.forward, view.up);
    const wide = view.orthographic ? 0 : 1;
    const at = (x: number, y: number) =>
      sum(sum(view.forward.map((c) => c * view.near), side, wide * x), view.up, wide * y);
    const [x, y] = [(view.left + view.right) / 2, (view.bottom + view.top) / 2];
    uniforms.middle.value.set(...(at(x, y) as [number, number, number]));
    const span = (v: Vec, s: number) => [v[0] * s * wide, v[1] * s * wide, v[2] * s * wide] as [number, number, number];
    uniforms.right.value.set(...span(side, (view.right - view.left) / 2));
    uniforms.up.value.set(...span(view.up, (view.top - view.bottom) / 2));
  }
}

const segments = 64;

/** A cone around the eye: clear at the plane's far rim, densest a little above, clear again at the horizon. */
export class Haze {
  readonly mesh: Mesh;
  private readonly position = new BufferAttribute(new Float32Array(9 * (segments + 1)), 3);
  private readonly alpha = new BufferAttribute(new Float32Array(3 * (segments + 1)), 1);
  private readonly material = new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: `
      in float alpha;
      out float opacity;
      void main() {
        opacity = alpha;
        gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      precision highp float;
      in float opacity;
      uniform vec3 tint;
      out vec4 fragment;
      void main() { fragment = vec4(tint, opacity); }`,
    uniforms: { tint: { value: new Vector3(1, 1, 1) } },
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
  });

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.position);
    geometry.setAttribute('alpha', this.alpha);
    const index: number[] = [];
    for (let c = 0; c < segments; ++c)
      for (let row = 0; row < 2; ++row) {
        const a = 3 * c + row;
        index.push(a, a + 3, a + 1, a + 1, a + 3, a + 4);
      }
    geometry.setIndex(index);
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.mesh.visible = false;
  }

  /** The plane by a point and the columns of its rotation (row-major 3x4), null for none. */
  show(place: Vec | null, view: View, depth: number, rgba: Vec): void {
    const normal = place ? [place[2], place[6], place[10]] : [0, 0, 1];
    const origin = place ? [place[3], place[7], place[11]] : [0, 0, 0];
    const height = dot(sum(view.eye, origin, -1), normal);
    this.mesh.visible = place !== null && height > 0;
    if (!place || height <= 0) return;
    const radius = 0.7 * view.far;
    const a = Math.atan2(1, depth);
    const dense = (Math.SQRT1_2 * depth * Math.sin(a)) / Math.sin(0.75 * Math.PI - a);
    const x = [place[0], place[4], place[8]];
    const y = [place[1], place[5], place[9]];
    const foot = sum(view.eye, normal, -height);
    for (let c = 0; c <= segments; ++c) {
      const angle = (2 * Math.PI * c) / segments;
      [0, dense, 1].forEach((t, row) => {
        const r = radius * (1 - depth * (1 - t));
        const p = sum(sum(sum(foot, x, r * Math.cos(angle)), y, r * Math.sin(angle)), normal, t * height);
        this.position.setXYZ(3 * c + row, p[0], p[1], p[2]);
        this.alpha.setX(3 * c + row, row === 1 ? 1 : 0);
      });
    }
    this.position.needsUpdate = this.alpha.needsUpdate = true;
    this.material.uniforms.tint.value.set(rgba[0], rgba[1], rgba[2]);
  }
}
