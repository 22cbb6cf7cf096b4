// Commands over HTTP that read and write files of the client, and those that ask a second user: imports, bank connections,
// mappings, test funds, documents.

import { expect, test } from "vitest";
import type { Role } from "../../../src/tenants/roles/user.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import type { TestPerson } from "../../support/console.ts";
import { callOperator, newToken, signInCommand } from "../../support/operator.ts";

const service = await closeAfterTests(startBankConsole());

type Given = { files?: Record<string, string>; existing?: string[]; key?: string };
type Answer = {
  exit_code: number;
  stdout: string;
  stderr: string;
  needs_file?: string;
  files?: Record<string, string | null>;
};
async function run(token: string, words: readonly string[], given: Given = {}) {
  const { files = {}, existing = [], key } = given;
  const encoded = Object.entries(files).map(([path, text]) => [path, base64(text)]);
  const body = { words, files: Object.fromEntries(encoded), existing_files: existing };
  const asked = { body, ...(key !== undefined && { key }) };
  const { status, code, json } = await callOperator(
    service.baseUrl,
    token,
    "POST",
    "/commands",
    asked,
  );
  if (status !== 200) throw new Error(`${status} ${code}`);
  return json as Answer;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const textOf = ({ files }: Answer, path: string) =>
  Buffer.from(files?.[path] ?? "", "base64").toString();

async function signIn(role: Role) {
  const user = service.enter(role);
  return { user, token: (await signInCommand(service.baseUrl, user)).token };
}

/** The last sign-in was too long ago for what needs a proof. */
async function forgetProof({ person }: TestPerson) {
  await service.db.pool.query(
    "update user_session set proven_at = now() - interval '1 hour' where user_id = $1",
    [person.id],
  );
}

/** Waits for a second user in live mode. */
const large = "500000.00";

async function newPayer() {
  const payer = await service.newPayer("live", 100_000_000n);
  await service.connect(`of ${payer.subaccountId.slice(-8)}`, [payer.subaccountId]);
  const { receiver_id, account_id } = payer.to;
  const row = (amount: string, reference: string) =>
    [receiver_id, account_id, amount, "AUD", reference].join();
  const csv = (...rows: string[]) =>
    `receiver_id,account_id,amount,currency,reference\n${rows.join("\n")}\n`;
  return { ...payer, row, csv };
}

test("payouts of a file are made by the user: one audit entry, thresholds, a result for each row", async () => {
  const { user, token } = await signIn("operator");
  const { subaccountId, row, csv } = await newPayer();
  const files = { "june.csv": csv(row("10.00", "a"), row(large, "b")) };
  const words = ["payouts", "import", "june.csv", "--yes", "--json", "--subaccount", subaccountId];
  const first = await run(token, words, { files });
  expect(first).toMatchObject({ exit_code: 0 });
  expect(JSON.parse(first.stdout)).toMatchObject({ rows: 2, created: 2, refused: 0 });
  const { json: log } = await user.get(`/audit?subaccount_id=${subaccountId}`);
  expect(log.rows).toMatchObject([{ action: "payouts.import", who: user.who }]);
  const { json: waiting } = await user.get(`/approvals?subaccount_id=${subaccountId}`);
  expect(waiting.rows).toMatchObject([{ made_by: user.who, is_own: true }]);
  const lines = textOf(first, "june.csv.result.csv").trim().split("\n");
  expect(lines.map((line) => line.split(",")[2])).toEqual(["outcome", "created", "created"]);
  expect(first.files?.["june.csv.problems.csv"]).toBeNull();
  const again = await run(token, words, { files, existing: ["june.csv.result.csv"] });
  expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, already_imported: 2 });
});

test("an import with an Idempotency-Key is done once, and answered with its files again", async () => {
  const { token } = await signIn("operator");
  const { subaccountId, row, csv, disburse } = await newPayer();
  const given = { files: { "k.csv": csv(row("10.00", "k")) }, key: "import" };
  const words = ["payouts", "import", "k.csv", "--yes", "--subaccount", subaccountId];
  const first = await run(token, words, given);
  expect(await run(token, words, given)).toEqual(first);
  expect(await disburse.payouts.list().toArray()).toHaveLength(1);
});

test("payouts need what the console's import needs; a dry run needs no proof of identity", async () => {
  const { row, csv, subaccountId } = await newPayer();
  const files = { "p.csv": csv(row("10.00", "p")) };
  const words = ["payouts", "import", "p.csv", "--subaccount", subaccountId];
  const { user, token } = await signIn("operator");
  const unsure = await run(token, words, { files });
  expect([unsure.exit_code, unsure.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
  await forgetProof(user);
  const refused = await run(token, [...words, "--yes"], { files });
  expect([refused.exit_code, refused.stderr]).toEqual([1, expect.stringContaining("CONS103")]);
  expect(await run(token, [...words, "--dry-run"], { files })).toMatchObject({ exit_code: 0 });
  for (const role of ["finance", "approver", "auditor"] as const) {
    const { token } = await signIn(role);
    const outcome = await run(token, [...words, "--yes"]);
    expect([outcome.exit_code, outcome.stderr], role).toEqual([
      ...[1, expect.stringContaining("CONS102")],
    ]);
    expect(outcome, role).not.toHaveProperty("needs_file");
  }
});

test("problems of a file are a file; only what the words name new is written", async () => {
  const { token } = await signIn("operator");
  const { subaccountId, row, csv } = await newPayer();
  const words = ["payouts", "import", "w.csv", "--yes", "--subaccount", subaccountId];
  const files = { "w.csv": csv(row("ten", "w")) };
  const wrong = await run(token, words, { files });
  expect(wrong.exit_code).toBe(2);
  expect(textOf(wrong, "w.csv.problems.csv")).toContain("amount");
  const fine = { "w.csv": csv(row("10.00", "w")) };
  const named = [...words, "--result", "mine.csv"];
  const taken = await run(token, named, { files: fine, existing: ["w.csv", "mine.csv"] });
  expect(taken).toMatchObject({ exit_code: 1, stdout: "" });
  expect(taken.stderr).toContain("mine.csv exists already");
  const made = await run(token, named, { files: fine, existing: ["w.csv"] });
  expect(textOf(made, "mine.csv")).toContain("created");
  const over = await run(token, [...words, "--result", "w.csv"], { files: fine });
  expect(over.stderr).toContain("w.csv is the file to import");
});

test("receivers and accounts of a file: created once, and accounts wait for a second user", async () => {
  const { user, token } = await signIn("operator");
  const { subaccountId, to, disburse } = await newPayer();
  const of = ["--subaccount", subaccountId, "--json"];
  const { stdout: template } = await run(token, ["receivers", "import", "--template"]);
  const files = { "r.csv": template };
  const words = ["receivers", "import", "r.csv", ...of];
  const receivers = await run(token, words, { files });
  expect(JSON.parse(receivers.stdout)).toMatchObject({ rows: 1, created: 1 });
  const accounts = `receiver_id,account_type,bsb,account_number\n${to.receiver_id},I,062000,12345771\n`;
  const given = { files: { "a.csv": accounts } };
  const added = await run(token, ["accounts", "import", "a.csv", "--yes", ...of], given);
  expect(JSON.parse(added.stdout)).toMatchObject({ rows: 1, accounts: 1 });
  expect(await disburse.receiverAccounts.list(to.receiver_id)).toHaveLength(1);
  const { json } = await user.get(`/approvals?subaccount_id=${subaccountId}`);
  expect(json.rows).toMatchObject([{ made_by: user.who }]);
});

test("an operator token imports what its admin could, and its large payouts wait", async () => {
  const [ana, ben] = [service.enter("admin"), service.enter("admin")];
  const { token } = await newToken(ana, { role: "operator" }, ben);
  const { subaccountId, row, csv } = await newPayer();
  const words = ["payouts", "import", "t.csv", "--yes", "--json", "--subaccount", subaccountId];
  const made = await run(token, words, { files: { "t.csv": csv(row(large, "t")) } });
  expect(JSON.parse(made.stdout)).toMatchObject({ created: 1 });
  const { json } = await ben.get(`/approvals?subaccount_id=${subaccountId}`);
  expect(json.rows).toMatchObject([{ made_by: ana.who }]);
});

test("a bank connection from a file waits for another admin, and is then as the file says", async () => {
  const { token } = await signIn("admin");
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const put = (fields: object) =>
    run(token, ["banks", "put", "b.json", "--json"], {
      files: { "b.json": JSON.stringify(fields) },
    });
  const fields = {
    name: "put",
    format: "aba",
    subaccount_ids: [subaccountId],
    settings: abaSettings,
  };
  const limit = { file_count_max: 10 };
  const find = async () => {
    const { json } = await service.enter("admin").get("/banks");
    return json.rows.find(({ name }: { name: string }) => name === "put");
  };
  const ben = service.enter("admin");
  const ask = async (fields: object) => {
    const asked = await put(fields);
    expect(asked.stderr).toContain("another admin approves it");
    const { request_id } = JSON.parse(asked.stdout);
    const before = await find();
    expect((await ben.post(`/banks/requests/${request_id}/approve`)).status).toBe(200);
    return before;
  };
  expect(await ask({ ...fields, ...limit, releasers: 1 })).toBeUndefined();
  expect(await find()).toMatchObject({ releasers: 1 });
  expect(await ask(fields)).toMatchObject({ releasers: 1 });
  const { id } = await find();
  const { json } = await ben.get(`/banks/connections/${id}`);
  expect(json).toMatchObject({ releasers: 2, file_count_max: null });
  const { code, stderr } = { code: 0, ...(await put({ ...fields, format: "none" })) };
  expect([code, stderr]).toEqual([0, expect.stringContaining("BANK201")]);
});

test("a mapping for CSV statements waits for another user of a live connection", async () => {
  const { token } = await signIn("admin");
  const { subaccountId } = await service.newCaller({ mode: "live" });
  const id = await service.connect("mapped", [subaccountId]);
  const csv = "Date,Amount,Text\n13/10/2026,12.50,one\n14/10/2026,-3.00,two\n";
  const words = ["banks", "csv-mapping", "mapped", "--file", "s.csv", "--json"];
  const files = { "s.csv": csv };
  const shown = await run(token, words, { files });
  expect(JSON.parse(shown.stdout)).toMatchObject({ version: null, is_saved: false });
  const saved = await run(token, [...words, "--save"], { files });
  expect(saved.stderr).toContain("another user confirms it");
  const { is_saved, request_id } = JSON.parse(saved.stdout);
  expect(is_saved).toBe(false);
  expect((await service.confirm(request_id, service.enter("admin"))).status).toBe(200);
  const { json } = await service.enter("admin").get(`/banks/connections/${id}/csv-mapping`);
  expect(json).toMatchObject({ version: 1 });
});

test("test funds are added as at the console; money of a live subaccount comes from its bank", async () => {
  const { user, token } = await signIn("finance");
  const { subaccountId } = await service.newCaller({ mode: "test" });
  const fund = (to: string, reference: string, amount = "10.00") => [
    ...["ledger", "fund", "--amount", amount, "--currency", "AUD"],
    ...["--reference", reference, "--subaccount", to, "--json"],
  ];
  const first = JSON.parse((await run(token, fund(subaccountId, "PO-1"))).stdout);
  expect(first).toMatchObject({ amount: "10.00 AUD", reference: "PO-1", funded_before: false });
  const again = JSON.parse((await run(token, fund(subaccountId, "PO-1"))).stdout);
  expect(again).toEqual({ ...first, funded_before: true });
  const other = await run(token, fund(subaccountId, "PO-1", "11.00"));
  expect(other.stderr).toContain("CONS108");
  const { json } = await user.get(`/audit?subaccount_id=${subaccountId}`);
  expect(json.rows).toMatchObject([{ action: "balance.add_test_funds", who: user.who }]);
  const live = await service.newCaller({ mode: "live" });
  const refused = await run(token, fund(live.subaccountId, "PO-1"));
  expect([refused.exit_code, refused.stderr]).toEqual([1, expect.stringContaining("CONS808")]);
});

test("a statement and a bank file are written by the client, never over a file that is there", async () => {
  const { user, token } = await signIn("operator");
  const payer = await service.newPayer();
  const of = ["--currency", "AUD", "--subaccount", payer.subaccountId];
  const statement = ["ledger", "statement", "--format", "pdf", ...of];
  const pdf = await run(token, [...statement, "--out", "s.pdf"]);
  expect(pdf).toMatchObject({ exit_code: 0, stdout: "", stderr: "" });
  expect(textOf(pdf, "s.pdf")).toMatch(/^%PDF/);
  expect(textOf(await run(token, statement), "-")).toMatch(/^%PDF/);
  const lines = ["ledger", "statement", "--format", "lines", "--csv", ...of];
  const printed = await run(token, lines);
  const written = await run(token, [...lines, "--out", "s.csv"]);
  expect(textOf(written, "s.csv")).toBe(printed.stdout);
  const connection = await service.connect("files", [payer.subaccountId]);
  await payer.pay(12_500);
  const { path } = await service.approveFile(connection);
  const download = ["bank-batches", "download", path.split("/").at(-1) ?? "", "--to", "b.aba"];
  const taken = await run(token, download, { existing: ["b.aba"] });
  expect(taken.stderr).toBe("b.aba exists already. Name another file.\n");
  expect((await user.get(path)).json).toMatchObject({ downloaded_at: null });
  const file = textOf(await run(token, download), "b.aba");
  expect(file).toBe((await run(token, [...download.slice(0, -1), "-"])).stdout);
});

test("what the console has not is refused over HTTP", async () => {
  const { token } = await signIn("admin");
  for (const words of ["banks poll any", "payouts get x --watch", "export", "audit verify"]) {
    const { stderr } = await run(token, words.split(" "));
    expect(stderr, words).toMatch(/OPER110|There is no payout/);
  }
});
