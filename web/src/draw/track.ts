// Poses that move from one frame to the next. What is shown runs one period behind the newest frame.

/** Position, quaternion, size. */
const width = 10;

export class Track {
  private from = new Float32Array(0);
  private to = new Float32Array(0);
  private shownValues = new Float32Array(0);
  private moves = new Uint8Array(0);
  private moving: number[] = [];

  /** What is shown of entry i begins at 10 i: position, quaternion, size. */
  get shown(): Float32Array {
    return this.shownValues;
  }
  get size(): number {
    return this.moves.length;
  }
  static at(i: number): number {
    return width * i;
  }

  /** Makes room for entries up to n - 1; new ones stand at identity. */
  need(n: number): void {
    const old = this.moves.length;
    if (n <= old) return;
    const room = Math.max(n, Math.ceil(1.5 * old));
    const grown = (values: Float32Array) => {
      const out = new Float32Array(width * room);
      out.set(values);
      for (let i = old; i < room; ++i) out[width * i + 3] = 1;
      return out;
    };
    this.from = grown(this.from);
    this.to = grown(this.to);
    this.shownValues = grown(this.shownValues);
    const moves = new Uint8Array(room);
    moves.set(this.moves);
    this.moves = moves;
  }

  clear(): void {
    this.from = this.to = this.shownValues = new Float32Array(0);
    this.moves = new Uint8Array(0);
    this.moving = [];
  }

  /** A frame has come: what is shown now is where its motion starts. */
  begin(): void {
    for (const i of this.moving) {
      const at = width * i;
      for (let k = at; k < at + width; ++k) this.from[k] = this.shownValues[k];
    }
    this.moving = this.moving.filter((i) => {
      const at = width * i;
      for (let k = at; k < at + width; ++k) if (this.from[k] !== this.to[k]) return true;
      this.moves[i] = 0;
      return false;
    });
  }

  set(i: number, pos: ArrayLike<number>, quat: ArrayLike<number>, record: number, jump: boolean, size?: ArrayLike<number>): void {
    this.need(i + 1);
    const at = width * i;
    const { to, from, shownValues } = this;
    for (let k = 0; k < 3; ++k) to[at + k] = pos[3 * record + k];
    let along = 0;
    for (let k = 0; k < 4; ++k) along += quat[4 * record + k] * shownValues[at + 3 + k];
    const sign = along < 0 ? -1 : 1;
    for (let k = 0; k < 4; ++k) to[at + 3 + k] = sign * quat[4 * record + k];
    if (size) for (let k = 0; k < 3; ++k) to[at + 7 + k] = size[3 * record + k];
    if (jump) {
      for (let k = at; k < at + width; ++k) from[k] = shownValues[k] = to[k];
    } else if (!this.moves[i]) {
      this.moves[i] = 1;
      this.moving.push(i);
      for (let k = at; k < at + width; ++k) from[k] = shownValues[k];
    }
  }

  /** Shows the part `alpha` (0..1) of the way to the newest frame; false if nothing moves. */
  show(alpha: number): boolean {
    const { from, to, shownValues } = this;
    for (const i of this.moving) {
      const at = width * i;
      for (let k = at; k < at + width; ++k) shownValues[k] = from[k] + alpha * (to[k] - from[k]);
      // between frames the quaternions are close: the normalized mean is as good as slerp
      const q = at + 3;
      const l = Math.hypot(shownValues[q], shownValues[q + 1], shownValues[q + 2], shownValues[q + 3]) || 1;
      for (let k = q; k < q + 4; ++k) shownValues[k] /= l;
    }
    if (alpha >= 1) {
      for (const i of this.moving) {
        this.moves[i] = 0;
        const at = width * i;
        for (let k = at; k < at + width; ++k) from[k] = shownValues[k] = to[k];
      }
      this.moving = [];
    }
    return this.moving.length > 0;
  }
}
