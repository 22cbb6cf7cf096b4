// The quickstart: a step is marked done when the user has done it, and the commands that it shows work unchanged.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Disburse } from "@disburse/client";
import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { startSink } from "../../support/sink.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

const service = await closeAfterTests(startConsole({ delivers: true }));

type Step = { id: string; is_done: boolean; ways: { label: string; text: string }[] };

/** A subaccount without a key, and an operator who develops with a key that has the payout scope. */
async function newDeveloper() {
  const { subaccountId, key } = await service.newCaller();
  const operator = service.enter("operator");
  await operator.post(`/s/${subaccountId}/keys/${key}/revoke`);
  const read = async () => (await operator.get(`/s/${subaccountId}/quickstart`)).json;
  const steps = async (): Promise<Step[]> => (await read()).steps;
  const doneOfRole = async (): Promise<string[]> =>
    (await read()).own_steps.filter(({ is_done }: Step) => is_done).map(({ id }: Step) => id);
  const done = async () => (await steps()).filter(({ is_done }) => is_done).map(({ id }) => id);
  const wayOf = async (id: string, label: string) =>
    (await steps()).find((step) => step.id === id)?.ways.find((way) => way.label === label)
      ?.text as string;
  const input = { name: "mine", scopes: ["read", "write", "payout"] };
  const createKey = async () => (await operator.post(`/s/${subaccountId}/keys`, input)).json;
  return { operator, subaccountId, steps, done, doneOfRole, wayOf, createKey };
}

test("each step is marked done once it is done, and no step shows the secret", async () => {
  const { done, doneOfRole, createKey, steps, subaccountId, operator } = await newDeveloper();
  expect(await done()).toEqual([]);
  const { key: apiKey, secret: apiSecret } = await createKey();
  expect(await done()).toEqual(["key"]);
  const disburse = new Disburse({ apiKey, apiSecret, baseUrl: service.baseUrl });

  await disburse.subaccount.get();
  await expect.poll(done).toEqual(["key", "call"]);

  const ada = { first_name: "Ada", last_name: "Byron", email: "ada@example.com" };
  const rest = { dob: "1990-12-10", gender: "F", dialcode: "61", phone: "412345678" } as const;
  const address = { address: "1 St. Kilda Road", address2: "", city: "Melbourne" };
  const place = { state: "VIC", postcode: "3004", country: "AUS" };
  const receiver = { ...ada, ...rest, ...address, ...place };
  const { receiver_id } = await disburse.receivers.create(receiver);
  expect(await done()).toEqual(["key", "call", "receiver"]);
  // The program did it, not the operator.
  expect(await doneOfRole()).toEqual([]);

  await disburse.testHelpers.fund({ amount: 10_000, currency: "AUD", reference: "first" });
  expect(await doneOfRole()).toEqual(["fund"]);
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const bank = { account_type: "I", bsb: "062000", account_number: "12345999" } as const;
  const { account_id } = await disburse.receiverAccounts.create({ receiver_id, ...bank });
  await service.enter("admin").put(`/s/${subaccountId}/limits`, {
    currency: "AUD",
    per_payout_max: null,
    per_day_max: null,
    approval_above: 0,
  });
  const payout = { receiver_id, account_id, amount: 100, currency: "AUD", reference: "first" };
  const { payout_id } = await disburse.payouts.create(payout);
  expect(await done()).toEqual(["key", "call", "receiver", "payout"]);
  expect(await doneOfRole()).toEqual(["fund"]);
  const approver = service.enter("approver");
  const items = [{ subaccount_id: subaccountId, payout_id }];
  const { json } = await approver.post("/approvals/payouts/approve", { items });
  expect(json.results).toMatchObject([{ outcome: "approved" }]);
  const ofApprover = (await approver.get(`/s/${subaccountId}/quickstart`)).json.own_steps;
  expect(ofApprover).toMatchObject([{ id: "approve", is_done: true }]);
  const more = { ...payout, reference: "by hand", once: newId() };
  expect((await operator.post(`/s/${subaccountId}/payouts`, more)).status).toBe(200);
  expect(await doneOfRole()).toEqual(["fund", "payout"]);

  const sink = await startSink();
  await disburse.subaccount.update({ postback_url: sink.url(`/${subaccountId}`) });
  await disburse.events.test();
  await expect.poll(done).toEqual(["key", "call", "receiver", "payout", "webhook"]);
  await sink.close();

  // A developer who comes now has done none of it.
  const developer = service.enter("developer", { subaccountId });
  const fresh = (await developer.get(`/s/${subaccountId}/quickstart`)).json;
  expect(fresh.steps.filter(({ is_done }: Step) => is_done)).toEqual([]);
  expect(fresh.own_steps).toEqual([]);

  const shown = JSON.stringify(await steps());
  expect(shown).toContain(apiKey);
  expect(shown).toContain(service.baseUrl);
  expect(shown).not.toContain(apiSecret);
});

const inShell = testUnless(missingCommands("bash", "curl"));

test("a key whose secret no user has seen does not count", async () => {
  const { subaccountId } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const { steps } = (await developer.get(`/s/${subaccountId}/quickstart`)).json;
  expect(steps[0]).toMatchObject({ id: "key", is_done: false });
});

inShell("the commands that are shown work unchanged, also in a plain shell", async () => {
  const { done, wayOf, createKey } = await newDeveloper();
  const { secret } = await createKey();
  const calls = [await wayOf("call", "curl"), await wayOf("receiver", "curl")].join("\n");
  const withKey = `${await wayOf("key", "Shell")}\nexec sh -ec "$CALLS"`;
  const root = join(import.meta.dirname, "..", "..", "..", "..");
  // Only the line that hides the secret needs bash.
  const env = { ...process.env, CALLS: calls };
  const shell = spawn("bash", ["-ec", withKey], { cwd: root, env });
  shell.stdin.end(`${secret}\n`);
  let printed = "";
  shell.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  shell.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const [code] = await once(shell, "close");
  expect([code, printed]).toEqual([0, expect.stringContaining("receiver_id")]);
  await expect.poll(done).toEqual(["key", "call", "receiver"]);

  const payout = await wayOf("payout", "TypeScript");
  const words = [
    "--input-type=module-typescript",
    "--disable-warning=ExperimentalWarning",
    "-e",
    payout,
  ];
  const program = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, DISBURSE_API_SECRET: secret },
  });
  program.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const [ended] = await once(program, "close");
  expect([ended, printed]).toEqual([0, expect.any(String)]);
  await expect.poll(done).toEqual(["key", "call", "receiver", "payout"]);
});
