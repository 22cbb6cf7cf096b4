// Recognises NACHA files by their first lines, even where the file header is missing or shifted.

import { firstLines } from "../file-lines.ts";
import { entryClasses } from "./codes.ts";
import { nachaBatchHeaderLayout } from "./layouts.ts";

const records: readonly RegExp[] = [
  // A file header, by what every one has in the middle; the columns may be shifted.
  /^.{0,4}01[ 0-9].{25,35}094101/,
  /^101 ?\d{9} ?\d{9,10}/,
  // An entry, returns and changes, a batch control, a file control.
  /^6[2-58]\d\d{9}.{82}/,
  /^7(98C|99R)\d\d.{88}/,
  /^8(200|220|225|280)\d{40}/,
  /^9\d{54} {0,39}$/,
];

export function recognisesNacha(text: string): boolean {
  return firstLines(text, 2).some(
    (line) => isBatchHeader(line) || records.some((record) => record.test(line)),
  );
}

function isBatchHeader(line: string): boolean {
  const { fields, indexOf, length } = nachaBatchHeaderLayout;
  const { at = 1, length: width = 0 } = fields[indexOf.get("entryClass") ?? -1] ?? {};
  const entryClass = line.slice(at - 1, at - 1 + width);
  return /^5(200|220|225|280)/.test(line) && line.length >= length && entryClasses.has(entryClass);
}
