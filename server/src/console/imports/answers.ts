// How imports respond: a file that can't be read is refused, and progress is streamed as lines.

import type { FastifyReply } from "fastify";
import { streamWhileRead } from "../../http/stream.ts";
import { UnreadableFile } from "../../imports/csv-rows.ts";
import { Refusal } from "../../refusals/refusals.ts";

export async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // A page shows it in one line.
    throw new Refusal("CONS502", { message: error.message.replaceAll("\n", ". ") });
  }
}

/** Streams one JSON line per step. If the browser disconnects, the work stops after the current batch. */
export function sendLines(reply: unknown, lines: AsyncGenerator<object>): FastifyReply {
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  return (reply as FastifyReply)
    .headers({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" })
    .send(streamWhileRead(texts()));
}
