// What Disburse adds about receivers, accounts, payouts and events.

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as calls from "./calls.ts";
import { amount, createPaid, payable } from "./events.ts";
import * as published from "./fields.ts";
import { containing, exactly, known, ofType, uuid } from "./kinds.ts";
import { ourFields } from "./our-fields.ts";
import {
  all,
  at,
  type Check,
  count,
  type Fields,
  fieldRows,
  header,
  listed,
  listOf,
  type Promised,
  records,
  refusal,
  row,
  status,
} from "./promise.ts";
import { type Call, idAt, valueAt } from "./run.ts";

const { createReceiver, createMinimal, emailOf, newPerson, listWith } = calls;

const timeOf = (receiver: unknown) => Number(valueAt(receiver, "created_at"));

const isNewestFirst = listed("the newest first", (found) =>
  found.every((one, place) => place === 0 || timeOf(one) <= timeOf(found[place - 1])),
);

const firstPage = listWith("?limit=1");

/** The path that the link header of the first page names. */
const secondPage: Call = async (run) => {
  const page = await run.once(firstPage);
  const path = /^<(\/[^>]*)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  return path === undefined ? page : run.ask(`GET ${path}`);
};

const goesOn: Check = async ({ json }, run) => {
  const [[first], [second]] = [listOf((await run.once(firstPage)).json), listOf(json)];
  const isNext = valueAt(second, "id") !== valueAt(first, "id") && timeOf(second) <= timeOf(first);
  return { holds: isNext, expected: "an older receiver", seen: `${valueAt(second, "id")}` };
};

const byEmail: Call = async (run) => {
  await run.once(createReceiver);
  const email = encodeURIComponent(emailOf(run, "full").toUpperCase());
  return run.ask(`GET /api/receiver?email=${email}`);
};

/** Two receivers of a run have its reference. */
const byReference: Call = async (run) => {
  await run.once(createReceiver);
  await run.once(payable);
  return run.ask(`GET /api/receiver?reference=${run.marker}`);
};

const createFisrt: Call = async (run) => {
  const { first_name: fisrt_name, ...others } = newPerson(run, "fisrt");
  return run.ask("POST /api/receiver", { body: { ...others, fisrt_name } });
};

const createUpper: Call = async (run) => {
  await run.once(createReceiver);
  const email = emailOf(run, "full").toUpperCase();
  return run.ask("POST /api/receiver", { body: { ...newPerson(run, "upper"), email } });
};

const isPending = all(status(200), records({ status: exactly("pending") }));
const hasNext = header("link", containing('rel="next"'));

const receivers = [
  row("Receivers", "order: The list is newest first", calls.listReceivers, isNewestFirst),
  row("Receivers", "status.word: `status` takes the word", listWith("?status=pending"), isPending),
  row("Receivers", "email: `email` finds a receiver, in any case", byEmail, count(1)),
  row("Receivers", "reference: `reference` finds exactly this one", byReference, count(2)),
  row("Receivers", "page.link: The link header names the next page", firstPage, hasNext),
  row("Receivers", "page.next: It goes on after the first", secondPage, goesOn),
  row("Receivers", "fisrt_name: The spelling of the table is taken", createFisrt, status(200)),
  row(
    "Receivers",
    "email.case: An email is unique in any case",
    createUpper,
    refusal(400, "REVR201"),
  ),
];

const accountWith = (changes: object): Call => {
  return async (run) => {
    const receiver_id = await run.once(payable);
    const body = { receiver_id, ...calls.bank, ...changes };
    return run.ask("POST /api/receiveraccount", { body });
  };
};

const listNone: Call = async (run) => {
  const id = idAt(await run.once(createMinimal), "payload.receiver_id");
  return run.ask(`GET /api/receiveraccount/receiver/${id}`);
};

const numeric = accountWith({ account_number: 12345999 });
const unknownBank = accountWith({ bsb: "999999" });
const isOfNumber = at(
  "payload.bank_account_data.account_number",
  known("the number that was sent", () => calls.bank.account_number),
);

const accounts = [
  row(
    "Receiver accounts",
    "account.create: An account is created",
    calls.createAccount,
    at("payload.account_id", uuid),
  ),
  row("Receiver accounts", "account.zero: Leading zeros are kept", calls.getAccount, isOfNumber),
  row("Receiver accounts", "account.text: A number is no text", numeric, refusal(400, "REAC207")),
  row("Receiver accounts", "account.bsb: A bank has the BSB", unknownBank, refusal(400, "REAC208")),
  row(
    "Receiver accounts",
    "account.none: A receiver without accounts has an empty list",
    listNone,
    all(status(200), count(0)),
  ),
];

/** The payout of the run again, with other fields. */
const payoutWith = (path: string, changes: object): Call => {
  return async (run) => {
    const id = idAt(await run.once(createPaid), "payload.payout_id");
    const paid = await run.ask(`GET /api/payout/${id}`);
    const to = {
      receiver_id: idAt(paid, "payload.receiver_id"),
      account_id: idAt(paid, "payload.receiver_account_id"),
    };
    const body = { ...to, amount, currency: "AUD", reference: run.marker, ...changes };
    return run.ask(`POST ${path}`, { body });
  };
};

const twice = payoutWith("/api/payout/single", {});
const decimal = payoutWith("/api/payout/single", { amount: "12.50" });
const tooMuch = payoutWith("/api/payout/single", { amount: Number.MAX_SAFE_INTEGER });
const dryRun = payoutWith("/api/payout/validate", {});
const saysWhy = all(
  at("payload.accepted", exactly(false)),
  at("payload.problems.0.code", exactly("PAYO226")),
);

const payouts = [
  row("Payouts", "payout.create: A payout is created", createPaid, status(200)),
  row(
    "Payouts",
    "payout.pending: It is pending at first",
    createPaid,
    at("payload.status", exactly("pending")),
  ),
  row("Payouts", "payout.amount: Minor units have no decimals", decimal, refusal(400, "PAYO207")),
  row("Payouts", "payout.twice: A duplicate is refused", twice, refusal(409, "PAYO226")),
  row("Payouts", "payout.funds: Funds must be sufficient", tooMuch, refusal(409, "PAYO227")),
  row("Payouts", "payout.validate: A dry run says why it would be refused", dryRun, saysWhy),
];

const listEvents: Call = async (run) =>
  run.ask(`GET /api/event?receiver_id=${await run.once(payable)}`);
const getEvent: Call = async (run) =>
  run.ask(`GET /api/event/${idAt(await run.once(listEvents), "payload.0.id")}`);

const areEventIds = listed(
  "ids that begin with evt_",
  (found) =>
    found.length > 0 && found.every((one) => /^evt_[0-9a-f-]{36}$/.test(`${valueAt(one, "id")}`)),
);

const isSame: Check = ({ json }) => {
  const [body, data] = ["payload.body", "payload.data"].map((path) => valueAt(json, path));
  const holds = typeof body === "string" && isDeepStrictEqual(JSON.parse(body), data);
  return { holds, expected: JSON.stringify(data), seen: `${body}` };
};

const events = [
  row("Events", "event.ids: Ids begin with evt_", listEvents, areEventIds),
  row("Events", "event.body: An event has the text that is sent", getEvent, isSame),
];

const fund: Call = (run) =>
  run.ask("POST /api/test-helpers/fund", { body: { amount: 100, currency: "AUD" } });
const decideNone: Call = (run) =>
  run.ask("POST /api/test-helpers/status", {
    body: { id: randomUUID(), type: "kyc", status: "success" },
  });

const getPayout: Call = async (run) =>
  run.ask(`GET /api/payout/${idAt(await run.once(createPaid), "payload.payout_id")}`);
const listBalances: Call = async (run) => {
  await run.once(createPaid);
  return run.ask("GET /api/balance");
};
const getPostback: Call = (run) => run.ask("GET /api/subaccount/postback");

const resources = [
  { schema: "Receiver", section: "Receivers", call: calls.getReceiver },
  { schema: "ReceiverAccount", section: "Receiver accounts", call: calls.getAccount },
  { schema: "CreatedReceiverAccount", section: "Receiver accounts", call: calls.createAccount },
  { schema: "Subaccount", section: "Subaccount", call: calls.getSubaccount },
  { schema: "Postback", section: "Subaccount", call: getPostback },
  { schema: "CreatedPayout", section: "Payouts", call: createPaid },
  { schema: "Payout", section: "Payouts", call: getPayout },
  { schema: "Balance", section: "Balance", call: listBalances, path: "payload.0" },
  { schema: "EventRecord", section: "Events", call: listEvents, path: "payload.0" },
];

const publishedFields: Readonly<Record<string, Fields>> = {
  Receiver: published.receiver,
  ReceiverAccount: published.account,
  Subaccount: published.subaccount,
};

/** Every field of our resources, but those that are published. */
const fields = resources.flatMap(({ schema, section, call, path }) => {
  const own = Object.entries(ourFields[schema] ?? {})
    .filter(([field]) => !Object.hasOwn(publishedFields[schema] ?? {}, field))
    .map(([field, type]) => [field, ofType(type)] as const);
  return fieldRows(section, schema, call, Object.fromEntries(own), path);
});

const testMode = [
  row("Test mode", "test.fund: A balance is funded", fund, status(200)),
  row("Test mode", "test.status: Nothing has an unknown id", decideNone, refusal(400, "TEST201")),
];

export const resourcePromises: readonly Promised[] = [
  ...receivers,
  ...accounts,
  ...payouts,
  ...events,
  ...testMode,
  ...fields,
];
