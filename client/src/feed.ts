// Listens to the feed of events: reads the stream, reconnects, and drops duplicates.

import type { Connection } from "./connection.ts";
import { ConnectionError, DisburseError } from "./errors.ts";
import type { EventType, HeardEvent } from "./event-wire.ts";
import { mayRepeat, wait, waitMs } from "./retry.ts";
import { isTest } from "./webhook-headers.ts";

export type ListenOptions = {
  /** Continues after this event, repeating a few before it. Default: starts now. */
  lastEventId?: string | undefined;
  /** Ends the listening; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
};

// The server sends something at least every 15 seconds. A connection that is silent for longer is dead.
const SILENCE_MS_MAX = 45_000;
const REMEMBERED_MAX = 10_000;

export async function* listen(
  connection: Connection,
  { lastEventId, signal }: ListenOptions,
): AsyncGenerator<HeardEvent, void, undefined> {
  const seen = new Set<string>();
  let lastId = lastEventId;
  for (let failures = 0; ; failures += 1) {
    let failure: DisburseError = new ConnectionError("the feed ended", { code: "FEED_ENDED" });
    try {
      for await (const block of blocksOf(connection, lastId, signal)) {
        failures = 0;
        if (block.id !== undefined) lastId = block.id;
        const event = toEvent(block);
        if (event && !isRepeated(seen, block.resendId ?? event.id)) yield event;
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof DisburseError) || !mayRepeat(error, { isRead: true })) throw error;
      failure = error;
    }
    await wait(waitMs(failure, Math.min(failures, 10)), signal);
  }
}

function isRepeated(seen: Set<string>, name: string): boolean {
  if (seen.has(name)) return true;
  seen.add(name);
  if (seen.size > REMEMBERED_MAX) seen.delete(seen.values().next().value as string);
  return false;
}

type Block = { id?: string; type?: string; data?: string; resendId?: string };

function toEvent({ id, type, data, resendId }: Block): HeardEvent | null {
  if (id === undefined || type === undefined || data === undefined) return null;
  const resent = resendId !== undefined;
  const said = { data: JSON.parse(data), body: data };
  return { id, type: type as EventType, ...said, resent, isTest: isTest(id) };
}

/** The text between two empty lines, until the stream ends or is silent for too long. */
async function* blocksOf(
  connection: Connection,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Block, void, undefined> {
  const controller = new AbortController();
  const giveUp = () => controller.abort();
  signal?.throwIfAborted();
  signal?.addEventListener("abort", giveUp, { once: true });
  let silence = setTimeout(giveUp, SILENCE_MS_MAX);
  try {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const body = await connection.open("/api/event/feed", headers, controller.signal);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read().catch((cause) => {
        throw new ConnectionError("the feed broke off", { code: "CONNECTION_FAILED", cause });
      });
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENCE_MS_MAX);
      const blocks = (text + value).split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks.map(readBlock);
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", giveUp);
    // Ends the connection in every case.
    controller.abort();
  }
}

function readBlock(text: string): Block {
  const block: Block = {};
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (name === "id") block.id = value;
    else if (name === "event") block.type = value;
    else if (name === "data")
      block.data = block.data === undefined ? value : `${block.data}\n${value}`;
    else if (name === "" && value.startsWith("resent ")) block.resendId = value.slice(7);
  }
  return block;
}
