// The canvas: takes the messages about the scene and draws a picture whenever something has changed.

import { Camera, ColorManagement, CubeTexture, LinearFilter, LinearSRGBColorSpace, Matrix4, Scene, Vector2, Vector4, WebGLRenderer, WebGLRenderTarget } from 'three';
import type { BinaryMessage, Frame } from '../decode';
import type { Lights as LightsMessage, Model, Settings } from '../messages';
import { Assets } from './assets';
import { aim, CameraType, fixedView, frustumHeight, mirrored, OrbitCamera, project, type View } from './camera';
import { Lights } from './lights';
import { Lines } from './lines';
import { Materials, Surroundings } from './materials';
import { PartList, RenderFlag } from './parts';
import { Haze, Sky } from './sky';

interface Area { x: number; y: number; width: number; height: number }

/** Device pixels per pixel, and size of shadow maps: machines that cannot keep up get less. */
const qualities = [
  { ratio: 2, shadow: 2048 },
  { ratio: 1, shadow: 1024 },
  { ratio: 1, shadow: 512 },
  { ratio: 0.7, shadow: 256 },
];
const slowGap = 70;
const slowPictures = 6;

const flexPeriod = 1000 / 30;

export class Stage {
  readonly camera = new OrbitCamera();
  /** Small pictures of further cameras, from the bottom right. */
  insets: number[] = [];
  frames = 0;
  drawn = 0;
  frameTime = 0;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly casters = new Scene();
  private readonly surroundings = new Surroundings();
  private readonly materials = new Materials(this.surroundings);
  private readonly lines = new Lines();
  private readonly sky = new Sky();
  private readonly haze = new Haze();
  private readonly lights = new Lights(this.surroundings);
  readonly parts: PartList;
  private readonly threeCamera = new Camera();
  private readonly mirrorCamera = new Camera();
  private readonly mirrorTarget = new WebGLRenderTarget(1, 1, { magFilter: LinearFilter, minFilter: LinearFilter });
  private readonly labels: CanvasRenderingContext2D;
  private model: Model | null = null;
  private settings: Settings | null = null;
  private skybox: CubeTexture | null = null;
  private scheduled = false;
  private arrived = 0;
  private flexArrived = 0;
  private period = 1000 / 60;
  private size = { width: 1, height: 1, ratio: 1 };
  private afterDraw: (() => void)[] = [];
  private quality = 0;
  private lastDraw = 0;
  private slow = 0;

  constructor(readonly element: HTMLCanvasElement, private readonly labelCanvas: HTMLCanvasElement, fetchBytes: (hash: string) => Promise<Uint8Array>) {
    ColorManagement.enabled = false;
    this.renderer = new WebGLRenderer({ canvas: element, antialias: true, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.labels = labelCanvas.getContext('2d')!;
    this.parts = new PartList(this.scene, this.casters, this.lines, new Assets(fetchBytes), this.materials, () => this.invalidate());
    this.scene.add(this.sky.mesh, this.haze.mesh, this.lines.mesh);
    for (const scene of [this.scene, this.casters]) scene.matrixWorldAutoUpdate = false;
    new ResizeObserver(() => this.resize()).observe(element);
    this.resize();
  }

  setModel(model: Model): void {
    const first = !this.model;
    this.model = model;
    this.parts.setModel(model);
    this.skybox = null;
    if (first) this.camera.set(model.camera);
    const sky = model.textures.find((t) => t.type === 'skybox');
    if (sky)
      void this.parts.texture(sky).then((texture) => {
        if (this.model !== model) return;
        this.skybox = texture as CubeTexture;
        this.invalidate();
      }).catch(() => undefined);
    this.invalidate();
  }

  setSettings(settings: Settings): void {
    this.settings = settings;
    this.parts.setSettings(settings);
    this.invalidate();
  }

  setLights(message: LightsMessage): void {
    this.lights.set(message.lights);
    this.invalidate();
  }

  receive(message: BinaryMessage): void {
    if (message.kind === 'parts') this.parts.receiveParts(message);
    else if (message.kind === 'frame') this.receiveFrame(message);
    else if (message.kind === 'flex') {
      this.flexArrived = performance.now();
      this.parts.receiveFlex(message.flex, message.positions, false);
    } else if (message.kind === 'worlds') this.parts.receiveWorlds(message);
    else return;
    this.invalidate();
  }

  private receiveFrame(frame: Frame): void {
    const now = performance.now();
    // motion is spread over the time between frames, smoothed; after a pause it starts anew
    const since = now - this.arrived;
    if (since < 500) this.period += 0.2 * (since - this.period);
    this.arrived = now;
    this.frames += 1;
    this.frameTime = frame.time;
    this.parts.receiveFrame(frame);
    for (let i = 0; i < frame.lights.index.length; ++i)
      this.lights.move(frame.lights.index[i], frame.lights.pos.subarray(3 * i, 3 * i + 3), frame.lights.dir.subarray(3 * i, 3 * i + 3));
    if (frame.lookat && this.camera.type === CameraType.Tracking) this.camera.lookat = [...frame.lookat];
  }

  /** Asks for a new picture soon. */
  invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  /** The canvas as a PNG. */
  picture(): Promise<Blob | null> {
    return new Promise((done) => {
      this.afterDraw.push(() => this.element.toBlob(done, 'image/png'));
      this.invalidate();
    });
  }

  view(aspect = this.size.width / this.size.height): View | null {
    if (!this.model || !this.settings) return null;
    const { camera, model } = this;
    if (camera.type === CameraType.Fixed) return this.fixed(camera.fixedcamid, aspect);
    return camera.view(model, this.settings.vis, aspect);
  }

  private fixed(id: number, aspect: number): View | null {
    const { model, settings } = this;
    const camera = model?.cameras[id];
    if (!model || !settings || !camera) return null;
    return fixedView(camera, this.parts.cameraPose(model, id), model, settings.vis, aspect);
  }

  /** Height of the window in meters at the distance of the camera's center. */
  get frustumHeight(): number {
    const view = this.view();
    return view ? frustumHeight(view) : 1;
  }

  get extent(): number {
    return this.model?.stat.extent ?? 1;
  }

  get aspect(): number {
    return this.size.width / this.size.height;
  }

  /** Window coordinates in pixels from the top left of the middle of a body, for tests. */
  bodyOnScreen(body: number): [number, number] | null {
    const view = this.view();
    if (!view) return null;
    aim(this.threeCamera, view);
    const combined = new Matrix4().multiplyMatrices(this.threeCamera.projectionMatrix, this.threeCamera.matrixWorldInverse);
    const at: [number, number] = [0, 0];
    if (!project(this.parts.bodyPosition(body), combined, at)) return null;
    const box = this.element.getBoundingClientRect();
    return [box.left + at[0] * box.width, box.top + at[1] * box.height];
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const ratio = Math.min(qualities[this.quality].ratio, window.devicePixelRatio);
    this.size = { width, height, ratio };
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.labelCanvas.width = width * ratio;
    this.labelCanvas.height = height * ratio;
    this.invalidate();
  }

  private draw(): void {
    const view = this.view();
    const { settings, model, renderer } = this;
    if (!settings || !model || !view) return;
    const now = performance.now();
    const alpha = Math.min(1, (now - this.arrived) / this.period);
    const flexAlpha = Math.min(1, (now - this.flexArrived) / flexPeriod);
    const moving = this.parts.show(alpha, flexAlpha);

    const shadows = Boolean(settings.flags[RenderFlag.Shadow]);
    this.adopt(settings, model);
    renderer.setScissorTest(false);
    renderer.setClearColor(0x000000, 1);
    this.parts.fill({ settings, view });
    if (this.lights.prepare(view, shadows)) this.materials.update();
    if (shadows) this.lights.drawShadows(renderer, this.casters, model, settings.vis, qualities[this.quality].shadow);
    const { width, height } = this.size;
    this.drawView(view, { x: 0, y: 0, width, height }, true);
    this.drawLabels();
    this.drawInsets();
    this.drawn += 1;
    for (const done of this.afterDraw.splice(0)) done();
    this.judge(now);
    if (moving) this.invalidate();
  }

  /** While pictures follow one another with long gaps, draws less. */
  private judge(now: number): void {
    const gap = now - this.lastDraw;
    this.lastDraw = now;
    this.slow = gap > slowGap && gap < 1000 ? this.slow + 1 : Math.max(0, this.slow - 1);
    if (this.slow < slowPictures || this.quality === qualities.length - 1) return;
    this.slow = 0;
    this.quality += 1;
    this.resize();
  }

  private adopt(settings: Settings, model: Model): void {
    const { flags, vis } = settings;
    const { materials, surroundings } = this;
    const fog = (vis.rgba?.fog as number[] | undefined) ?? [0, 0, 0, 1];
    surroundings.set('fog', new Vector4(fog[0], fog[1], fog[2], flags[RenderFlag.Fog] ? 1 : 0));
    surroundings.set('fog_range', new Vector2(Number(vis.map?.fogstart ?? 3) * model.stat.extent, Number(vis.map?.fogend ?? 10) * model.stat.extent));
    surroundings.set('flat_colors', flags[RenderFlag.Segment] ? 1 : 0);
    surroundings.set('depth_range', flags[RenderFlag.Depth] ? 5 * model.stat.extent : 0);
    const wireframe = Boolean(flags[RenderFlag.Wireframe]);
    const cull = Boolean(flags[RenderFlag.CullFace]);
    const additive = Boolean(flags[RenderFlag.Additive]);
    if (materials.wireframe !== wireframe || materials.cull !== cull || materials.additive !== additive) {
      Object.assign(materials, { wireframe, cull, additive });
      materials.update();
    }
  }

  /** Draws the filled batches from `view` into a part of the canvas. */
  private drawView(view: View, area: Area, mirror: boolean): void {
    const { renderer, surroundings, settings } = this;
    if (!settings) return;
    const { flags } = settings;
    const plain = !flags[RenderFlag.Segment] && !flags[RenderFlag.Depth];
    const sky = flags[RenderFlag.Skybox] && plain ? this.skybox : null;
    const hazePlane = flags[RenderFlag.Haze] && sky ? this.parts.hazePlane() : null;
    this.lookFrom(view);
    this.lines.window(area.width * this.size.ratio, area.height * this.size.ratio);
    surroundings.set('mirror_strength', 0);
    const reflecting = mirror && plain ? this.parts.mirror : null;
    if (reflecting) this.drawMirror(view, reflecting.normal, reflecting.offset, reflecting.part.record.reflectance);
    else surroundings.set('mirror_plane', new Vector4(0, 0, 0, 0));
    this.sky.show(sky, view);
    this.haze.show(hazePlane, view, Number(settings.vis.map?.haze ?? 0.3), (settings.vis.rgba?.haze as number[] | undefined) ?? [1, 1, 1, 1]);
    surroundings.set('sky_radius', sky ? 0.7 * view.far : 0);
    renderer.setRenderTarget(null);
    renderer.setViewport(area.x, area.y, area.width, area.height);
    renderer.setScissor(area.x, area.y, area.width, area.height);
    renderer.setScissorTest(true);
    renderer.clear();
    aim(this.threeCamera, view);
    renderer.render(this.scene, this.threeCamera);
    renderer.setScissorTest(false);
  }

  private lookFrom(view: View): void {
    this.surroundings.uniforms.eye.value.set(...(view.eye as [number, number, number]));
    this.surroundings.uniforms.forward.value.set(...(view.forward as [number, number, number]));
  }

  private drawMirror(view: View, normal: number[], offset: number, strength: number): void {
    const { renderer, surroundings } = this;
    const behind = mirrored(view, normal, offset);
    const width = Math.ceil(this.size.width * this.size.ratio);
    const height = Math.ceil(this.size.height * this.size.ratio);
    if (this.mirrorTarget.width !== width || this.mirrorTarget.height !== height) this.mirrorTarget.setSize(width, height);
    this.sky.mesh.visible = this.haze.mesh.visible = false;
    surroundings.set('sky_radius', 0);
    surroundings.set('mirror_strength', strength);
    surroundings.set('mirror_plane', new Vector4(normal[0], normal[1], normal[2], offset));
    this.lookFrom(behind);
    aim(this.mirrorCamera, behind);
    surroundings.set('mirror_image', null);
    renderer.setRenderTarget(this.mirrorTarget);
    renderer.clear();
    renderer.render(this.scene, this.mirrorCamera);
    renderer.setRenderTarget(null);
    surroundings.uniforms.mirror_matrix.value.multiplyMatrices(this.mirrorCamera.projectionMatrix, this.mirrorCamera.matrixWorldInverse);
    surroundings.set('mirror_image', this.mirrorTarget.texture);
    surroundings.set('mirror_strength', 0);
    this.lookFrom(view);
  }

  private drawInsets(): void {
    const { settings } = this;
    if (!settings || !this.insets.length) return;
    const width = Math.round(Math.min(280, this.size.width / 3));
    const height = Math.round(width * 0.75);
    this.insets.forEach((id, i) => {
      const view = this.fixed(id, width / height);
      if (!view) return;
      this.parts.fill({ settings, view });
      this.lights.prepare(view, Boolean(settings.flags[RenderFlag.Shadow]));
      this.drawView(view, { x: this.size.width - width - 12, y: 12 + i * (height + 8), width, height }, false);
    });
  }

  private drawLabels(): void {
    const { labels, labelCanvas, size } = this;
    labels.setTransform(1, 0, 0, 1, 0, 0);
    labels.clearRect(0, 0, labelCanvas.width, labelCanvas.height);
    const combined = new Matrix4().multiplyMatrices(this.threeCamera.projectionMatrix, this.threeCamera.matrixWorldInverse);
    const at: [number, number] = [0, 0];
    labels.scale(size.ratio, size.ratio);
    labels.font = '600 12px system-ui, sans-serif';
    labels.textAlign = 'center';
    labels.lineJoin = 'round';
    labels.lineWidth = 3;
    labels.strokeStyle = 'rgba(0, 0, 0, 0.75)';
    labels.fillStyle = '#fff';
    for (const { text, pos } of this.parts.labels()) {
      if (!project(pos, combined, at)) continue;
      labels.strokeText(text, at[0] * size.width, at[1] * size.height);
      labels.fillText(text, at[0] * size.width, at[1] * size.height);
    }
  }
}
