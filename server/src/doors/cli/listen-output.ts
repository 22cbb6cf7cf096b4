// The output of `events listen`: text lines with event ids, or one JSON object per line.

import type { HeardEvent } from "../../../../client/src/index.ts";
import type { Forwarded } from "./forward.ts";
import { oneLine } from "./output.ts";
import { stdout } from "./terminal.ts";

type ListenOutput = {
  event(event: HeardEvent): void;
  answer(forwarded: Forwarded): void;
};

const write = (line: string) => stdout.write(`${line}\n`);

/** `target`: the forwarding URL, without its query. */
export function inWords(target: string, { withBodies }: { withBodies: boolean }): ListenOutput {
  return {
    event({ id, type, data, resent }) {
      write(oneLine(`→ ${type} [${id}]${resent ? " resent" : ""}`));
      if (withBodies) writeBody(JSON.stringify(data, null, 2));
    },
    answer({ id, status, failure, tookMs, body }) {
      const outcome = [status, failure].filter((part) => part !== undefined).join(" ");
      write(oneLine(`← ${outcome} POST ${target} ${tookMs} ms [${id}]`));
      if (withBodies) writeBody(body);
    },
  };
}

/** Always includes the bodies. */
export function inJson(target: string): ListenOutput {
  return {
    event({ id, type, data, resent }) {
      write(JSON.stringify({ event: { id, type, resent, data } }));
    },
    answer({ id, status = null, failure = null, tookMs: took_ms, body }) {
      write(JSON.stringify({ answer: { id, status, failure, took_ms, url: target, body } }));
    },
  };
}

function writeBody(text: string): void {
  if (text.trim() === "") return;
  for (const line of text.trimEnd().split(/\r?\n/)) write(`  ${oneLine(line)}`);
}
