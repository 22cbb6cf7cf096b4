// What a route of the console declares, and who calls it. Only pages of the console call them.

import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { UserActor } from "../audit/actor.ts";
import type { Caller, Mode } from "../caller.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import type { Permission, Session, User } from "../users/user.ts";
import { linesWithoutNames } from "./names.ts";

/** The user, as proven by the session, and the subaccount that the path names. */
export type ConsoleAccess = {
  session: Session;
  user: User;
  actor: UserActor;
  /** Set where the path names one: then the user may see it. */
  subaccount: { id: string; mode: Mode; isClosed: boolean } | undefined;
  /** For long requests: whether the session, its permission and the subaccount are still as they were. */
  stillMay: () => Promise<boolean>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every route that has `may`, before its handler runs. */
    access: ConsoleAccess;
  }
  interface FastifyContextConfig {
    /** What the user must be allowed to do. Every route under /console/api has it, or says `open`. */
    may?: Permission;
    /** The user must have proved who they are a short while ago. */
    stepUp?: boolean;
    /** Needs no session: signing in itself. */
    open?: boolean;
    /** A page of another site may lead a browser here. */
    fromElsewhere?: boolean;
  }
}

export type SubaccountAccess = ConsoleAccess & {
  subaccount: NonNullable<ConsoleAccess["subaccount"]>;
};

/** For a route whose path names a subaccount. */
export function inSubaccount({ access }: { access: ConsoleAccess }): SubaccountAccess {
  if (!access.subaccount) throw new Refusal("CONS105");
  return access as SubaccountAccess;
}

/** The user in a caller's place, for writes that callers of the API make as well. Histories name the user. */
export function consoleCallerOf({ subaccount, actor }: SubaccountAccess): Caller {
  const { id: subaccountId, mode } = subaccount;
  const { requestId, who } = actor;
  return { subaccountId, mode, key: "", who, requestId, nonce: undefined };
}

/** A stream that ends its source when it is not read for long. */
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

/** Page by page. A user who is no longer allowed to read it gets no further page. */
export function sendCsv(reply: unknown, name: string, rows: Readable): FastifyReply {
  const { access } = (reply as FastifyReply).request;
  async function* pages(): AsyncGenerator<string> {
    for await (const page of linesWithoutNames(access, rows)) {
      if (!(await access.stillMay())) throw new Refusal("CONS101");
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
