// A table from keys or ids to lists of numbers, in three flat arrays: small, and quick to read.

/** Many numbers for each of `size` ids. */
export class Postings {
  /** The values of an id are from its start to the start of the next. */
  readonly starts: Uint32Array;
  readonly values: Uint32Array;

  constructor(size: number, ids: readonly number[], values: readonly number[]) {
    const starts = new Uint32Array(size + 1);
    for (const id of ids) starts[id + 1] = (starts[id + 1] as number) + 1;
    for (let id = 0; id < size; id += 1) {
      starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    }
    const next = starts.slice(0, size);
    this.values = new Uint32Array(values.length);
    for (const [index, id] of ids.entries()) {
      const at = next[id] as number;
      this.values[at] = values[index] as number;
      next[id] = at + 1;
    }
    this.starts = starts;
  }

  get bytes(): number {
    return this.starts.byteLength + this.values.byteLength;
  }
}

/** Many numbers for each key of 32 bits. */
export class KeyedPostings {
  readonly #mask: number;
  readonly #keys: Postings;
  readonly #values: Postings;

  constructor(keys: readonly number[], values: readonly number[]) {
    const size = 1 << Math.max(4, Math.ceil(Math.log2(keys.length + 1)));
    this.#mask = size - 1;
    const buckets = keys.map((key) => key & this.#mask);
    this.#keys = new Postings(size, buckets, keys);
    this.#values = new Postings(size, buckets, values);
  }

  forEach(key: number, visit: (value: number) => void): void {
    const bucket = key & this.#mask;
    const { starts, values: keys } = this.#keys;
    const { values } = this.#values;
    const end = starts[bucket + 1] as number;
    for (let at = starts[bucket] as number; at < end; at += 1) {
      if (keys[at] === key) visit(values[at] as number);
    }
  }

  get bytes(): number {
    return this.#keys.bytes + this.#values.bytes;
  }
}

/** Pairs of a key and a value, one after the other. */
export class Pairs {
  readonly keys: number[] = [];
  readonly values: number[] = [];

  add(key: number, value: number): void {
    this.keys.push(key);
    this.values.push(value);
  }

  toPostings(): KeyedPostings {
    return new KeyedPostings(this.keys, this.values);
  }
}
