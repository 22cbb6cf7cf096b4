// ABA files, as the port sees them.

import type { ReadableFormat } from "../format.ts";
import { reportOf } from "../report.ts";
import { readAba, recognisesAba } from "./read.ts";

export const readableAba: ReadableFormat = {
  recognises: recognisesAba,
  check: (text) => reportOf(readAba(text)),
};
