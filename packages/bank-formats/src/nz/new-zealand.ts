// The formats of banks in New Zealand, as the port sees them, and how they are told apart.

import { firstLines } from "../file-lines.ts";
import type { ReadableFormat } from "../format.ts";
import { reportOf } from "../report.ts";
import { readAnzFull } from "./anz-full-read.ts";
import { readAsb, recognisesAsb } from "./asb-read.ts";
import { anzProfile, bnzProfile, type MtsProfile } from "./mts-layouts.ts";
import { readMts } from "./mts-read.ts";
import { readWestpac, recognisesWestpac } from "./westpac-read.ts";

/** Only ANZ names the kind of batch by a letter. */
function recognisesAnzFull(text: string): boolean {
  const [first = ""] = firstLines(text, 1);
  return /^1,(?:[CD]|[A-Za-z],\d{8}),/.test(first);
}

/** ANZ's years have four digits, and its header may leave out all that BNZ's and Kiwibank's must have. */
function findMtsProfile(text: string): MtsProfile | undefined {
  const [first = "", second = ""] = firstLines(text, 2);
  if (/^2,\d{15,17},/.test(first)) return bnzProfile;
  const isHeader = /^1(?:,\d*){4},\d?,/.test(first);
  if (!isHeader && !(first.startsWith("1,") && second.startsWith("2,"))) return undefined;
  const [, , , , account = "", type = "", dueDate = ""] = first.split(",");
  if (/^\d{8}$/.test(dueDate)) return anzProfile;
  if (/^\d{6}$/.test(dueDate)) return bnzProfile;
  return account === "" && type === "" ? anzProfile : bnzProfile;
}

export const readableNewZealandFormats: readonly ReadableFormat[] = [
  { recognises: recognisesAnzFull, check: (text) => reportOf(readAnzFull(text)) },
  {
    recognises: (text) => findMtsProfile(text) !== undefined,
    check: (text) => reportOf(readMts(text, findMtsProfile(text) ?? bnzProfile)),
  },
  { recognises: recognisesAsb, check: (text) => reportOf(readAsb(text)) },
  { recognises: recognisesWestpac, check: (text) => reportOf(readWestpac(text)) },
];
