// Guesses what a body was before it was altered in transit. Each step undoes one common change, and the search combines
// up to four steps, the fewest first. Pure.

import { isUtf8 } from "node:buffer";
import { eventCatalogue, eventTypes } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";

type RestoredBody = {
  body: Buffer;
  /** The changes, from the last to the first. */
  changes: string[];
};

/** The order in which we write the fields of an event: that of its example. */
function fieldOrder({ event }: Fields): string[] {
  return Object.keys(examples.get(String(event)) ?? {});
}

const examples = new Map<string, object>(
  eventTypes.map((type) => [type, eventCatalogue[type].example]),
);

/** Undoes one change. Undefined: the change can't have happened. */
type Step = (bytes: Buffer, text: string) => [what: string, before: string | Buffer] | undefined;

const stepsMax = 4;

/** Does not yield the body as it is. */
export function* restoredBodies(body: Buffer): Generator<RestoredBody> {
  if (body.length > limits.bodyBytesMax) return;
  const seen = new Set([body.toString("latin1")]);
  let level: RestoredBody[] = [{ body, changes: [] }];
  for (let depth = 0; depth < stepsMax; depth += 1) {
    const next: RestoredBody[] = [];
    for (const { body, changes } of level) {
      for (const step of steps) {
        const undone = step(body, body.toString());
        if (!undone) continue;
        const [what, before] = undone;
        const restored = { body: Buffer.from(before as string), changes: [...changes, what] };
        const key = restored.body.toString("latin1");
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(restored);
        yield restored;
      }
    }
    level = next;
  }
}

/** Whether it looks as we write it: then it was probably not altered. */
export function isAsWritten(body: Buffer): boolean {
  const text = body.toString();
  const event = parseObject(text);
  return event !== undefined && text === JSON.stringify(inOrder(event));
}

const steps: Step[] = [
  (bytes) =>
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
      ? ["a byte order mark was put before it", bytes.subarray(3)]
      : undefined,
  (_, text) => replaced("a line break was added at its end", text, /(\r?\n)+$/, ""),
  (_, text) => replaced("white space was added around it", text, /^\s+|\s+$/g, ""),
  (_, text) => replaced("its line breaks became CRLF", text, /\r\n/g, "\n"),
  (_, text) =>
    replaced(
      "subccount_id was corrected to subaccount_id",
      text,
      /"subaccount_id"/,
      '"subccount_id"',
    ),
  (_, text) => {
    const before = text.replace(/&(?:quot|apos|lt|gt|amp|#\d{1,5}|#x[0-9a-f]{1,4});/gi, unescaped);
    return before === text ? undefined : ["it was escaped for HTML", before];
  },
  (_, text) => reread("latin1", "it was read as Latin-1 and written as UTF-8", text),
  (_, text) => reread("windows-1252", "it was read as Windows-1252 and written as UTF-8", text),
  (bytes) =>
    isUtf8(bytes) ? undefined : ["it was written as Latin-1", decode("windows-1252", bytes)],
  (_, text) => {
    const inner = parse(text);
    return typeof inner === "string" ? ["it was put into a JSON text", inner] : undefined;
  },
  (_, text) =>
    /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(text)
      ? ["it was encoded in base64", Buffer.from(text, "base64")]
      : undefined,
  (_, text) => {
    const event = parseObject(text);
    return event ? [rewriting(text), JSON.stringify(event)] : undefined;
  },
  (_, text) => {
    const event = parseCompact(text);
    if (!event) return undefined;
    const names = Object.keys(event);
    const isSorted = names.toSorted().join() === names.join();
    const what = isSorted ? "its keys were sorted" : "its keys were put in another order";
    return [what, JSON.stringify(inOrder(event))];
  },
  (_, text) => {
    const event = parseCompact(text);
    return event && ["the types of its values were changed", JSON.stringify(retyped(event))];
  },
  (_, text) => {
    const event = parseCompact(text);
    if (!event) return undefined;
    const order = fieldOrder(event);
    const added = Object.keys(event).filter((name) => !order.includes(name));
    if (order.length === 0 || added.length === 0) return undefined;
    const kept = Object.entries(event).filter(([name]) => !added.includes(name));
    return ["fields were added", JSON.stringify(Object.fromEntries(kept))];
  },
  // Last, because ours never end with one.
  (_, text) =>
    text.endsWith("\n") ? undefined : ["the line break at its end was removed", `${text}\n`],
];

function replaced(what: string, text: string, pattern: RegExp, by: string): ReturnType<Step> {
  const before = text.replace(pattern, by);
  return before === text ? undefined : [what, before];
}

/** Names the style in which the JSON was written. */
function rewriting(text: string): string {
  if (/\n\s*"/.test(text)) return "it was pretty-printed";
  if (text.includes("\\/")) return "it was parsed and written again, with \\/ for every slash";
  if (/\\u[0-9a-f]{4}/i.test(text))
    return "it was parsed and written again, with \\u for characters";
  if (/[:,] /.test(text))
    return "it was parsed and written again, with spaces after colons or commas";
  return "it was parsed and written again";
}

type Fields = Record<string, unknown>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Fields | undefined {
  const value = parse(text);
  return value && typeof value === "object" && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

/** Undefined for other styles, so that pretty-printing is found as a change of its own. */
function parseCompact(text: string): Fields | undefined {
  const event = parseObject(text);
  return JSON.stringify(event) === text ? event : undefined;
}

function inOrder(event: Fields): Fields {
  const order = fieldOrder(event);
  const place = (name: string) => order.indexOf(name) + 1 || order.length + 1;
  return Object.fromEntries(Object.entries(event).sort(([a], [b]) => place(a) - place(b)));
}

/** `timestamp` is a string in payoutFailure only; `amount` is never one. */
function retyped(event: Fields): Fields {
  const fields = { ...event };
  if (typeof fields.amount === "string") fields.amount = Number(fields.amount);
  if ("timestamp" in fields) {
    fields.timestamp = (event.event === "payoutFailure" ? String : Number)(fields.timestamp);
  }
  return fields;
}

const entities: Record<string, string> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };

function unescaped(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (name.startsWith("#x")) return String.fromCharCode(Number.parseInt(name.slice(2), 16));
  if (name.startsWith("#")) return String.fromCharCode(Number(name.slice(1)));
  return entities[name] as string;
}

function decode(encoding: "latin1" | "windows-1252", bytes: Buffer): string {
  // To TextDecoder, Latin-1 is Windows-1252; to Buffer it is not.
  return encoding === "latin1"
    ? bytes.toString("latin1")
    : new TextDecoder("windows-1252").decode(bytes);
}

/** Finds the bytes that give this text when they are read in the encoding. */
function reread(encoding: "latin1" | "windows-1252", what: string, text: string): ReturnType<Step> {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const signs = [...decode(encoding, all)];
  const bytes = Array.from(text, (sign) => signs.indexOf(sign));
  const before = Buffer.from(bytes);
  return bytes.includes(-1) || !isUtf8(before) ? undefined : [what, before];
}
