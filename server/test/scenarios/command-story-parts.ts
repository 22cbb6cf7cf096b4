// What the parts of the story of all commands share.

type Run = { code: number | null; stdout: string; stderr: string };

export type StoryParts = {
  run(words: string[]): Promise<Run>;
  /** What only a user of the console or a background process can do. */
  sql(text: string, values?: unknown[]): Promise<void>;
  /** An empty folder. */
  folder: string;
  /** Adds --json to every command. */
  json: boolean;
  /** A bank's server, on this machine. */
  sftp: { port: number; fingerprint: string; password: string; files: Map<string, Buffer> };
};

export type Step = Run & { words: string[] };

export type Story = Omit<StoryParts, "run"> & {
  /** A recorded command. Returns the value that it printed under a name. */
  step(...words: string[]): Promise<(name: string) => string>;
  /** A command that only reads, for its JSON. Not recorded. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints something else.
  ask(...words: string[]): Promise<any>;
  /** Saves a file and returns its path. */
  save(name: string, content: string | Uint8Array | object): string;
  pathOf(name: string): string;
};

export const unknownId = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";

export type Subaccounts = { test: string; live: string };
export type Payee = { receiver: string; account: string };
export type People = { payee: Payee; other: Payee; erased: string };
