// disburse login --api-key: the commands that a caller of the API has, in its subaccount and with its scopes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nameOf } from "../../../src/doors/cli/command-words.ts";
import { commandsOfKeys } from "../../../src/doors/cli/over-http-keys.ts";
import { wholeProgram } from "../../../src/doors/cli/program.ts";
import { newLaptop } from "../../support/laptop.ts";
import { ada, addAccount, type Service, sign, startService } from "../../support/service.ts";

let service: Service;
type Caller = Awaited<ReturnType<Service["newCaller"]>>;
let caller: Caller;
const { folder, start, laptop } = newLaptop();
const logIn = ({ key, secret }: Pick<Caller, "key" | "secret">, profile = "default") =>
  start(["--profile", profile, "login", "--api-key", service.baseUrl], `${key}\n${secret}\n`)
    .outcome;

beforeAll(async () => {
  service = await startService({ bankDelayMs: 3_600_000 });
  caller = await service.newCaller({ mode: "test" });
  expect(await logIn(caller)).toMatchObject({ code: 0, stderr: "" });
});
afterAll(() => service.close());

test("the profile is the user's alone, and a wrong secret makes none", async () => {
  expect((await laptop("whoami")).stdout).toContain(`API key ${caller.key} at ${service.baseUrl}`);
  const file = join(folder, "disburse", "profiles.json");
  const before = readFileSync(file, "utf8");
  const wrong = await logIn({ key: caller.key, secret: `${caller.secret}x` });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain("AUTH105");
  const swapped = await logIn({ key: caller.secret, secret: caller.key });
  expect(swapped.stderr).toContain("on the standard input");
  expect(swapped.stderr).not.toContain(caller.secret);
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("each command of keys exists, and no other is run", async () => {
  const names = leaves(await wholeProgram()).map(nameOf);
  expect(names).toEqual(expect.arrayContaining(Object.keys(commandsOfKeys)));
  for (const words of ["keys list", "users list", "subaccount list", "audit list"]) {
    const { code, stderr } = await laptop(...words.split(" "));
    expect([code, stderr], words).toEqual([1, expect.stringContaining("OPER111")]);
  }
});

function leaves(command: Awaited<ReturnType<typeof wholeProgram>>): (typeof command)[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}

test("it reads and pays in its own subaccount, under its name", async () => {
  const { subaccountId, disburse } = caller;
  const { receiver_id } = await disburse.receivers.create(ada());
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const account = await addAccount(service, subaccountId, receiver_id);
  expect((await laptop("receivers", "get", receiver_id)).stdout).toContain(receiver_id);
  const foreign = await service.newCaller({ mode: "test" });
  const other = await foreign.disburse.receivers.create(ada());
  for (const words of [
    ["receivers", "get", other.receiver_id],
    ["receivers", "list", "--subaccount", foreign.subaccountId],
  ]) {
    const { code, stdout, stderr } = await laptop(...words);
    expect({ code, stdout }, words.join(" ")).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatch(/There is no (receiver|subaccount) /);
  }
  await disburse.testHelpers.fund({ currency: "AUD", amount: 1000_00 });
  const paid = await laptop(
    ...["payouts", "create", "--receiver", receiver_id, "--account", account],
    ...["--amount", "12.50", "--currency", "AUD", "--json"],
  );
  expect(paid.stderr).toBe("");
  const { payout_id } = JSON.parse(paid.stdout);
  const history = await disburse.payouts.history(payout_id);
  expect(history.map(({ who }) => who)).toEqual([`key:${caller.key}`]);
  const cancelled = await laptop("payouts", "cancel", payout_id);
  expect(cancelled.stdout).toContain("cancelled");
  expect((await laptop("ledger", "balance")).stdout).toContain("1,000.00 AUD");
});

test("a command that is sent again under its key is done once", async () => {
  const { key, secret, subaccountId, disburse } = await service.newCaller({ mode: "test" });
  const { receiver_id } = await disburse.receivers.create(ada());
  await disburse.testHelpers.setStatus({ id: receiver_id, type: "kyc", status: "success" });
  const account = await addAccount(service, subaccountId, receiver_id);
  await disburse.testHelpers.fund({ currency: "AUD", amount: 1000_00 });
  const path = "/api/commands";
  const send = (amount: string) => {
    const words = ["payouts", "create", "--receiver", receiver_id, "--account", account];
    const body = JSON.stringify({ words: [...words, "--amount", amount, "--currency", "AUD"] });
    return fetch(service.baseUrl + path, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", "x-api-key": key, "idempotency-key": "once" },
        signature: sign({ key, secret, method: "POST", path, body, version: 2 }),
      },
      body,
    });
  };
  const answers = [];
  for (const answer of [await send("10.00"), await send("10.00")])
    answers.push(await answer.text());
  expect(answers[0]).toContain('"exit_code":0');
  expect(answers[1]).toBe(answers[0]);
  expect(await (await send("20.00")).text()).toContain("IDEM102");
  expect(await disburse.payouts.list().toArray()).toHaveLength(1);
});

test("a key imports receivers, accounts and payouts, each once when a file is sent twice", async () => {
  const key = await service.newCaller({ mode: "test" });
  await logIn(key, "importer");
  const imported = async (...words: string[]) => {
    const run = await laptop("--profile", "importer", ...words, "--json");
    expect([run.code, run.stderr], words.join(" ")).toEqual([0, expect.any(String)]);
    return JSON.parse(run.stdout);
  };
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  const { stdout: template } = await laptop("--profile", "importer", "payouts", "template");
  expect(template).toContain("receiver_id");
  const person = ada();
  write(
    "people.csv",
    Object.keys(person).join(),
    Object.values(person)
      .map((one) => `"${one}"`)
      .join(),
  );
  expect(await imported("receivers", "import", "people.csv")).toMatchObject({ created: 1 });
  expect(await imported("receivers", "import", "people.csv")).toMatchObject({
    ...{ created: 0, already_imported: 1 },
  });
  const [receiver] = await key.disburse.receivers.list().toArray();
  const id = receiver?.id ?? "";
  await key.disburse.testHelpers.setStatus({ id, type: "kyc", status: "success" });
  write("accounts.csv", "receiver_id,account_type,bsb,account_number", `${id},I,083047,111222333`);
  const accounts = ["accounts", "import", "accounts.csv", "--yes"];
  expect(await imported(...accounts)).toMatchObject({ accounts: 1 });
  expect(await imported(...accounts)).toMatchObject({ accounts: 0 });
  expect(await key.disburse.receiverAccounts.list(id)).toHaveLength(1);
  await key.disburse.testHelpers.fund({ currency: "AUD", amount: 1000_00 });
  write("payouts.csv", "receiver_id,amount,currency,reference", `${id},12.50,AUD,one`);
  const payouts = ["payouts", "import", "payouts.csv", "--yes"];
  expect(await imported(...payouts)).toMatchObject({ created: 1 });
  expect(await imported(...payouts)).toMatchObject({ created: 0, already_imported: 1 });
  expect(readFileSync(join(folder, "payouts.csv.result.csv"), "utf8")).toContain(
    "already imported",
  );
  const made = await key.disburse.payouts.list().toArray();
  expect(made).toHaveLength(1);
  const history = await key.disburse.payouts.history(made[0]?.id ?? "");
  expect(history.map(({ who }) => who)).toEqual([`key:${key.key}`]);
});

test("new receivers and accounts of a payout file need the scopes that the API asks for them", async () => {
  const payer = await service.newCaller({ mode: "test", scopes: ["read", "payout"] });
  await logIn(payer, "payer");
  writeFileSync(
    join(folder, "new.csv"),
    "receiver_email,amount,currency\na@example.com,1.00,AUD\n",
  );
  const words = ["payouts", "import", "new.csv", "--yes"];
  const { code, stderr } = await laptop("--profile", "payer", ...words, "--create-receivers");
  expect([code, stderr]).toEqual([1, expect.stringContaining("AUTH110")]);
  const receivers = await laptop("--profile", "payer", "receivers", "import", "new.csv");
  expect(receivers.stderr).toContain("AUTH110");
});

test("a key does what its scopes allow", async () => {
  const reader = await service.newCaller({ mode: "test", scopes: ["read"] });
  await logIn(reader, "reader");
  const asReader = (...words: string[]) => laptop("--profile", "reader", ...words);
  expect((await asReader("payouts", "list")).code).toBe(0);
  const id = "01a10000-0000-7000-8000-000000000000";
  const refused = await asReader("payouts", "cancel", id);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("AUTH110")]);
  const renamed = await asReader("payouts", "cancel", id, "--by", "ana");
  expect([renamed.code, renamed.stderr]).toEqual([1, expect.stringContaining("AUTH110")]);
});

test("the signature covers the body, and is valid once", async () => {
  const { key, secret } = caller;
  const path = "/api/commands";
  const send = (body: string, signature: string) =>
    fetch(service.baseUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": key, signature },
      body,
    });
  const body = JSON.stringify({ words: ["payouts", "list"] });
  const signature = sign({ key, secret, method: "POST", path, body, version: 2 });
  expect((await send(body.replace("list", "get"), signature)).status).toBe(401);
  expect((await send(body, signature)).status).toBe(200);
  expect(await (await send(body, signature)).text()).toContain("AUTH107");
  const earlier = sign({ key, secret, method: "POST", path, version: 1 });
  expect(await (await send(body, earlier)).text()).toContain("AUTH108");
});
