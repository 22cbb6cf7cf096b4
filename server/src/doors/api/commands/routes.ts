// POST /api/commands: a command of the command line, run for an API key. It needs the scope `read` to be asked, and its own
// scope to be done.

import { tracedFor } from "../../../platform/batching/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { useNonceOnce } from "../../../platform/idempotency/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { keyActor } from "../../../tenants/audit/index.ts";
import {
  type CommandParts,
  commandBodyBytesMax,
  Outcome,
  type RunCommand,
  Words,
} from "../../operator/index.ts";

export function keyCommandRoutes(api: Api, parts: CommandParts, run: RunCommand): void {
  api.post(
    "/api/commands",
    {
      bodyLimit: commandBodyBytesMax,
      // Rows of an import have keys of their own, and its output is not stored.
      config: {
        failure: "the command failed",
        scope: "read",
        badBody: "CONS106",
        storesNoResponse: true,
      },
      schema: { hide: true, body: Words, response: { 200: Outcome } },
    },
    async (request) => {
      const { caller, body, ip } = request;
      // Only a signature of version 2 covers the body.
      if (!caller.nonce) throw new Refusal("AUTH108");
      await useNonceOnce(parts.db, caller);
      const { words, files = {} } = body;
      const of = { ...parts, db: tracedFor(parts.db, caller) };
      // The rows of a file are requests of their own.
      const own = { ...caller, nonce: undefined };
      return run(of, { caller: own, actor: keyActor(caller, ip) }, { words, files });
    },
  );
}
