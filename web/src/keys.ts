// Keyboard: the table is also what the help sheet shows.

export interface Shortcut {
  key: string;
  shift?: boolean;
  what: string;
  group: 'Simulation' | 'Camera' | 'View' | 'Show' | 'Rendering' | 'Page';
  run: () => void;
}

const glfw: Record<string, number> = {
  ' ': 32, Escape: 256, Enter: 257, Tab: 258, Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263,
  ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267, Home: 268, End: 269, Pause: 284, Shift: 340, Control: 341, Alt: 342,
};

/** The code that GLFW has for a key, 0 if none. */
export function glfwCode(e: KeyboardEvent): number {
  if (/^F\d+$/.test(e.key)) return 289 + Number(e.key.slice(1));
  if (e.key in glfw) return glfw[e.key];
  return e.key.length === 1 ? e.key.toUpperCase().charCodeAt(0) : 0;
}

const names: Record<string, string> = {
  ' ': 'Space', ArrowRight: '→', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', PageUp: 'Page Up', Escape: 'Esc',
};

export function keyName(s: Shortcut): string {
  return (s.shift ? 'Shift ' : '') + (names[s.key] ?? (s.key.length === 1 ? s.key.toUpperCase() : s.key));
}

export class Keyboard {
  readonly shortcuts: Shortcut[] = [];
  /** Where keys go: to the viewer, or also to the application of a passive viewer. */
  toApplication: ((code: number) => void) | null = null;
  onlyApplication = false;

  constructor() {
    window.addEventListener('keydown', (e) => this.pressed(e));
  }

  add(...shortcuts: Shortcut[]): void {
    this.shortcuts.push(...shortcuts);
  }

  private pressed(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    const typing = target.closest('input:not([type=range]):not([type=checkbox]), select, textarea, dialog');
    const operated = target.closest('button, summary, input, a') && [' ', 'Enter', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(e.key);
    if (typing || operated || e.ctrlKey || e.metaKey || e.altKey) return;
    const code = glfwCode(e);
    if (this.toApplication && code) this.toApplication(code);
    if (this.onlyApplication) return;
    const digit = /^Digit(\d)$/.exec(e.code)?.[1];
    const key = e.shiftKey && digit ? digit : e.key.length === 1 ? e.key.toLowerCase() : e.key;
    const found = this.shortcuts.find((s) => s.key === key && (Boolean(s.shift) === e.shiftKey || (!/^[0-9a-z]$/.test(key) && !s.shift && key.length === 1)));
    if (!found) return;
    e.preventDefault();
    found.run();
  }
}
