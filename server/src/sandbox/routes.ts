// POST /api/test-helpers/status: a test subaccount says what is to happen, instead of waiting for it

import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import { type Api, codesOf, sendWritten, success } from "../http/api.ts";
import { isUuid } from "../ids.ts";
import { problem, Refusal } from "../refusals.ts";
import { once } from "../requests/once.ts";
import { whoOf } from "../subaccounts/subaccount.ts";
import { pretend } from "../verification/decide.ts";
import { TestStatus, TestStatusSet } from "./schema.ts";

export function sandboxRoutes(api: Api, { db, clock }: { db: Db; clock: Clock }): void {
  api.post(
    "/api/test-helpers/status",
    {
      config: {
        failure: "set status failed",
        scope: "write",
        badBody: "TEST205",
        refusals: ["AUTH111", "REVR302", ...codesOf(TestStatus), "TEST204", "TEST205"],
      },
      schema: {
        operationId: "setTestStatus",
        tags: ["Test helpers"],
        summary: "Set the outcome of an identity check",
        description: "Only legal moves, and only with keys of test subaccounts.",
        body: TestStatus,
        response: { 200: success(TestStatusSet) },
      },
    },
    async ({ caller, body }, reply) => {
      if (caller.mode !== "test") throw new Refusal("AUTH111");
      if (!isUuid(body.id)) throw new Refusal([problem("TEST201", "id")]);
      const key = { subaccountId: caller.subaccountId, id: body.id.toLowerCase() };
      const outcome = body.status === "success" ? "approved" : "rejected";
      const reason = body.cause_code || `${outcome} by a test`;
      const said = { outcome, reason, who: whoOf(caller), atMs: clock() } as const;
      const written = await once(db, caller, async (tx) => {
        const { kyc_status } = await pretend(tx, key, said).catch(asUnknownId);
        const payload = { id: key.id, type: body.type, status: kyc_status };
        return { message: "status set successfully", payload };
      });
      return sendWritten(reply, written);
    },
  );
}

function asUnknownId(error: unknown): never {
  const isUnknown = error instanceof Refusal && error.problems[0].code === "REVR101";
  throw isUnknown ? new Refusal([problem("TEST201", "id")]) : error;
}
