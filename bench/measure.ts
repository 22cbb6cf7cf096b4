// What a measure gets to work with, and what it hands back.

import type { Postgres } from "./database.ts";
import type { Demand } from "./demand.ts";
import type { Scale } from "./options.ts";
import type { Figure } from "./rounds.ts";
import type { Servers } from "./server-process.ts";

type Bench = { postgres: Postgres; servers: Servers; scale: Scale };

export type Measured = {
  /** What it is called on the command line, and when it was measured: noted by whoever ran it. */
  name?: string;
  date?: string;
  title: string;
  /** How it was measured, in a sentence. */
  how: string;
  figures: Figure[];
  demands: Demand[];
  /** What a reader should know of this run. */
  notes: string[];
};

export type Measure = (bench: Bench) => Promise<Measured>;

export const connectionsUnderLoad = 64;
