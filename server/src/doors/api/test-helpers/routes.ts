// The routes of /api/test-helpers: a test subaccount simulates an outcome or a funding, instead of waiting for it.

import { findBalance, fund, isFunded, presentBalance } from "../../../money/ledger/index.ts";
import { type Clock, isUuid, readAmount, whoOf } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { type Api, codesOf, sendWritten, success } from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import {
  setTestStatus,
  TestFunded,
  TestFunding,
  TestStatus,
  TestStatusSet,
} from "../../test-helpers/index.ts";

export function sandboxRoutes(api: Api, { db, clock }: { db: Db; clock: Clock }): void {
  api.post(
    "/api/test-helpers/status",
    {
      config: {
        failure: "set status failed",
        scope: "write",
        badBody: "TEST205",
        refusals: [
          "AUTH111",
          "REVR302",
          "PAYO302",
          ...codesOf(TestStatus),
          "TEST204",
          "TEST205",
          "TEST211",
        ],
      },
      schema: {
        operationId: "setTestStatus",
        tags: ["Test helpers"],
        summary: "Set the outcome of an identity check or a payout",
        description:
          "Only transitions that the state allows, and only with a key of a test subaccount. Payouts of a test bank connection get their outcome from the bank simulator.",
        body: TestStatus,
        response: { 200: success(TestStatusSet) },
      },
    },
    async ({ caller, body }, reply) => {
      if (caller.mode !== "test") throw new Refusal("AUTH111");
      const { type, status: end, cause_code = "" } = body;
      if (!isUuid(body.id)) throw new Refusal([problem("TEST201", "id")]);
      if (type === "kyc" && end === "return") throw new Refusal([problem("TEST203", "status")]);
      const key = { subaccountId: caller.subaccountId, id: body.id.toLowerCase() };
      const said = { who: whoOf(caller), atMs: clock() };
      const written = await once(db, caller, async (tx) => {
        const status = await setTestStatus(tx, key, { type, end, causeCode: cause_code, ...said });
        return { message: "status set successfully", payload: { id: key.id, type, status } };
      });
      return sendWritten(reply, written);
    },
  );

  api.post(
    "/api/test-helpers/fund",
    {
      config: {
        failure: "fund failed",
        scope: "write",
        badBody: "TEST205",
        refusals: ["AUTH111", ...codesOf(TestFunding), "TEST204", "TEST205", "TEST210", "BALA107"],
      },
      schema: {
        operationId: "fundTestBalance",
        tags: ["Test helpers"],
        summary: "Fund a test subaccount",
        description:
          "As if a deposit had arrived at the bank. Only with a key of a test subaccount.",
        body: TestFunding,
        response: { 200: success(TestFunded) },
      },
    },
    async ({ caller, body }, reply) => {
      if (caller.mode !== "test") throw new Refusal("AUTH111");
      const amount = readAmount(body.amount);
      if (amount === undefined) throw new Refusal([problem("TEST207", "amount")]);
      const { currency, reference = `test ${caller.requestId}` } = body;
      const { subaccountId } = caller;
      const funding = { subaccountId, currency, amount, reference };
      const written = await once(db, caller, async (tx) => {
        await fund(tx, { ...funding, who: whoOf(caller), atMs: clock() });
        const { available, held } = presentBalance(await findBalance(tx, funding));
        return { message: "funded successfully", payload: { currency, available, held } };
      }).catch((error) => {
        throw isFunded(error) ? new Refusal([problem("TEST210", "reference")]) : error;
      });
      return sendWritten(reply, written);
    },
  );
}
