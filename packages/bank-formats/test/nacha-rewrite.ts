// Writes a NACHA file again from the entries that were read of it. Controls and padding are computed again.

import { NachaAssembly } from "../src/nacha/assembly.ts";
import { readNacha } from "../src/nacha/read.ts";
import type { NachaBatch } from "../src/nacha/records.ts";

export function rewriteNacha(text: string): string {
  const assembly = new NachaAssembly();
  let written = "";
  let batch: NachaBatch | undefined;
  for (const entry of readNacha(text)) {
    if (!entry.batch?.file) throw new Error("the file lacks a header");
    if (!batch) written += assembly.openFile(entry.batch.file.values);
    if (entry.batch !== batch) written += assembly.openBatch(entry.batch);
    batch = entry.batch;
    written += assembly.addEntry(entry, entry.direction);
    for (const addendum of entry.addenda) written += assembly.addAddendum(addendum);
  }
  return written + assembly.closeFile();
}
