// BAI2 files, as the port sees them.

import type { ReadableFormat } from "../format.ts";
import { reportOf } from "../report.ts";
import { readBai2, recognisesBai2 } from "./read.ts";

export const readableBai2: ReadableFormat = {
  recognises: recognisesBai2,
  check: (text) => reportOf(readBai2(text)),
};
