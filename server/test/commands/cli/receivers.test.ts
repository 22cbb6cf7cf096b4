// Receivers from the command line, without a service.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listReports } from "../../../src/people/kyc/queries.ts";
import { findReceivers } from "../../../src/people/receivers/queries.ts";
import { listHistory } from "../../../src/people/receivers/state-queries.ts";
import { refusals } from "../../../src/platform/refusals/refusals.ts";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { me, meAs, operatorTest, optionsOf, unknownId } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { closeSubaccount } from "../../support/keys.ts";
import { ada } from "../../support/service.ts";

const operator = await closeAfterTests(operatorTest());
const { run, json, newReceiver } = operator;

function everythingOf(id: string) {
  const { db, seal, subaccountId } = operator;
  const key = { subaccountId, id };
  const page = { beforeId: "ffffffff-ffff-ffff-ffff-ffffffffffff", limit: 100 };
  return Promise.all([
    findReceivers({ db, seal }, [key]),
    listHistory(db, key, page),
    listReports(db, key, 100),
  ]);
}

test("metadata is given key by key, shown, and a filter", async () => {
  const given = ["--metadata", "order=7=8", "--metadata", "team=a"];
  const { receiver_id: id } = await json("receivers", "create", ...optionsOf(ada()), ...given);
  expect((await json("receivers", "get", id)).metadata).toEqual({ order: "7=8", team: "a" });
  expect((await run("receivers", "get", id)).stdout).toContain('{"order":"7=8","team":"a"}');
  const idsOf = async (filter: string) =>
    (await json("receivers", "list", "--metadata", filter)).receivers.map(
      (one: { id: string }) => one.id,
    );
  expect(await idsOf("order=7=8")).toEqual([id]);
  expect(await idsOf("order=7")).toEqual([]);
  const refused = await run("receivers", "list", "--metadata", "Order=7");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("REVR408")]);
});

test("create reads a receiver from options, with leading zeros, and get shows it", async () => {
  const input = ada({ postcode: "0800", state: "NT", phone: "0412345678", reference: "007" });
  const created = await json("receivers", "create", ...optionsOf(input), "--by", "Erin");
  expect(created).toEqual({
    receiver_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    status: "pending",
    kyc_status: "pending",
  });

  const shown = await json("receivers", "get", created.receiver_id);
  const { phone, address_data, history, reports } = shown;
  expect([shown.id, phone, address_data.postcode]).toEqual([
    created.receiver_id,
    "0412345678",
    "0800",
  ]);
  expect(history).toEqual([
    {
      id: created.receiver_id,
      when: shown.created_at,
      who: meAs("Erin"),
      reason: "created",
      from: null,
      to: { status: "pending", kyc_status: "pending" },
    },
  ]);
  expect(reports).toEqual([]);
  expect((await json("receivers", "list", "--reference", "007")).receivers).toHaveLength(1);
  expect((await json("receivers", "list", "--reference", "7")).receivers).toEqual([]);
});

test("a command that takes an id needs no subaccount, however many are open", async () => {
  const { receiver_id } = await json("receivers", "create", ...optionsOf(ada()));
  const other = await createSubaccount(operator, { name: "Second", mode: "test" });
  onTestFinished(async () => void (await closeSubaccount(operator.db, other.subaccountId)));
  expect(await json("receivers", "get", receiver_id)).toMatchObject({ id: receiver_id });
  expect(await json("accounts", "list", receiver_id)).toEqual([]);
  const unknown = await run("receivers", "get", unknownId);
  expect(unknown).toMatchObject({ code: 4, stderr: `There is no receiver ${unknownId}.\n` });
  const listed = await run("receivers", "list");
  expect(listed).toMatchObject({ code: 2, stderr: /Name one with --subaccount/ });
  const elsewhere = ["--subaccount", other.subaccountId];
  expect((await run("receivers", "get", receiver_id, ...elsewhere)).code).toBe(4);
});

test("create reads a receiver from a file, also with the misspelt first name", async () => {
  const { first_name, ...input } = ada();
  const file = join(operator.folder, "person.json");
  writeFileSync(file, JSON.stringify({ fisrt_name: first_name, ...input }));
  const { receiver_id } = await json("receivers", "create", "--file", file);
  expect((await json("receivers", "get", receiver_id)).email).toBe(input.email);

  const again = await run("receivers", "create", "--file", file);
  expect(again).toEqual({
    code: 1,
    stdout: "",
    stderr: `REVR201 email: Email already exist\n  ${refusals.REVR201[2]}\n`,
  });
});

test("create reports every problem with its code, field and cure", async () => {
  const { email, ...rest } = ada({ phone: "12", country: "Australia" });
  const { code, stderr } = await run("receivers", "create", ...optionsOf(rest));
  expect([code, stderr]).toEqual([
    1,
    [
      "REVR203 email: Email is required",
      `  ${refusals.REVR203[2]}`,
      "REVR219 phone: Phone is not valid",
      `  ${refusals.REVR219[2]}`,
      "REVR225 country: Country is not valid",
      `  ${refusals.REVR225[2]}`,
      "",
    ].join("\n"),
  ]);
  expect(stderr).not.toContain("Australia ");
});

test("list filters, and prints how to get the next page", async () => {
  const [older, newer] = [await newReceiver(), await newReceiver()];
  const first = await json("receivers", "list", "--limit", "1", "--kyc-status", "pending");
  expect(first.receivers.map(({ id }: { id: string }) => id)).toEqual([newer]);
  const second = await json("receivers", "list", "--limit", "1", "--cursor", first.next_cursor);
  expect(second.receivers[0].id).toBe(older);

  const { email } = first.receivers[0];
  const byEmail = await json("receivers", "list", "--email", email.toUpperCase());
  expect(byEmail).toEqual({ receivers: first.receivers, next_cursor: null });

  const { stdout, stderr } = await run("receivers", "list", "--status", "1", "--limit", "1");
  expect(stdout).toMatch(/^id +name +email +status +kyc_status +created_at\n/);
  expect(stdout).toContain(`${newer}  Ada Lovelace  ${email}  pending  pending `);
  expect(stderr).toBe(`There are more: --cursor ${first.next_cursor}\n`);
  expect(await run("receivers", "list", "--status", "failed", "--email", email)).toEqual({
    code: 0,
    stdout: "none\n",
    stderr: "",
  });
});

test("kyc approve, kyc reject, disable and enable are in the history with actor and reason", async () => {
  const id = await newReceiver();
  const states = async (...words: string[]) => {
    const { receiver_id, status, kyc_status } = await json("receivers", ...words);
    expect(receiver_id).toBe(id);
    return [status, kyc_status];
  };
  const reason = ["--reason", "passport seen"];
  expect(await states("kyc", "approve", id, ...reason)).toEqual(["active", "completed"]);
  expect(await states("disable", id, "--reason", "moved away")).toEqual(["inactive", "completed"]);
  expect(await states("enable", id, "--by", "Erin")).toEqual(["active", "completed"]);
  expect(await states("kyc", "reject", id, "--retry", "--reason", "expired")).toEqual([
    "active",
    "pending",
  ]);
  expect(await states("kyc", "reject", id, "--final", "--reason", "forged")).toEqual([
    "inactive",
    "failed",
  ]);

  const { history, reports } = await json("receivers", "get", id);
  const lines = history.map(({ who, reason }: Record<string, string>) => [who, reason]);
  expect(lines).toEqual([
    [me, "forged"],
    [me, "expired"],
    [meAs("Erin"), "activated"],
    [me, "moved away"],
    [me, "passport seen"],
    [me, "created"],
  ]);
  expect(reports).toEqual(
    [
      ["rejected", "forged"],
      ["retry", "expired"],
      ["approved", "passport seen"],
    ].map(([outcome, public_comment]) => ({
      when: expect.stringMatching(/^\d{13}$/),
      provider: "operator",
      outcome,
      labels: [],
      public_comment,
      private_comment: me,
    })),
  );

  const { stdout } = await run("receivers", "get", id);
  expect(stdout).toContain("\nkyc_status    failed\n");
  expect(stdout).toMatch(/\nHistory\nwhen .*\n.* forged\n/);
  expect(stdout).toMatch(/\nReports of the identity check\nwhen .*\n.* forged /);
});

test("an operator approves a failed receiver with a reason", async () => {
  const id = await newReceiver();
  await json("receivers", "kyc", "reject", id, "--final", "--reason", "no match");
  expect(await everythingOf(id)).toMatchObject([
    [{ status: "failed", kyc_status: "failed" }],
    {},
    {},
  ]);
  const approved = await json("receivers", "kyc", "approve", id, "--reason", "met in person");
  expect(approved).toEqual({ receiver_id: id, status: "active", kyc_status: "completed" });
});

test("REVR302: a forbidden change of state is also refused for operators, and changes nothing", async () => {
  const id = await newReceiver();
  const refused = async (...words: string[]) => {
    const before = await everythingOf(id);
    const { code, stdout, stderr } = await run("receivers", ...words);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^REVR302: Change is not allowed in this state: a receiver that is /);
    expect(stderr).toContain(refusals.REVR302[2]);
    expect(await everythingOf(id)).toEqual(before);
  };
  const reason = ["--reason", "x"];
  await refused("disable", id);
  await refused("enable", id);
  await json("receivers", "kyc", "approve", id, ...reason);
  await refused("kyc", "approve", id, ...reason);
  await json("receivers", "kyc", "reject", id, "--final", ...reason);
  await refused("kyc", "reject", id, "--final", ...reason);
  await refused("kyc", "reject", id, "--retry", ...reason);
  await refused("enable", id);
});

const reject = ["receivers", "kyc", "reject", unknownId];
test.concurrent.each([
  [["receivers", "get", unknownId], 4, `no receiver ${unknownId}`],
  [["receivers", "get", "nobody"], 4, "no receiver nobody"],
  [["receivers", "disable", unknownId], 4, "no receiver"],
  [["receivers", "enable", unknownId], 4, "no receiver"],
  [["receivers", "kyc", "approve", unknownId, "--reason", "x"], 4, "no receiver"],
  [["receivers", "list", "--subaccount", unknownId], 4, `no subaccount ${unknownId}`],
  [["receivers", "kyc", "approve", unknownId], 2, "--reason"],
  [["receivers", "kyc", "approve", unknownId, "--reason", " "], 2, "one line"],
  [["receivers", "enable", unknownId, "--by", "a\nb"], 2, "one line"],
  [[...reject, "--reason", "x"], 2, "--final or --retry"],
  [[...reject, "--reason", "x", "--final", "--retry"], 2, "cannot be used with"],
  [["receivers", "list", "--limit", "0"], 2, "REVR401 limit: Limit is not valid"],
  [["receivers", "list", "--kyc-status", "done"], 2, "REVR403 kyc_status"],
  [["receivers", "create", "--file", "/nowhere"], 2, "can't be read (ENOENT)"],
  [["receivers", "create", "--file", "/nowhere", "--city", "Perth"], 2, "Give city in the file"],
  [["receivers", "create", "--file", "/dev/null"], 1, "REVR232: Body is not a JSON object"],
  [["receivers", "remove", unknownId], 2, "unknown command"],
])("%j exits with code %i and a reason", async (words, expected, why) => {
  const { code, stdout, stderr } = await run(...words);
  expect([code, stdout]).toEqual([expected, ""]);
  expect(stderr).toContain(why);
});

// The last test, because it creates a second subaccount.
test("of several open subaccounts one must be named; a closed one can be read and gets no receivers", async () => {
  const { db, seal, subaccountId } = operator;
  const receiver = await newReceiver();
  const other = await createSubaccount({ db, seal }, { name: "Other", mode: "test" });
  const { code, stdout, stderr } = await run("receivers", "list");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${subaccountId}  live  Only\n`);
  expect(stderr).toContain(`${other.subaccountId}  test  Other\n`);

  const named = ["--subaccount", other.subaccountId];
  const { receiver_id } = await json("receivers", "create", ...optionsOf(ada()), ...named);
  // A receiver of another subaccount looks absent.
  expect((await run("receivers", "get", receiver, ...named)).code).toBe(4);
  expect((await run("accounts", "list", receiver, ...named)).code).toBe(4);

  await closeSubaccount(db, other.subaccountId);
  expect((await json("receivers", "get", receiver_id, ...named)).id).toBe(receiver_id);
  const refused = await run("receivers", "create", ...optionsOf(ada()), ...named);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    `SUBA101: ${refusals.SUBA101[1]}\n  ${refusals.SUBA101[2]}\n`,
  ]);
  expect((await json("receivers", "list")).receivers.length).toBeGreaterThan(0);
});

test("kyc-link prints a link for the person, with its end, and refuses where an operator checks", async () => {
  const { db, seal } = operator;
  const { subaccountId } = await createSubaccount({ db, seal }, { name: "Tested", mode: "test" });
  const inTest = ["--subaccount", subaccountId];
  const { receiver_id: id } = await json("receivers", "create", ...optionsOf(ada()), ...inTest);
  const link = await json("receivers", "kyc-link", id, ...inTest, "--by", "Erin");
  expect(link).toEqual({
    receiver_id: id,
    url: `https://identity-check.example/sandbox/${id}`,
    expires_at: expect.stringMatching(/^\d{13}$/),
  });
  const { stdout } = await run("receivers", "kyc-link", id, ...inTest);
  expect(stdout).toMatch(/expires_at +\d{4}-\d\d-\d\dT/);
  const { rows } = await db.pool.query(
    "select who, after::text as after from audit_entry where action = 'receiver.kyc_link' order by at_ms limit 1",
  );
  expect(rows).toEqual([{ who: meAs("Erin"), after: expect.not.stringContaining("http") }]);

  const manual = await run(
    "receivers",
    "kyc-link",
    await newReceiver(),
    "--subaccount",
    operator.subaccountId,
  );
  expect([manual.code, manual.stderr]).toEqual([
    1,
    `REVR304: ${refusals.REVR304[1]}\n  ${refusals.REVR304[2]}\n`,
  ]);
  await closeSubaccount(db, subaccountId);
});
