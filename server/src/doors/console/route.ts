// Types of the console's routes: what a route declares and who calls it. Only pages of the console call them.

import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Caller, isUuid, type Mode } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { streamWhileRead } from "../../platform/http/index.ts";
import { type Code, Refusal } from "../../platform/refusals/index.ts";
import type { TokensOfAct } from "../../tenants/acts/index.ts";
import type { UserActor } from "../../tenants/audit/index.ts";
import type { Permission, Session, User } from "../../tenants/roles/index.ts";
import { linesWithoutNames } from "./names.ts";

/** The user of the session, and the subaccount in the path. */
export type ConsoleAccess = {
  session: Session;
  user: User;
  actor: UserActor;
  /** Set if the path names one that the user may see. */
  subaccount: { id: string; mode: Mode; isClosed: boolean } | undefined;
  /** Marks a request with an Idempotency-Key as done, in the transaction of its change. */
  markDone?: ((tx: Tx) => Promise<void>) | undefined;
  /** For long requests: whether session, permission and subaccount are unchanged. */
  stillMay: () => Promise<boolean>;
};

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every route that has `may`, before its handler runs. */
    access: ConsoleAccess;
  }
  interface FastifyContextConfig {
    /** The permission that the user needs. Every route under /console/api has one, or `open`. */
    may?: Permission;
    /** The user must have confirmed their identity recently. */
    stepUp?: boolean;
    /** Which programs may do it with a token, as in the table of acts. */
    tokens?: TokensOfAct;
    /** The act that it carries. */
    act?: { name: string; summary: string };
    /** Needs no session, such as sign-in. */
    open?: boolean;
    /** A page of another site may redirect a browser here. */
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

/** The id in a path. One that is none is refused like an unknown one, with `code`. */
export function idIn(params: unknown, code: Code = "CONS110"): string {
  const { id } = params as { id: string };
  if (!isUuid(id)) throw new Refusal(code);
  return id.toLowerCase();
}

/** The user as a caller, for writes that the API has too. Histories name the user. */
export function consoleCallerOf({ subaccount, actor }: SubaccountAccess): Caller {
  const { id: subaccountId, mode } = subaccount;
  const { requestId, who } = actor;
  return { subaccountId, mode, key: "", who, requestId, nonce: undefined };
}

/** Page by page. A user who loses the permission gets no further page. */
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

/** The same for a PDF document. */
export function sendPdf(reply: unknown, name: string, document: Readable): FastifyReply {
  const { access } = (reply as FastifyReply).request;
  async function* pages(): AsyncGenerator<Uint8Array> {
    for await (const page of document) {
      if (!(await access.stillMay())) throw new Refusal("CONS101");
      yield page;
    }
  }
  return (reply as FastifyReply)
    .headers({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="${name}.pdf"`,
      "cache-control": "no-store",
    })
    .send(streamWhileRead(pages()));
}

/** Streams one JSON line per step of a long act. If the browser disconnects, the act stops after the current step. */
export function sendLines(reply: unknown, lines: AsyncGenerator<object>): FastifyReply {
  async function* texts(): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  return (reply as FastifyReply)
    .headers({ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" })
    .send(streamWhileRead(texts()));
}

/** A file of known length. A client that receives fewer bytes knows that it is not whole. */
export function sendAttachment(
  reply: unknown,
  { name, bytes }: { name: string; bytes: number },
  texts: AsyncIterable<string>,
): FastifyReply {
  return (reply as FastifyReply)
    .headers({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
      "content-length": String(bytes),
      "cache-control": "no-store",
    })
    .send(streamWhileRead(texts));
}
