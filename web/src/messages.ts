// JSON messages of docs/viewer_protocol.md.

export interface Welcome {
  op: 'welcome';
  protocol: number;
  version: string;
  client: number;
  read_only: boolean;
  passive: boolean;
  fps: number;
  picture: boolean;
  upload: boolean;
  worlds: number;
  recording: boolean;
  show_left?: boolean;
  show_right?: boolean;
}

export interface Control {
  op: 'control';
  holder: number;
  you: boolean;
  clients: number;
}

export interface Body { name: string; parent: number; mass: number; mocap: boolean; moves: boolean; joint: [number, number]; geom: [number, number] }
export interface Joint { name: string; type: 'free' | 'ball' | 'slide' | 'hinge'; body: number; qpos: number; dof: number; limited: boolean; range: [number, number]; group: number }
export interface Geom { name: string; type: number; body: number; group: number }
export interface Site { name: string; body: number; group: number }
export interface ControlInput { name: string; actuator: number; limited: boolean; range: [number, number]; group: number }
export interface Equality { name: string; type: string }
export interface Tendon { name: string; group: number; limited: boolean; range: [number, number] }
export interface Sensor { name: string; type: number; adr: number; dim: number }
export interface ModelCamera {
  name: string;
  body: number;
  mode: string;
  pos: number[];
  quat: number[];
  orthographic: boolean | number;
  fovy: number;
  resolution: [number, number];
  sensorsize: [number, number];
  intrinsic: [number, number, number, number];
  ipd: number;
}
export interface TextureAsset { name: string; asset: string; type: '2d' | 'cube' | 'skybox'; width: number; height: number; channels: number; srgb: boolean }

/** MjvCamera: the camera of the user. */
export interface UserCamera {
  type: number;
  fixedcamid: number;
  trackbodyid: number;
  lookat: number[];
  distance: number;
  azimuth: number;
  elevation: number;
}

export interface Model {
  op: 'model';
  generation: number;
  name: string;
  file: string;
  sizes: Record<string, number>;
  bodies: Body[];
  joints: Joint[];
  geoms: Geom[];
  sites: Site[];
  controls: ControlInput[];
  actuators: { name: string; group: number }[];
  equalities: Equality[];
  tendons: Tendon[];
  sensors: Sensor[];
  cameras: ModelCamera[];
  lights: { name: string; body: number }[];
  materials: { name: string; rgba: number[] }[];
  textures: TextureAsset[];
  meshes: { name: string; asset: string; hull: string }[];
  hfields: { name: string; asset: string }[];
  flexes: { name: string; asset: string; dim: number; group: number }[];
  skins: { name: string; asset: string; group: number }[];
  stat: { extent: number; center: number[]; meansize: number; meanmass: number };
  camera: UserCamera;
  worlds: { n: number; spacing: number };
}

export const groupKinds = ['geom', 'site', 'joint', 'tendon', 'actuator', 'flex', 'skin'] as const;
export type GroupKind = (typeof groupKinds)[number];

export type SceneOption = { label: number; frame: number; flags: number[]; bvh_depth: number; flex_layer: number } & Record<
  `${GroupKind}group`,
  number[]
>;

export type Visual = Record<string, Record<string, number | number[]>>;

export interface Settings {
  op: 'settings';
  option: SceneOption;
  flags: number[];
  vis: Visual;
  opt: Record<string, number | number[]>;
  world: number;
  layout: 'grid' | 'overlay';
}

export interface Problem { severity: 'error' | 'warning'; file: string; line: number; text: string }
export interface Problems { op: 'problems'; title: string; problems: Problem[] }
export interface Keys { op: 'keys'; keys: { name: string; time: number }[] }

export interface Light {
  id: number;
  type: number;
  headlight: boolean;
  castshadow: boolean;
  pos: number[];
  dir: number[];
  attenuation: number[];
  cutoff: number;
  exponent: number;
  ambient: number[];
  diffuse: number[];
  specular: number[];
}
export interface Lights { op: 'lights'; lights: Light[] }

export interface Contact { geom1: string; geom2: string; body1: number; body2: number; pos: number[]; dist: number; force: number; friction: number }
export interface Span { start: number; end: number; count: number; now: number; loop?: boolean }

export interface Selection {
  op?: 'selection';
  body: number;
  name: string;
  geom: number;
  flex: number;
  skin: number;
  geom_name: string;
  point: number[];
  mass: number;
  pos: number[];
  quat: number[];
  linvel: number[];
  angvel: number[];
}

export interface Status {
  op: 'status';
  time: number;
  running: boolean;
  speed: number;
  rtf: number;
  steps_per_second: number;
  fps: number;
  ncon: number;
  nefc: number;
  nisland: number;
  niter: number;
  solver: { improvement: number; gradient: number };
  energy: [number, number] | null;
  warnings: string[];
  diverged: string;
  history: Span;
  recording?: Span;
  cpu: { step: number; scene: number; idle: number };
  stages?: Record<string, number>;
  selection?: Selection;
  contacts?: Contact[];
  writing?: string;
}

export interface Overlay {
  op: 'overlay';
  texts: { font: number; grid: number; left: string; right: string }[];
  figures: { rect: number[]; title: string; xlabel: string; lines: { name: string; rgb: number[]; x: number[]; y: number[] }[] }[];
  images: { rect: number[]; png: string }[];
}

export type ServerMessage =
  | Welcome
  | Control
  | { op: 'no_model' }
  | Model
  | Settings
  | Problems
  | Keys
  | Lights
  | Status
  | (Selection & { op: 'selection' })
  | { op: 'plot'; columns: string[]; units: string[]; error?: string }
  | { op: 'watch'; columns: string[] }
  | { op: 'signals'; names: string[]; more: boolean; id?: number | string }
  | { op: 'state'; mjcf: string }
  | { op: 'upload'; ready: boolean }
  | ({ op: 'camera' } & UserCamera)
  | Overlay
  | { op: 'notice'; text: string }
  | { op: 'error'; text: string; for: string; id?: number | string }
  | { op: 'bye'; text: string };
