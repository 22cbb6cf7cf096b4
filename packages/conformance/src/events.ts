// Part 6 of the published document: events. It shows neither how they are caused nor how they are sent, so what is ours causes
// and reads them.

import { setTimeout as sleep } from "node:timers/promises";
import { newPerson } from "./calls.ts";
import * as kinds from "./kinds.ts";
import { exactly } from "./kinds.ts";
import { type Fields, fieldRows, type Promised } from "./promise.ts";
import { type Call, type Exchange, idAt, type Run, valueAt } from "./run.ts";

export const amount = 1250;
const currency = "AUD";

/** A receiver who may be paid. */
export async function payable(run: Run): Promise<string> {
  const body = { ...newPerson(run, "paid"), reference: run.marker };
  const id = idAt(await run.ask("POST /api/receiver", { body }), "payload.receiver_id");
  const outcome = { id, type: "kyc", status: "success" };
  await run.ask("POST /api/test-helpers/status", { body: outcome });
  return id;
}

const fund = (run: Run) =>
  run.ask("POST /api/test-helpers/fund", { body: { amount: amount * 10, currency } });

/** A payout to an account whose number decides its outcome. */
export const createPayout = (account_number: string): Call => {
  return async (run) => {
    const receiver_id = await run.once(payable);
    await run.once(fund);
    const account = { receiver_id, account_type: "I", bsb: "062000", account_number };
    const made = await run.ask("POST /api/receiveraccount", { body: account });
    const account_id = idAt(made, "payload.account_id");
    const body = { receiver_id, account_id, amount, currency, reference: run.marker };
    return run.ask("POST /api/payout/single", { body });
  };
};

export const createPaid = createPayout("12345999");
const createClosed = createPayout("12345111");

const waitMaxMs = 60_000;
const pollMs = 200;

/** The last event of a type about an object: asked until it is there. */
const eventOf = (type: string, filter: (run: Run) => Promise<string>): Call => {
  return async (run) => {
    const query = `/api/event?type=${type}&${await filter(run)}`;
    const endMs = Date.now() + waitMaxMs;
    for (;;) {
      const exchange = await run.ask(`GET ${query}`);
      if (isThere(exchange) || Date.now() > endMs) return exchange;
      await sleep(pollMs);
    }
  };
};

const isThere = ({ status, json }: Exchange) =>
  status !== 200 || valueAt(json, "payload.0") !== undefined;

const ofPayout = (made: Call) => async (run: Run) =>
  `payout_id=${idAt(await run.once(made), "payload.payout_id")}`;
const ofReceiver = async (run: Run) => `receiver_id=${await run.once(payable)}`;

const payout = (event: string, status: string, timestamp: kinds.Kind): Fields => ({
  event: exactly(event),
  amount: exactly(amount),
  currency: exactly(currency),
  payout_id: kinds.uuid,
  receiver_account_id: kinds.uuid,
  receiver_id: kinds.uuid,
  reference: kinds.known("the reference that was sent", ({ marker }) => marker),
  status: exactly(status),
  subccount_id: kinds.uuid,
  timestamp,
});

const shapes: Record<string, { call: Call; fields: Fields }> = {
  payoutCreated: {
    call: eventOf("payoutCreated", ofPayout(createPaid)),
    fields: payout("payoutCreated", "pending", kinds.timeNumber),
  },
  payoutUpdate: {
    call: eventOf("payoutUpdate", ofPayout(createPaid)),
    fields: payout("payoutUpdate", "successful", kinds.timeNumber),
  },
  payoutFailure: {
    call: eventOf("payoutFailure", ofPayout(createClosed)),
    fields: {
      ...payout("payoutFailure", "failed", kinds.time),
      cause: kinds.text,
    },
  },
  receiverKycUpdate: {
    call: eventOf("receiverKycUpdate", ofReceiver),
    fields: {
      event: exactly("receiverKycUpdate"),
      receiver_id: kinds.uuid,
      status: kinds.text,
      subccount_id: kinds.uuid,
      timestamp: kinds.timeNumber,
    },
  },
};

export const eventPromises: readonly Promised[] = Object.entries(shapes).flatMap(
  ([name, { call, fields }]) => fieldRows("6", name, call, fields, "payload.0.data"),
);
