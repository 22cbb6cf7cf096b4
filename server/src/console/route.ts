// What a route behind the console may say about itself, and who asks. Only pages of the console call them.

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Caller, Mode } from "../caller.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Permission, Session, User } from "../users/user.ts";
import type { Acting } from "./acting.ts";
import { linesWithoutNames } from "./names.ts";

/** The person who asks, as proven by the session, and the subaccount that the address names. */
export type ConsoleRequest = {
  session: Session;
  person: User;
  /** How histories and the audit name the person. */
  who: string;
  requestId: string;
  ip: string;
  /** Set where the address names one: then the person may see it. */
  subaccount: { id: string; mode: Mode; isClosed: boolean } | undefined;
  /** For what takes long: whether the session lasts, and all that the request was let in for still holds. */
  stillMay: () => Promise<boolean>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every route that has `may`, before its handler runs. */
    asker: ConsoleRequest;
  }
  interface FastifyContextConfig {
    /** What the person must be allowed to do. Every route under /console/api has it, or says `open`. */
    may?: Permission;
    /** The person must have proved who it is a short while ago. */
    stepUp?: boolean;
    /** Answers to whoever asks, logged in or not: log-in itself. */
    open?: boolean;
    /** A page of another site may lead a browser here. */
    fromElsewhere?: boolean;
  }
}

export type SubaccountRequest = ConsoleRequest & {
  subaccount: NonNullable<ConsoleRequest["subaccount"]>;
};

/** Of a route whose address names a subaccount. */
export function inSubaccount({ asker }: { asker: ConsoleRequest }): SubaccountRequest {
  if (!asker.subaccount) throw new Refusal("CONS105");
  return asker as SubaccountRequest;
}

/** For the verbs behind the console. */
export function actingOf({ who, ip, requestId, person }: ConsoleRequest): Acting {
  return { who, ip, requestId, personId: person.id };
}

/** For what callers of the interface do as well: the person in a caller's place. Histories name `who`. */
export function consoleCallerOf({ subaccount, requestId, who }: SubaccountRequest): Caller {
  const { id: subaccountId, mode } = subaccount;
  return { subaccountId, mode, key: "", who, requestId, nonce: undefined };
}

/** A stream that ends what makes it when nobody reads it for long. */
export function streamWhileRead(texts: AsyncIterable<string>): Readable {
  async function* watched(): AsyncGenerator<string> {
    for await (const text of texts) {
      const stalled = setTimeout(() => stream.destroy(), limits.streamStallMs);
      try {
        yield text;
      } finally {
        clearTimeout(stalled);
      }
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  return stream;
}

/** Page by page; whoever is no longer allowed to read it gets no further page. */
export function sendCsv(reply: unknown, name: string, rows: Readable): FastifyReply {
  const { asker } = (reply as FastifyReply).request;
  async function* pages(): AsyncGenerator<string> {
    for await (const page of linesWithoutNames(asker, rows)) {
      if (!(await asker.stillMay())) throw new Refusal("CONS101");
      yield String(page);
    }
  }
  return (reply as FastifyReply)
    .headers({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
      "cache-control": "no-store",
    })
    .send(streamWhileRead(pages()));
}
