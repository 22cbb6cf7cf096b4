// POST /api/commands: a command of the command line, run for an API key. It needs the scope `read` to be asked, and its own
// scope to be done.

import { createHash } from "node:crypto";
import type { Caller } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { useNonceOnce } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { keyActor } from "../../../tenants/audit/index.ts";
import {
  type Claim,
  claimAnswer,
  type StoredAnswer,
} from "../../../tenants/operator-tokens/index.ts";
import { partsFor } from "../../console/index.ts";
import {
  type CommandParts,
  commandBodyBytesMax,
  Outcome,
  type RunCommand,
  Words,
} from "../../operator/index.ts";

export function keyCommandRoutes(api: Api, parts: CommandParts, run: RunCommand): void {
  const { db, seal, clock } = parts;

  /** Undefined: without an Idempotency-Key. A command is several transactions, so its key is claimed before them. */
  async function claim(caller: Caller): Promise<Claim | StoredAnswer | undefined> {
    const { idempotency, key, requestId } = caller;
    if (!idempotency) return undefined;
    return claimAnswer({ db, seal }, { tokenId: idOf(key), requestId, ...idempotency }, clock());
  }

  api.post(
    "/api/commands",
    {
      bodyLimit: commandBodyBytesMax,
      config: { failure: "the command failed", scope: "read", badBody: "CONS106" },
      schema: { hide: true, body: Words, response: { 200: Outcome } },
    },
    async ({ caller, body, ip }, reply) => {
      // Only a signature of version 2 covers the body.
      if (!caller.nonce) throw new Refusal("AUTH108");
      await useNonceOnce(db, caller);
      const claimed = await claim(caller);
      if (claimed && "body" in claimed) {
        reply.header("idempotent-replayed", "true");
        return JSON.parse(claimed.body);
      }
      const of = { ...parts, db: tracedFor(db, caller) };
      // What the command does has no nonce of its own, and keys of its own.
      const by = { ...caller, nonce: undefined, idempotency: undefined };
      try {
        const printed = await run(
          partsFor(of, { markDone: claimed?.markDone }),
          { caller: by, actor: keyActor(caller, ip) },
          body,
        );
        const type = "application/json";
        await claimed?.store({ status: 200, type, body: JSON.stringify(printed) });
        return printed;
      } catch (error) {
        await claimed?.release();
        throw error;
      }
    },
  );
}

/** What an API key is known by where tokens are known by a UUID. */
function idOf(key: string): string {
  const digits = createHash("sha256").update(key).digest("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}
