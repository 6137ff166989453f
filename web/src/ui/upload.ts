// Models dropped onto the page.

import type { Session } from '../session';
import { el } from './dom';

interface Entry { name: string; file: File }

const piece = 262_144;
const mostBytes = 64 * 1024 * 1024;
const mostFiles = 1000;
/** The server reads 200 messages per second. */
const pause = 6;

export class Upload {
  readonly element: HTMLElement;
  private readonly chooser = el('input', { type: 'file', multiple: true, hidden: true, 'aria-label': 'files of a model', onchange: () => this.choose() });
  private readonly hint = el('p', {}, 'Drop a model here: an MJCF, URDF or MJB file with what it includes, or a whole folder.');
  private pending: Entry[] = [];

  constructor(private readonly session: Session, private readonly tell: (text: string, kind?: 'notice' | 'error') => void) {
    this.element = el('section', { class: 'upload', hidden: true, 'aria-label': 'open a model' },
      this.hint, el('button', { type: 'button', onclick: () => this.chooser.click() }, 'Choose files'), this.chooser);
    session.on('no_model', () => (this.element.hidden = false));
    session.on('model', () => (this.element.hidden = true));
    session.on('upload', (message) => {
      if (message.ready) void this.sendPieces();
    });
    window.addEventListener('dragover', (e) => {
      if (!e.dataTransfer?.types.includes('Files')) return;
      e.preventDefault();
      document.body.classList.add('dropping');
    });
    window.addEventListener('dragleave', (e) => {
      if (!e.relatedTarget) document.body.classList.remove('dropping');
    });
    window.addEventListener('drop', (e) => {
      document.body.classList.remove('dropping');
      if (!e.dataTransfer?.files.length) return;
      e.preventDefault();
      void filesOf(e.dataTransfer).then((files) => this.start(files));
    });
  }

  private choose(): void {
    this.start([...(this.chooser.files ?? [])].map((file) => ({ name: file.name, file })));
    this.chooser.value = '';
  }

  start(files: Entry[]): void {
    const bytes = files.reduce((n, f) => n + f.file.size, 0);
    if (!this.session.welcome?.upload) return this.tell('This viewer takes no files.', 'error');
    if (!this.session.inControl) return this.tell('Take the controls first.', 'error');
    if (files.length > mostFiles || bytes > mostBytes) return this.tell('Too much: at most 1000 files and 64 MB.', 'error');
    const models = files.filter((f) => /\.(xml|mjcf|urdf|mjb)$/i.test(f.name)).map((f) => f.name);
    if (!models.length) return this.tell('None of the files is a model (.xml, .urdf, .mjb).', 'error');
    this.pending = files;
    if (models.length === 1) this.announce(models[0]);
    else this.ask(models);
  }

  private ask(models: string[]): void {
    const likely = models.find((m) => /(^|\/)scene[^/]*\.xml$/i.test(m)) ?? models[0];
    const list = el('select', { 'aria-label': 'main file' }, ...models.map((m) => el('option', { selected: m === likely }, m)));
    const dialog = el('dialog', {}, el('form', { method: 'dialog' }, el('p', {}, 'Which file is the model?'), list,
      el('div', { class: 'row' }, el('button', { value: 'open' }, 'Open'), el('button', { value: '' }, 'Cancel'))));
    dialog.addEventListener('close', () => {
      if (dialog.returnValue) this.announce(list.value);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  private announce(main: string): void {
    this.session.send('upload', { files: this.pending.map((f) => ({ name: f.name, size: f.file.size })), main });
  }

  private async sendPieces(): Promise<void> {
    const files = this.pending;
    this.pending = [];
    for (let i = 0; i < files.length; ++i) {
      const content = new Uint8Array(await files[i].file.arrayBuffer());
      for (let at = 0; at < content.length; at += piece) {
        const part = content.subarray(at, at + piece);
        const message = new Uint8Array(8 + part.length);
        message[0] = 1;
        new DataView(message.buffer).setUint32(4, i, true);
        message.set(part, 8);
        this.session.sendBytes(message);
        do await new Promise((done) => window.setTimeout(done, pause));
        while (this.session.unsent > 4 * piece);
      }
    }
  }
}

/** Files of a drop, with those of folders under their paths. */
async function filesOf(data: DataTransfer): Promise<Entry[]> {
  const out: Entry[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
      out.push({ name: entry.fullPath.replace(/^\//, ''), file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const batch = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (!batch.length) return;
      for (const child of batch) await walk(child);
    }
  };
  const entries = [...data.items].map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
  const files = [...data.files];
  if (!entries.length) return files.map((file) => ({ name: file.name, file }));
  for (const entry of entries) await walk(entry);
  return out;
}
