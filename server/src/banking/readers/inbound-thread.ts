// Files from banks are decrypted and read in a thread of their own: the longest takes minutes. Records come in pages, and
// the next page is read while one is applied.

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CsvMapping,
  decodeBankFile,
  guessCsvMapping,
  isValid,
  previewCsv,
} from "../../../../packages/bank-formats/src/index.ts";
import { serveCalls, ThreadPool, type WorkThread } from "../../platform/documents/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type InboundKeys, type OpenedMessage, openFromBank } from "../pgp/index.ts";
import { InboundReader, type InboundRecord, type OpenedFile } from "./inbound-reader.ts";

// The file that the thread reads.
let reader: InboundReader | undefined;

const calls = {
  open({ bytes, receivedOn }: { bytes: Uint8Array; receivedOn: string }): OpenedFile {
    reader = new InboundReader(bytes);
    return reader.open(receivedOn);
  },
  openCsv: (mapping: CsvMapping) => reader?.openCsv(mapping),
  rewind: (_: undefined) => reader?.rewind(),
  nextPage: (_: undefined) => reader?.nextPage() ?? [],
  close(_: undefined): void {
    reader = undefined;
  },
  tryCsv,
  async openMessage({ keys, bytes }: { keys: InboundKeys; bytes: Uint8Array }) {
    const opened = await openFromBank(keys, bytes);
    return "bytes" in opened ? { bytes: await shareBytes(opened.bytes) } : opened;
  },
};

serveCalls(import.meta.url, calls);

/** A mapping for a CSV file, the given one or a guess, and what the file holds by it. Undefined: the file is binary. */
function tryCsv({ bytes, mapping, currency }: CsvTrial) {
  const text = decodeBankFile(bytes);
  if (text === undefined) return undefined;
  const guess = mapping ? { mapping, notes: [] } : guessCsvMapping(text, { currency });
  if (!guess.mapping) return { guess, preview: undefined };
  const { report, statements, ...preview } = previewCsv(text, guess.mapping);
  const problems = report.problems.slice(0, limits.bankProblemsShownMax);
  return {
    guess,
    preview: {
      ...preview,
      isValid: isValid(report),
      problems,
      statements: statements.slice(0, limits.bankStatementsMax),
    },
  };
}

type CsvTrial = { bytes: Uint8Array; mapping?: CsvMapping | undefined; currency: string };

type Thread = WorkThread<typeof calls>;

const pool = new ThreadPool<typeof calls>(import.meta.url, {
  threadsMax: limits.bankThreadsMax,
  readMs: limits.bankReadMs,
  onTooLong: () => new Refusal("BANK409"),
  onOutOfMemory: () => new Refusal("BANK405"),
});

/** A file that a thread has open. */
export type FileInThread = {
  open(receivedOn: string): Promise<OpenedFile>;
  /** As a CSV statement. */
  openCsv(mapping: CsvMapping): Promise<OpenedFile>;
  /** All records from the first one, as often as it is called. */
  records<Record extends InboundRecord>(): AsyncGenerator<Record, void, void>;
};

export function openInThread<T>(
  given: Uint8Array,
  work: (file: FileInThread) => Promise<T>,
): Promise<T> {
  return pool.run(isLarge(given), async (thread) => {
    const bytes = await shareBytes(given);
    try {
      return await work({
        open: (receivedOn) => thread.call("open", { bytes, receivedOn }),
        openCsv: async (mapping) => (await thread.call("openCsv", mapping)) as OpenedFile,
        records: () => recordsOf(thread),
      });
    } finally {
      if (!thread.hasEnded) await thread.call("close", undefined);
    }
  });
}

async function* recordsOf<Record extends InboundRecord>(
  thread: Thread,
): AsyncGenerator<Record, void, void> {
  await thread.call("rewind", undefined);
  const read = () => {
    const page = thread.call("nextPage", undefined) as Promise<Record[]>;
    // Reported where it is awaited.
    page.catch(() => {});
    return page;
  };
  for (let next = read(); ; ) {
    const page = await next;
    if (page.length === 0) return;
    next = read();
    yield* page;
  }
}

export function tryCsvInThread({ bytes, ...trial }: CsvTrial) {
  return pool.run(isLarge(bytes), async (thread) =>
    thread.call("tryCsv", { ...trial, bytes: await shareBytes(bytes) }),
  );
}

export function openMessageInThread(keys: InboundKeys, bytes: Uint8Array): Promise<OpenedMessage> {
  return pool.run(isLarge(bytes), async (thread) =>
    thread.call("openMessage", { keys, bytes: await shareBytes(bytes) }),
  );
}

const isLarge = ({ length }: Uint8Array) => length > limits.bankThreadKeptBytes;

/** In memory that threads share, because copying a large file takes long. */
async function shareBytes(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.buffer instanceof SharedArrayBuffer) return bytes;
  const shared = newSharedBytes(bytes.length);
  for (const [start, part] of partsOf(bytes)) {
    shared.set(part, start);
    await nextTurn();
  }
  return shared;
}

export function newSharedBytes(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(length));
}

/** Of a size that is hashed or copied in a moment. */
export function* partsOf(bytes: Uint8Array): Generator<[start: number, part: Uint8Array]> {
  const size = limits.bankFilePartBytes;
  for (let start = 0; start < bytes.length; start += size) {
    yield [start, bytes.subarray(start, start + size)];
  }
}
