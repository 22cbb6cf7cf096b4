// The input and the result of a measure.

import type { Postgres } from "./database.ts";
import type { Scale } from "./options.ts";
import type { Requirement } from "./requirement.ts";
import type { Figure } from "./rounds.ts";
import type { Servers } from "./server-process.ts";

type Bench = { postgres: Postgres; servers: Servers; scale: Scale };

export type Measured = {
  /** Set by the runner: its name on the command line, and when and on which processor it was measured. */
  name?: string;
  date?: string;
  processor?: string;
  title: string;
  /** The method of measurement, in a sentence. */
  how: string;
  figures: Figure[];
  requirements: Requirement[];
  /** Remarks about this run. */
  notes: string[];
};

export type Measure = (bench: Bench) => Promise<Measured>;

export const connectionsUnderLoad = 64;
