// The formats that a bank connection can have, by name.

import { aba } from "./aba.ts";
import type { BankFormat } from "./bank-format.ts";
import { nacha } from "./nacha.ts";
import { nzAnz, nzAnzFull, nzAsb, nzBnz, nzWestpac } from "./new-zealand.ts";
import { pain001Formats } from "./pain-001.ts";

export const bankFormats: ReadonlyMap<string, BankFormat> = new Map([
  ["aba", aba],
  ["nz-anz", nzAnz],
  ["nz-anz-full", nzAnzFull],
  ["nz-bnz", nzBnz],
  ["nz-asb", nzAsb],
  ["nz-westpac", nzWestpac],
  ["nacha", nacha],
  ...pain001Formats,
]);
