// The console's search: it finds what a user types, but nothing in a subaccount that the user can't see.

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleService, startConsole, type TestPerson } from "../support/console.ts";
import { ada, addAccount, type TestCaller } from "../support/service.ts";

let service: ConsoleService;
let caller: TestCaller;
let other: TestCaller;
let operator: TestPerson;
let developer: TestPerson;
const known: Record<string, string> = {};

beforeAll(async () => {
  service = await startConsole({ logsRequests: true });
  caller = await service.newCaller();
  other = await service.newCaller();
  operator = service.enter("operator");
  developer = service.enter("developer", { subaccountId: other.subaccountId });

  const person = ada({ first_name: "Ana", last_name: "Silva", reference: "staff-0042" });
  const { disburse, subaccountId } = caller;
  const { receiver_id } = await disburse.receivers.create(person);
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const account_id = await addAccount(service, subaccountId, receiver_id, "12344321");
  await disburse.testHelpers.fund({ amount: 100_000, currency: "AUD", reference: "f" });
  const payout = { receiver_id, account_id, amount: 8000, currency: "AUD", reference: "INV-2041" };
  const made = await caller.call("POST", "/api/payout/batch", { body: { payouts: [payout] } });
  known.request = made.headers.get("x-request-id") ?? "";
  const { batch_id, payouts } = made.json.payload;
  const [event] = (await caller.call("GET", `/api/event?receiver_id=${receiver_id}`)).json.payload;
  Object.assign(known, { receiver: receiver_id, account: account_id, batch: batch_id });
  Object.assign(known, { payout: payouts[0].payout_id, event: event.id, email: person.email });
});
afterAll(() => service.close());

async function hits(person: TestPerson, q: string, path = `/s/${caller.subaccountId}/search`) {
  const { status, json } = await person.get(`${path}?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  return json.hits as { kind: string; id: string; title: string; detail: string }[];
}

test.each(["payout", "batch", "receiver", "account", "event", "request"])(
  "finds a %s by its id",
  async (kind) => {
    const id = known[kind] as string;
    const typed = id.toUpperCase().replace(/^EVT_/, "evt_");
    // A request is logged a moment later.
    await expect.poll(() => hits(operator, typed)).toMatchObject([{ kind, id }]);
  },
);

test("finds by email, reference, the last four digits and the start of a name", async () => {
  const receiver = { kind: "receiver", id: known.receiver, title: "Ana Silva" };
  expect(await hits(operator, known.email?.toUpperCase() ?? "")).toMatchObject([receiver]);
  expect(await hits(operator, "staff-0042")).toMatchObject([receiver]);
  expect(await hits(operator, "SILV")).toMatchObject([receiver]);
  expect(await hits(operator, "ana sil")).toMatchObject([receiver]);
  expect(await hits(operator, "INV-2041")).toMatchObject([
    { kind: "payout", id: known.payout, title: "80.00 AUD to Ana Silva" },
  ]);
  expect(await hits(operator, "4321")).toMatchObject([
    { kind: "account", id: known.account, title: "•••• 4321 of Ana Silva" },
  ]);
  expect(await hits(operator, "1234")).toEqual([]);
});

test("the search over all subaccounts finds only by id", async () => {
  expect(await hits(operator, known.payout ?? "", "/search")).toMatchObject([
    { kind: "payout", id: known.payout, subaccount_id: caller.subaccountId },
  ]);
  expect(await hits(operator, "INV-2041", "/search")).toEqual([]);
});

test("a developer finds nothing of another subaccount with any query", async () => {
  const texts = [...Object.values(known), "staff-0042", "INV-2041", "4321", "silva"];
  for (const text of texts) {
    expect(await hits(developer, text, `/s/${other.subaccountId}/search`)).toEqual([]);
    expect(await hits(developer, text, "/search")).toEqual([]);
    // An operator who searches in the wrong subaccount finds nothing either.
    expect(await hits(operator, text, `/s/${other.subaccountId}/search`)).toEqual([]);
  }
  const denied = await developer.get(`/s/${caller.subaccountId}/search?q=silva`);
  expect(denied.json.error[0].code).toBe("CONS105");
});
