// NACHA files, as the port sees them.

import type { ReadableFormat } from "../format.ts";
import { reportOf } from "../report.ts";
import { readNacha } from "./read.ts";
import { recognisesNacha } from "./recognise.ts";

export const readableNacha: ReadableFormat = {
  recognises: recognisesNacha,
  check: (text) => reportOf(readNacha(text)),
};
