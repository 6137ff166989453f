// The line to the server: connects, again after it drops, and hands every message to those who listen.

import { decode, type BinaryMessage } from './decode';
import type { Control, Keys, Model, Problems, ServerMessage, Settings, Status, Welcome } from './messages';
import { Replay } from './replay';

export type LineState = 'connecting' | 'open' | 'lost' | 'ended';

type Handlers = { [K in ServerMessage['op']]: (message: Extract<ServerMessage, { op: K }>) => void } & {
  binary: (message: BinaryMessage) => void;
  line: (state: LineState) => void;
};

const longestWait = 4000;

export class Session {
  welcome: Welcome | null = null;
  control: Control | null = null;
  model: Model | null = null;
  settings: Settings | null = null;
  keys: Keys['keys'] = [];
  problems: Problems | null = null;
  status: Status | null = null;
  line: LineState = 'connecting';
  received = 0;
  readonly token: string;
  readonly replay: Replay | null;
  private socket: WebSocket | null = null;
  private wait = 250;
  private readonly listeners = new Map<string, ((message: never) => void)[]>();

  constructor() {
    const embedded = document.getElementById('sinew-export');
    this.replay = embedded ? new Replay(embedded.textContent ?? '', (text) => this.take(text), (bytes) => this.takeBinary(bytes)) : null;
    this.token = tokenOfPage();
  }

  on<K extends keyof Handlers>(what: K, handler: Handlers[K]): void {
    const list = this.listeners.get(what) ?? [];
    list.push(handler as (message: never) => void);
    this.listeners.set(what, list);
  }

  start(): void {
    if (this.replay) {
      this.setLine('open');
      this.replay.start();
    } else {
      this.connect();
    }
  }

  /** False if this client may not do what needs the controls. */
  get inControl(): boolean {
    return Boolean(this.control?.you) && !this.welcome?.read_only;
  }

  send(op: string, fields: Record<string, unknown> = {}): void {
    if (this.replay) this.replay.command(op, fields);
    else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ op, ...fields }));
  }

  sendBytes(bytes: Uint8Array): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes as Uint8Array<ArrayBuffer>);
  }

  get unsent(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  /** Address of something that needs the token. */
  address(path: string): string {
    return this.token ? `${path}?token=${encodeURIComponent(this.token)}` : path;
  }

  async asset(hash: string): Promise<Uint8Array> {
    const embedded = this.replay?.assets.get(hash);
    if (embedded) return embedded;
    const answer = await fetch(this.address(`a/${hash}`));
    if (!answer.ok) throw new Error(`asset ${hash}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  private connect(): void {
    const url = new URL(this.address('ws'), location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 250;
      socket.send(JSON.stringify({ op: 'hello', protocol: 1 }));
      this.setLine('open');
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === 'string') {
        this.received += event.data.length;
        this.take(event.data);
      } else {
        this.received += event.data.byteLength;
        this.takeBinary(new Uint8Array(event.data));
      }
    };
    socket.onclose = () => {
      if (this.line === 'ended') return;
      this.setLine('lost');
      window.setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(longestWait, 2 * this.wait);
    };
  }

  private setLine(state: LineState): void {
    this.line = state;
    this.emit('line', state);
  }

  private take(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    switch (message.op) {
      case 'welcome': this.welcome = message; break;
      case 'control': this.control = message; break;
      case 'model':
        message.sizes.nsensordata = message.sensors.reduce((n, s) => n + s.dim, 0);
        this.model = message;
        break;
      case 'no_model': this.model = null; break;
      case 'settings': this.settings = message; break;
      case 'keys': this.keys = message.keys; break;
      case 'problems': this.problems = message; break;
      case 'status': this.status = message; break;
      case 'bye': this.setLine('ended'); break;
      default: break;
    }
    this.emit(message.op, message);
  }

  private takeBinary(bytes: Uint8Array): void {
    let message: BinaryMessage;
    try {
      message = decode(bytes);
    } catch (error) {
      console.warn(String(error));
      return;
    }
    this.emit('binary', message);
  }

  private emit(what: string, message: unknown): void {
    for (const handler of this.listeners.get(what) ?? []) (handler as (m: unknown) => void)(message);
  }
}

/** The token goes from the address bar, where others see it, into the memory of this tab. */
function tokenOfPage(): string {
  const key = 'sinew-token';
  const url = new URL(location.href);
  const given = url.searchParams.get('token');
  if (given === null) return stored(key);
  try {
    sessionStorage.setItem(key, given);
  } catch {
    return given; // storage is refused (a frame of a notebook): the address keeps the token
  }
  const bare = new URL(url);
  bare.searchParams.delete('token');
  history.replaceState(null, '', bare);
  // the server refuses an address without token: loading the page again must go there with it
  const again = () => location.replace(Object.assign(new URL(url), { hash: location.hash }));
  window.addEventListener('keydown', (e) => {
    if (e.key !== 'F5' && !((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === 'r')) return;
    e.preventDefault();
    again();
  });
  return given;
}

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
