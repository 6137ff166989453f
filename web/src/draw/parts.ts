// The parts that the server sent, and what of them is put into which batch for a picture.

import type { BufferGeometry, Scene, ShaderMaterial, Texture } from 'three';
import type { Frame, Parts as PartsMessage, PartRecord, Worlds } from '../decode';
import type { Model, Settings, TextureAsset } from '../messages';
import type { Assets } from './assets';
import { Batch } from './batch';
import type { View } from './camera';
import type { Lines } from './lines';
import { casterMaterial, Materials, type MaterialKey, type TextureMode } from './materials';
import { GeomType, unitShape } from './shapes';
import { FlexShape, SkinShape, type FlexLook } from './soft';
import { Track } from './track';
import { dot, product, quaternionOf, rotationOf, sum } from './vec';

/** Flags of MjvOption that decide how a part is drawn; the server decides whether it is. */
export const enum VisFlag {
  FlexVert = 24,
  FlexEdge = 25,
  FlexFace = 26,
  FlexSkin = 27,
}

export const enum RenderFlag {
  Shadow = 0,
  Wireframe = 1,
  Reflection = 2,
  Additive = 3,
  Skybox = 4,
  Fog = 5,
  Haze = 6,
  Depth = 7,
  Segment = 8,
  IdColor = 9,
  CullFace = 10,
}

const decoration = 4;
const identity = Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
const white = Float32Array.from([1, 1, 1]);

interface Part {
  record: PartRecord;
  /** In the frame of its body, or in the world. */
  local: Float32Array;
  place: Float32Array;
  size: Float32Array;
  shape: BufferGeometry | null;
  variant: MaterialKey['shape'];
  mode: TextureMode;
  texture: Texture | null;
  texmap: [number, number, number, number];
  flex: FlexShape | null;
  skin: SkinShape | null;
}

/** What a pass over the parts needs to know of the picture. */
export interface PictureSettings {
  settings: Settings;
  view: View;
}

export class PartList {
  readonly bodies = new Track();
  readonly cameras = new Track();
  private readonly world = new Track();
  private parts = new Map<number, Part>();
  private flexes = new Map<number, FlexShape>();
  private flexMessages = new Map<number, Float32Array>();
  private skins = new Map<number, SkinShape>();
  private others = new Map<number, Worlds>();
  private readonly streamed = new Set<number>();
  private model: Model | null = null;
  private settings: Settings | null = null;
  private readonly opaque = new Map<string, Batch>();
  private readonly clear = new Map<string, Batch[]>();
  private readonly casters = { plain: casterMaterial(false), capsule: casterMaterial(true) };
  /** The part that mirrors, its plane (normal, offset) in the last picture. */
  mirror: { part: Part; normal: number[]; offset: number } | null = null;

  constructor(
    private readonly scene: Scene,
    private readonly shadowScene: Scene,
    private readonly lines: Lines,
    private readonly assets: Assets,
    readonly materials: Materials,
    private readonly changed: () => void,
  ) {}

  setModel(model: Model): void {
    this.model = model;
    this.bodies.clear();
    this.bodies.need(model.bodies.length);
    this.cameras.clear();
    this.world.clear();
    this.parts.clear();
    this.flexes.clear();
    this.flexMessages.clear();
    this.skins.clear();
    this.others.clear();
    this.streamed.clear();
    for (const batch of [...this.opaque.values(), ...[...this.clear.values()].flat()]) this.discard(batch);
    this.opaque.clear();
    this.clear.clear();
    this.materials.clear();
  }

  setSettings(settings: Settings): void {
    const before = this.settings;
    this.settings = settings;
    const look = (s: Settings | null) => s && `${flexLook(s)} ${s.option.flex_layer}`;
    if (look(before) !== look(settings)) for (const flex of this.flexes.values()) flex.choose(flexLook(settings), settings.option.flex_layer);
    if (before && before.world !== settings.world) this.others.clear();
  }

  receiveParts(message: PartsMessage): void {
    if (message.forget) this.parts.clear();
    for (const slot of message.removed) this.parts.delete(slot);
    for (const record of message.changed) this.put(record);
  }

  receiveFrame(frame: Frame): void {
    for (const camera of frame.cameras.index) this.streamed.add(camera);
    const tracks: [Track, Frame['bodies'], ArrayLike<number> | undefined][] = [
      [this.bodies, frame.bodies, undefined],
      [this.world, frame.parts, frame.parts.size],
      [this.cameras, frame.cameras, undefined],
    ];
    for (const [track, poses, size] of tracks) {
      track.begin();
      for (let i = 0; i < poses.index.length; ++i) track.set(poses.index[i], poses.pos, poses.quat, i, frame.jump, size);
    }
  }

  receiveFlex(flex: number, positions: Float32Array, jump: boolean): void {
    this.flexMessages.set(flex, positions);
    this.flexes.get(flex)?.receive(positions, jump);
  }

  receiveWorlds(worlds: Worlds): void {
    this.others.set(worlds.first, worlds);
  }

  /** Moves everything part of the way to the newest frame; false if nothing moves anymore. */
  show(alpha: number, flexAlpha: number): boolean {
    const moving = [this.bodies, this.world, this.cameras].map((t) => t.show(alpha)).some(Boolean);
    for (const flex of this.flexes.values()) flex.show(flexAlpha);
    return moving || (this.flexes.size > 0 && flexAlpha < 1);
  }

  /** Where a camera of the model is: as the server says, before that as if it were fixed to its body. */
  cameraPose(model: Model, id: number): ArrayLike<number> {
    this.cameras.need(model.cameras.length);
    const at = Track.at(id);
    if (this.streamed.has(id)) return this.cameras.shown.subarray(at, at + 7);
    const camera = model.cameras[id];
    const body = this.bodies.shown.subarray(Track.at(camera.body), Track.at(camera.body) + 7);
    const m: number[] = [];
    rotationOf(body, 3, m);
    const p = camera.pos;
    const pos = [0, 1, 2].map((r) => body[r] + m[3 * r] * p[0] + m[3 * r + 1] * p[1] + m[3 * r + 2] * p[2]);
    return [...pos, ...product(body.subarray(3, 7), camera.quat)];
  }

  *labels(): Iterable<{ text: string; pos: number[] }> {
    for (const part of this.parts.values())
      if (part.record.label) yield { text: part.record.label, pos: [part.place[3], part.place[7], part.place[11]] };
  }

  /** Where a body's parts are: for tests and the outline of the selection. */
  bodyPosition(body: number): number[] {
    const at = Track.at(body);
    return [...this.bodies.shown.subarray(at, at + 3)];
  }

  texture(about: TextureAsset): Promise<Texture> {
    return this.assets.texture(about);
  }

  /** Worlds that are drawn besides the one in focus. */
  get worldCount(): number {
    let n = 0;
    for (const w of this.others.values()) n += w.worlds;
    return n;
  }

  get count(): number {
    return this.parts.size;
  }

  /** The first plane of the list, if it is infinite both ways: haze stands on it. */
  hazePlane(): Float32Array | null {
    for (const part of this.ordered())
      if (part.record.type === GeomType.Plane) return part.record.infinite[0] && part.record.infinite[1] ? part.place : null;
    return null;
  }

  /** Puts every part into its batch, as seen in `picture`. */
  fill(picture: PictureSettings): void {
    const { view, settings } = picture;
    for (const batch of this.opaque.values()) batch.start();
    for (const pool of this.clear.values()) for (const batch of pool) batch.start();
    this.lines.start();
    const transparent: { part: Part; place: Float32Array; far: number; alpha: number }[] = [];
    const reflect = settings.flags[RenderFlag.Reflection] && !settings.flags[RenderFlag.Depth];
    this.mirror = null;
    const linewidth = Number(settings.vis.global?.linewidth ?? 1);
    const flat = Boolean(settings.flags[RenderFlag.Segment]);

    for (const part of this.ordered()) {
      this.placePart(part);
      const { record, place } = part;
      if (!Number.isFinite(place[3] + place[7] + place[11] + place[0])) continue;
      if (record.type === GeomType.Line) {
        const end = [3, 7, 11].map((k) => place[k] + place[k - 1] * part.size[2]);
        this.lines.add([place[3], place[7], place[11]], end, record.rgba, part.size[0] * linewidth);
        continue;
      }
      if (record.type === GeomType.LineBox) {
        this.lines.box(place, part.size, record.rgba, 1.5 * linewidth);
        continue;
      }
      let alpha = record.rgba[3];
      let behind = false;
      if (record.type === GeomType.Plane) {
        this.movePlane(part, view, settings);
        const normal = [place[2], place[6], place[10]];
        behind = dot(sum(view.eye, [place[3], place[7], place[11]], -1), normal) < 0;
        if (behind) alpha *= 0.3;
      }
      if (part.flex) {
        this.addFlex(part, settings);
        if (!part.flex.drawn) continue;
        part.flex.update();
        part.shape = part.flex.geometry;
      }
      part.skin?.update(this.bodies.shown, Track.at(1));
      if (!part.shape) continue;
      if (alpha >= 0.995 || flat) {
        if (reflect && !this.mirror && !behind && record.reflectance > 0 && (record.type === GeomType.Plane || record.type === GeomType.Box))
          this.mirror = this.mirrorOf(part);
        this.put1(this.opaqueBatch(part), part, place, 1, flat);
      } else if (alpha > 0) {
        const far = record.type === GeomType.Plane ? Infinity : dot(sum([place[3], place[7], place[11]], view.eye, -1), view.forward);
        transparent.push({ part, place, far, alpha });
      }
    }
    this.addWorlds(picture, transparent);
    this.fillTransparent(transparent);
    for (const batch of this.opaque.values()) batch.finish();
    for (const pool of this.clear.values()) for (const batch of pool) batch.finish();
    this.lines.finish();
  }

  private ordered(): Part[] {
    if (this.order?.size !== this.parts.size || this.orderStale) {
      this.order = { size: this.parts.size, list: [...this.parts.entries()].sort((a, b) => a[0] - b[0]).map((e) => e[1]) };
      this.orderStale = false;
    }
    return this.order.list;
  }
  private order: { size: number; list: Part[] } | null = null;
  private orderStale = true;

  private put(record: PartRecord): void {
    const m = record.mat;
    const p = record.pos;
    const part: Part = {
      record,
      local: Float32Array.from([m[0], m[1], m[2], p[0], m[3], m[4], m[5], p[1], m[6], m[7], m[8], p[2]]),
      place: Float32Array.from(identity),
      size: record.size,
      shape: null,
      variant: record.type === GeomType.Capsule ? 'capsule' : record.type === GeomType.Triangle ? 'skewed' : 'plain',
      mode: 'none',
      texture: null,
      texmap: [1, 1, 0, 0],
      flex: null,
      skin: null,
    };
    if (record.body < 0 && record.type !== GeomType.Triangle) this.world.set(record.slot, p, quaternionOf(m), 0, true, record.size);
    this.parts.set(record.slot, part);
    this.orderStale = true;
    this.findShape(part);
    this.findTexture(part);
  }

  private findShape(part: Part): void {
    const { record } = part;
    const { model } = this;
    if (!model) return;
    const arrived = <T>(promise: Promise<T>, use: (value: T) => void) => {
      promise.then((value) => {
        if (this.model !== model) return;
        use(value);
        this.changed();
      }).catch((error: unknown) => console.warn(`an asset did not arrive: ${String(error)}`));
    };
    if (record.type === GeomType.Mesh || record.type === GeomType.Sdf) {
      const mesh = model.meshes[record.dataid >> 1];
      const hash = mesh && (record.dataid & 1 ? mesh.hull : mesh.asset);
      if (record.dataid >= 0 && hash) arrived(this.assets.mesh(hash), (shape) => (part.shape = shape));
    } else if (record.type === GeomType.Hfield) {
      const hfield = model.hfields[record.dataid];
      if (hfield) arrived(this.assets.hfield(hfield.asset), (shape) => (part.shape = shape));
    } else if (record.type === GeomType.Flex) {
      const known = this.flexes.get(record.objid);
      const flex = model.flexes[record.objid];
      if (known) part.flex = known;
      else if (flex)
        arrived(this.assets.flex(flex.asset), (asset) => {
          let shape = this.flexes.get(record.objid);
          if (!shape) {
            shape = new FlexShape(asset);
            if (this.settings) shape.choose(flexLook(this.settings), this.settings.option.flex_layer);
            const positions = this.flexMessages.get(record.objid);
            if (positions) shape.receive(positions, true);
            this.flexes.set(record.objid, shape);
          }
          part.flex = shape;
        });
    } else if (record.type === GeomType.Skin) {
      const skin = model.skins[record.objid];
      if (skin)
        arrived(this.assets.skin(skin.asset), (asset) => {
          let shape = this.skins.get(record.objid);
          if (!shape) this.skins.set(record.objid, (shape = new SkinShape(asset)));
          part.skin = shape;
          part.shape = shape.geometry;
        });
    } else {
      part.shape = unitShape(record.type) ?? null;
    }
  }

  private findTexture(part: Part): void {
    const { record } = part;
    const about = record.matid >= 0 && record.texid >= 0 ? this.model?.textures[record.texid] : undefined;
    const { model } = this;
    if (!about || !model) return;
    this.assets.texture(about).then((texture) => {
      if (this.model !== model) return;
      part.texture = texture;
      [part.mode, part.texmap] = textureMap(record, about.type === '2d');
      this.changed();
    }).catch((error: unknown) => console.warn(`a texture did not arrive: ${String(error)}`));
  }

  /** The place of a part in the world. */
  private placePart(part: Part): void {
    const { record, local, place } = part;
    if (record.type === GeomType.Flex || record.type === GeomType.Skin) {
      place.set(identity);
    } else if (record.body >= 0) {
      if (record.body === 0) place.set(local);
      else compose(this.bodies.shown, Track.at(record.body), local, place);
    } else if (record.type === GeomType.Triangle) {
      place.set(local);
    } else {
      const at = Track.at(record.slot);
      poseTo(this.world.shown, at, place);
      part.size = this.world.shown.subarray(at + 7, at + 10);
    }
  }

  /** Infinite axes are centered under the camera, moved by whole texture tiles. */
  private movePlane(part: Part, view: View, settings: Settings): void {
    const { record, place } = part;
    if (!record.infinite[0] && !record.infinite[1]) return;
    const far = Number(settings.vis.map?.zfar ?? 50) * (this.model?.stat.extent ?? 1);
    const size = [record.size[0], record.size[1], 1];
    const offset = sum(view.eye, [place[3], place[7], place[11]], -1);
    for (const k of [0, 1]) {
      if (!record.infinite[k]) continue;
      const tile = record.texrepeat[k] > 0 ? 2 / record.texrepeat[k] : (2.1 * far) / 198;
      const axis = [place[k], place[4 + k], place[8 + k]];
      const steps = (0.5 * dot(offset, axis)) / tile;
      const move = 2 * tile * Math.sign(steps) * Math.round(Math.abs(steps));
      for (let r = 0; r < 3; ++r) place[4 * r + 3] += move * axis[r];
      size[k] = (2.1 * far + 2 * tile) / 2;
    }
    part.size = Float32Array.from(size);
  }

  private mirrorOf(part: Part): PartList['mirror'] {
    const p = part.place;
    const normal = [p[2], p[6], p[10]];
    const lift = part.record.type === GeomType.Box ? part.size[2] : 0;
    return { part, normal, offset: -dot(normal, [p[3], p[7], p[11]]) - lift };
  }

  private addFlex(part: Part, settings: Settings): void {
    const flex = part.flex!;
    const { radius, edges } = flex.asset;
    if (radius <= 0 || (flex.drawn && flexLook(settings) === 'skin')) return;
    const p = flex.positions;
    const plain = { ...part, texture: null, mode: 'none' as TextureMode };
    if (settings.option.flags[VisFlag.FlexVert]) {
      const ball: Part = { ...plain, shape: unitShape(GeomType.Sphere)!, size: white.map(() => radius), place: Float32Array.from(identity), record: { ...part.record, type: GeomType.Sphere } };
      const batch = this.opaqueBatch(ball);
      for (let v = 0; v < flex.asset.vertices; ++v) {
        for (let k = 0; k < 3; ++k) ball.place[4 * k + 3] = p[3 * v + k];
        this.put1(batch, ball, ball.place, 1, false);
      }
    }
    if (settings.option.flags[VisFlag.FlexEdge]) {
      const rod: Part = { ...plain, shape: unitShape(GeomType.Cylinder)!, size: white.map(() => radius), place: Float32Array.from(identity), record: { ...part.record, type: GeomType.Cylinder } };
      const batch = this.opaqueBatch(rod);
      for (let e = 0; e < edges.length; e += 2) {
        rod.size[2] = between(p, 3 * edges[e], 3 * edges[e + 1], rod.place);
        this.put1(batch, rod, rod.place, 1, false);
      }
    }
  }

  /** The parts of moving bodies once more for each of the other worlds. */
  private addWorlds(picture: PictureSettings, transparent: { part: Part; place: Float32Array; far: number; alpha: number }[]): void {
    const { settings, view } = picture;
    const model = this.model;
    if (!this.others.size || !model) return;
    const columns = Math.ceil(Math.sqrt(model.worlds.n));
    const spacing = settings.layout === 'grid' ? model.worlds.spacing : 0;
    const ghost = settings.layout === 'overlay' ? 0.3 : 1;
    const byBody = new Map<number, Part[]>();
    for (const part of this.parts.values()) {
      if (part.record.body < 0 || !part.shape || part.record.category === decoration) continue;
      const list = byBody.get(part.record.body) ?? [];
      list.push(part);
      byBody.set(part.record.body, list);
    }
    const pose = new Float32Array(7);
    for (const message of this.others.values())
      for (let w = 0; w < message.worlds; ++w) {
        // the world in focus is not among them
        const k = message.first + w + (message.first + w >= settings.world ? 1 : 0);
        const dx = spacing * ((k % columns) - (settings.world % columns));
        const dy = spacing * (Math.floor(k / columns) - Math.floor(settings.world / columns));
        for (let b = 0; b < message.bodies.length; ++b) {
          const parts = byBody.get(message.bodies[b]);
          if (!parts) continue;
          const i = w * message.bodies.length + b;
          pose.set(message.pos.subarray(3 * i, 3 * i + 3));
          pose.set(message.quat.subarray(4 * i, 4 * i + 4), 3);
          pose[0] += dx;
          pose[1] += dy;
          for (const part of parts) {
            const alpha = part.record.rgba[3] * ghost;
            const place = new Float32Array(12);
            compose(pose, 0, part.local, place);
            if (alpha >= 0.995) this.put1(this.opaqueBatch(part), part, place, 1, false);
            else transparent.push({ part, place, far: dot(sum([place[3], place[7], place[11]], view.eye, -1), view.forward), alpha });
          }
        }
      }
  }

  /** From far to near; neighbors of the same kind share a batch. */
  private fillTransparent(list: { part: Part; place: Float32Array; far: number; alpha: number }[]): void {
    list.sort((a, b) => b.far - a.far);
    const used = new Map<string, number>();
    let last = '';
    let batch: Batch | null = null;
    list.forEach(({ part, place, alpha }, i) => {
      const key = batchKey(part);
      if (key !== last || !batch) {
        const n = used.get(key) ?? 0;
        used.set(key, n + 1);
        batch = this.clearBatch(part, key, n);
        batch.mesh.renderOrder = 1 + i;
        last = key;
      }
      this.put1(batch, part, place, alpha, false);
    });
  }

  private opaqueBatch(part: Part): Batch {
    const key = batchKey(part);
    let batch = this.opaque.get(key);
    if (!batch) this.opaque.set(key, (batch = this.newBatch(part, true)));
    return batch;
  }

  private clearBatch(part: Part, key: string, n: number): Batch {
    let pool = this.clear.get(key);
    if (!pool) this.clear.set(key, (pool = []));
    return (pool[n] ??= this.newBatch(part, false));
  }

  private newBatch(part: Part, opaque: boolean): Batch {
    const { record } = part;
    const soft = record.type === GeomType.Flex || record.type === GeomType.Skin;
    const sides = record.type === GeomType.Plane ? 'keep' : record.type === GeomType.Triangle || soft ? 'turn' : 'front';
    const material: ShaderMaterial = this.materials.get({ shape: part.variant, mode: part.mode, texture: part.texture, opaque, sides });
    const caster = record.category === decoration ? null : part.variant === 'capsule' ? this.casters.capsule : this.casters.plain;
    const batch = new Batch(part.shape!, material, caster);
    this.scene.add(batch.mesh);
    if (batch.shadow) this.shadowScene.add(batch.shadow);
    return batch;
  }

  private discard(batch: Batch): void {
    this.scene.remove(batch.mesh);
    if (batch.shadow) this.shadowScene.remove(batch.shadow);
    batch.dispose(false);
  }

  private put1(batch: Batch, part: Part, place: Float32Array, alpha: number, flat: boolean): void {
    const at = batch.add();
    const out = batch.array;
    const { record } = part;
    out.set(place, at);
    const size = hasOwnSize(record.type) ? part.size : white;
    for (let k = 0; k < 3; ++k) out[at + 12 + k] = size[k];
    if (flat) {
      [2, 3, 5].forEach((base, k) => (out[at + 15 + k] = 0.1 + 0.8 * halton(record.slot + 10, base)));
    } else {
      for (let k = 0; k < 3; ++k) out[at + 15 + k] = record.rgba[k];
    }
    out[at + 18] = alpha;
    out[at + 19] = record.emission;
    out[at + 20] = record.specular;
    out[at + 21] = record.shininess;
    out[at + 22] = this.mirror?.part === part ? 1 : 0;
    for (let k = 0; k < 4; ++k) out[at + 23 + k] = part.texmap[k];
  }
}

function batchKey(part: Part): string {
  const { record } = part;
  const caster = record.category === decoration ? 'd' : 's';
  return `${part.shape!.id} ${record.type} ${part.mode} ${part.texture?.id ?? ''} ${caster}`;
}

function hasOwnSize(type: number): boolean {
  return type !== GeomType.Mesh && type !== GeomType.Sdf && type !== GeomType.Hfield && type !== GeomType.Flex && type !== GeomType.Skin;
}

function flexLook(settings: Settings): FlexLook {
  const { flags } = settings.option;
  return flags[VisFlag.FlexSkin] ? 'skin' : flags[VisFlag.FlexFace] ? 'faces' : 'none';
}

function halton(i: number, base: number): number {
  let out = 0;
  for (let f = 1 / base; i > 0; i = Math.floor(i / base), f /= base) out += f * (i % base);
  return out;
}

/** Scale and offset of texture coordinates (uv, or x and y of the shape), for cubes the scale of the direction. */
function textureMap(record: PartRecord, is2d: boolean): [TextureMode, Part['texmap']] {
  const size = record.size;
  const repeat = [0, 1].map((k) => (record.texrepeat[k] > 0 ? record.texrepeat[k] : 1));
  if (!is2d) {
    const scale = record.texuniform ? size : white;
    return ['cube', [scale[0], scale[1], scale[2], 0]];
  }
  const own = record.type !== GeomType.Mesh && record.type !== GeomType.Sdf && record.type !== GeomType.Hfield && record.type !== GeomType.Flex && record.type !== GeomType.Skin;
  if (!record.hasTexcoord && !own) {
    const k = [0, 1].map((i) => (record.texuniform || size[i] <= 0 ? record.texrepeat[i] : record.texrepeat[i] / size[i]));
    return ['local', [0.5 * k[0], -0.5 * k[1], -0.5, -0.5]];
  }
  const scale = [0, 1].map((k) => repeat[k] * (record.texuniform && size[k] > 0 ? size[k] : 1));
  if (record.type !== GeomType.Plane) return ['uv', [scale[0], scale[1], 0, 0]];
  const shift = record.infinite[0] || record.infinite[1] ? 0.5 : 0;
  const along = [0, 1].map((k) => (record.infinite[k] ? { a: 0.5, b: 0 } : { a: 1 / (2 * size[k]), b: 0.5 }));
  return ['local', [
    scale[0] * along[0].a,
    -scale[1] * along[1].a,
    scale[0] * along[0].b - shift,
    scale[1] * along[1].b - shift,
  ]];
}

function poseTo(pose: Float32Array, at: number, out: Float32Array): void {
  rotationOf(pose, at + 3, rotation);
  for (let r = 0; r < 3; ++r) {
    for (let c = 0; c < 3; ++c) out[4 * r + c] = rotation[3 * r + c];
    out[4 * r + 3] = pose[at + r];
  }
}
const rotation: number[] = new Array<number>(9).fill(0);

/** out = pose · local */
function compose(pose: Float32Array, at: number, local: Float32Array, out: Float32Array): void {
  rotationOf(pose, at + 3, rotation);
  for (let r = 0; r < 3; ++r) {
    for (let c = 0; c < 4; ++c)
      out[4 * r + c] = rotation[3 * r] * local[c] + rotation[3 * r + 1] * local[4 + c] + rotation[3 * r + 2] * local[8 + c];
    out[4 * r + 3] += pose[at + r];
  }
}

/** Places something that stands along z between two points; returns half their distance. */
function between(p: Float32Array, a: number, b: number, out: Float32Array): number {
  const d = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const l = Math.hypot(d[0], d[1], d[2]) || 1;
  const z = d.map((x) => x / l);
  const side = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const x = [side[1] * z[2] - side[2] * z[1], side[2] * z[0] - side[0] * z[2], side[0] * z[1] - side[1] * z[0]];
  const lx = Math.hypot(x[0], x[1], x[2]) || 1;
  for (let k = 0; k < 3; ++k) x[k] /= lx;
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  for (let r = 0; r < 3; ++r) {
    out[4 * r] = x[r];
    out[4 * r + 1] = y[r];
    out[4 * r + 2] = z[r];
    out[4 * r + 3] = (p[a + r] + p[b + r]) / 2;
  }
  return l / 2;
}
