// The formats that files are recognised as, in the order in which they are tried.

import { readableAba } from "./aba/aba.ts";
import { readableBai2 } from "./bai2/bai2.ts";
import type { ReadableFormat } from "./format.ts";
import { readableIso } from "./iso/iso-messages.ts";
import { readableNacha } from "./nacha/nacha.ts";
import { readableNewZealandFormats } from "./nz/new-zealand.ts";

export const readableFormats: readonly ReadableFormat[] = [
  readableIso,
  readableAba,
  readableNacha,
  readableBai2,
  ...readableNewZealandFormats,
];
