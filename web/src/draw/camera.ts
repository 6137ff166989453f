// The camera of the user, with the rules of MuJoCo's mjv_moveCamera and mjv_updateCamera.

import { Camera, Matrix4 } from 'three';
import type { Model, ModelCamera, UserCamera, Visual } from '../messages';
import { cross, dot, rotationOf, sum, unit } from './vec';

export const enum CameraType {
  Free = 0,
  Tracking = 1,
  Fixed = 2,
}

/** Where a picture is taken from, and the frustum at its near plane. */
export interface View {
  eye: number[];
  forward: number[];
  up: number[];
  orthographic: boolean;
  near: number;
  far: number;
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export type CameraAction = 'rotate' | 'move_v' | 'move_h' | 'zoom';

const radian = Math.PI / 180;
const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

export class OrbitCamera implements UserCamera {
  type: number = CameraType.Free;
  fixedcamid = -1;
  trackbodyid = -1;
  lookat = [0, 0, 0];
  distance = 2;
  azimuth = 90;
  elevation = -45;

  set(camera: Partial<UserCamera>): void {
    Object.assign(this, camera);
    this.lookat = [...this.lookat];
  }

  get forward(): number[] {
    const a = this.azimuth * radian;
    const e = this.elevation * radian;
    return [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  }

  get up(): number[] {
    const a = this.azimuth * radian;
    const e = this.elevation * radian;
    return [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
  }

  /** dx and dy in heights of the window, dy down. */
  move(action: CameraAction, dx: number, dy: number, extent: number, frustumHeight: number): void {
    if (this.type === CameraType.Fixed) return;
    if (action === 'rotate') {
      this.azimuth -= 180 * dx;
      this.elevation -= 180 * dy;
    } else if (action === 'zoom') {
      this.distance -= Math.log(1 + this.distance / extent / 3) * dy * 9 * extent;
    } else if (this.type === CameraType.Free) {
      const heading = unit([this.forward[0], this.forward[1], 0]);
      const along = action === 'move_v' ? [dx, 0, -dy] : [dx, -dy, 0];
      const world = [along[0] * heading[1] + along[1] * heading[0], -along[0] * heading[0] + along[1] * heading[1], along[2]];
      this.lookat = sum(this.lookat, world, -frustumHeight * this.distance);
    }
    if (this.azimuth > 180) this.azimuth -= 360;
    if (this.azimuth < -180) this.azimuth += 360;
    this.elevation = clamp(this.elevation, -89, 89);
    this.distance = clamp(this.distance, 0.01 * extent, 100 * extent);
  }

  view(model: Model, vis: Visual, aspect: number): View {
    const forward = this.forward;
    return lens(sum(this.lookat, forward, -this.distance), forward, this.up, {
      orthographic: number(vis.global?.orthographic, 0) !== 0,
      fovy: number(vis.global?.fovy, 45),
    }, model, vis, aspect);
  }
}

function number(x: number | number[] | undefined, otherwise: number): number {
  return typeof x === 'number' ? x : otherwise;
}

interface Lens {
  orthographic: boolean;
  fovy: number;
  sensorsize?: number[];
  intrinsic?: number[];
}

function lens(eye: number[], forward: number[], up: number[], l: Lens, model: Model, vis: Visual, aspect: number): View {
  const near = number(vis.map?.znear, 0.01) * model.stat.extent;
  const far = number(vis.map?.zfar, 50) * model.stat.extent;
  let top: number;
  let bottom: number;
  let left: number;
  let right: number;
  if (!l.orthographic && l.sensorsize && l.intrinsic && l.sensorsize[1] > 0) {
    const [fx, fy, cx, cy] = l.intrinsic;
    const [sx, sy] = l.sensorsize;
    top = (near / fy) * (sy / 2 - cy);
    bottom = (-near / fy) * (sy / 2 + cy);
    const h0 = (near / fx) * (sx / 2 - cx);
    const h1 = (near / fx) * (sx / 2 + cx);
    const middle = (h1 - h0) / 2;
    const half = (h1 + h0) / 2;
    left = middle - half;
    right = middle + half;
  } else {
    top = l.orthographic ? l.fovy / 2 : near * Math.tan((l.fovy * radian) / 2);
    bottom = -top;
    right = top * aspect;
    left = -right;
  }
  return { eye, forward, up, orthographic: l.orthographic, near, far, top, bottom, left, right };
}

/** What a camera of the model sees, from its pose (position, quaternion). */
export function fixedView(camera: ModelCamera, pose: ArrayLike<number>, model: Model, vis: Visual, aspect: number): View {
  const r: number[] = [];
  rotationOf(pose, 3, r);
  const eye = [pose[0], pose[1], pose[2]];
  return lens(eye, [-r[2], -r[5], -r[8]], [r[1], r[4], r[7]], {
    orthographic: Boolean(camera.orthographic),
    fovy: camera.fovy,
    sensorsize: camera.sensorsize,
    intrinsic: camera.intrinsic,
  }, model, vis, aspect);
}

/** Height of what is seen at distance 1. */
export function frustumHeight(view: View): number {
  return view.orthographic ? (view.top - view.bottom) * 0.15 : (view.top - view.bottom) / view.near;
}

/** Sets a camera of three.js to a view. */
export function aim(camera: Camera, view: View): void {
  const z = view.forward.map((x) => -x);
  const x = unit(cross(view.up, z));
  const y = cross(z, x);
  const e = view.eye;
  camera.matrixAutoUpdate = false;
  camera.matrix.set(x[0], y[0], z[0], e[0], x[1], y[1], z[1], e[1], x[2], y[2], z[2], e[2], 0, 0, 0, 1);
  camera.matrixWorld.copy(camera.matrix);
  camera.matrixWorldInverse.copy(camera.matrix).invert();
  const { left, right, top, bottom, near, far } = view;
  if (view.orthographic) camera.projectionMatrix.makeOrthographic(left, right, top, bottom, near, far);
  else camera.projectionMatrix.makePerspective(left, right, top, bottom, near, far);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
}

/** Window coordinates (0..1 from the top left) of a point, null if it is behind the camera. */
export function project(point: ArrayLike<number>, combined: Matrix4, out: [number, number]): boolean {
  const e = combined.elements;
  const w = e[3] * point[0] + e[7] * point[1] + e[11] * point[2] + e[15];
  if (w <= 0) return false;
  out[0] = 0.5 + (0.5 * (e[0] * point[0] + e[4] * point[1] + e[8] * point[2] + e[12])) / w;
  out[1] = 0.5 - (0.5 * (e[1] * point[0] + e[5] * point[1] + e[9] * point[2] + e[13])) / w;
  return true;
}

/** The picture that a mirror shows: the eye behind it, looking out. */
export function mirrored(view: View, normal: number[], offset: number): View {
  const flip = (v: number[]) => sum(v, normal, -2 * dot(v, normal));
  const eye = sum(view.eye, normal, -2 * (dot(view.eye, normal) + offset));
  return { ...view, eye, forward: flip(view.forward), up: flip(view.up), left: -view.right, right: -view.left };
}
