// The four quickstart steps: each is marked done when it is done, and the commands shown work unchanged.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Disburse } from "@disburse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleService, startConsole } from "../support/console.ts";
import { startSink } from "../support/sink.ts";
import { missingCommands, testUnless } from "../support/skippable.ts";

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole({ delivers: true });
});
afterAll(() => service.close());

type Step = { id: string; is_done: boolean; ways: { label: string; text: string }[] };

/** A subaccount without a key, its developer, and an operator, who creates the key: it has the payout scope. */
async function newDeveloper() {
  const { subaccountId, key } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  const operator = service.enter("operator");
  await operator.post(`/s/${subaccountId}/keys/${key}/revoke`);
  const steps = async (): Promise<Step[]> =>
    (await developer.get(`/s/${subaccountId}/quickstart`)).json.steps;
  const done = async () => (await steps()).filter(({ is_done }) => is_done).map(({ id }) => id);
  const wayOf = async (id: string, label: string) =>
    (await steps()).find((step) => step.id === id)?.ways.find((way) => way.label === label)
      ?.text as string;
  const input = { name: "mine", scopes: ["read", "write", "payout"] };
  const createKey = async () => (await operator.post(`/s/${subaccountId}/keys`, input)).json;
  return { developer, subaccountId, steps, done, wayOf, createKey };
}

test("each step is marked done once it is done, and no step shows the secret", async () => {
  const { done, createKey, steps, subaccountId } = await newDeveloper();
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
  await disburse.receivers.create({ ...ada, ...rest, ...address, ...place });
  expect(await done()).toEqual(["key", "call", "receiver"]);

  const sink = await startSink();
  await disburse.subaccount.update({ postback_url: sink.url(`/${subaccountId}`) });
  await disburse.events.test();
  await expect.poll(done).toEqual(["key", "call", "receiver", "webhook"]);
  await sink.close();

  const shown = JSON.stringify(await steps());
  expect(shown).toContain(apiKey);
  expect(shown).toContain(service.baseUrl);
  expect(shown).not.toContain(apiSecret);
});

const inShell = testUnless(missingCommands("bash", "curl"));

inShell("the shell commands that are shown work unchanged", async () => {
  const { done, wayOf, createKey } = await newDeveloper();
  const { secret } = await createKey();
  const lines = [await wayOf("key", "Shell"), await wayOf("call", "curl")];
  const script = [...lines, await wayOf("receiver", "curl")].join("\n");
  const root = join(import.meta.dirname, "..", "..", "..");
  const shell = spawn("bash", ["-ec", script], { cwd: root });
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
});
