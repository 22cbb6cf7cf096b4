// A user who reads the audit log verifies it from its page.

import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";

const service = await closeAfterTests(startConsole());

const auditor = () => service.enter("auditor");
const headOf = async () => (await auditor().get("/audit/head")).json;
const verify = async (person = auditor()) => {
  const { status, text } = await person.post("/audit/verify");
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return { status, last: lines.at(-1) };
};

/** Without entries, a log with users and subaccounts counts as emptied. */
async function writeEntries(): Promise<void> {
  const { subaccountId } = await service.newCaller();
  for (const name of ["One", "Two", "Three"]) {
    const body = { name, scopes: ["read"] };
    expect((await service.enter("admin").post(`/s/${subaccountId}/keys`, body)).status).toBe(200);
  }
}

test("the page has the result, of a log that is right and of one that was changed", async () => {
  await writeEntries();
  const { number } = await headOf();
  expect(number).toBeGreaterThan(2);
  const both = await Promise.all([verify(), verify()]);
  for (const { last } of both) expect(last).toEqual({ checked: number, of: number, ended: true });
  expect((await headOf()).verified).toMatchObject({ number, fault: "" });

  const change = (from: string, to: string) =>
    service.db.pool.query("update audit_entry set who = $2 where number = 2 and who = $1", [
      from,
      to,
    ]);
  const { rows } = await service.db.pool.query("select who from audit_entry where number = 2");
  await change(rows[0].who, "operator:eve@example.com");
  expect((await verify()).last).toMatchObject({ checked: 1, ended: true });
  expect((await headOf()).verified.fault).toBe("Entry 2: it was changed, or never ours");
  await change("operator:eve@example.com", rows[0].who);
  await verify();
  expect((await headOf()).verified).toMatchObject({ number, fault: "" });
});

test("while a run goes on the page says so to everyone, and two users get its result", async () => {
  await writeEntries();
  const holder = await service.db.pool.connect();
  await holder.query("begin");
  // The result can be read, and not be recorded yet.
  await holder.query("lock table audit_verified in exclusive mode");
  const both = [verify(), verify()];
  await expect
    .poll(async () => (await headOf()).verifying)
    .toMatchObject({ of: expect.any(Number) });
  const before = (await headOf()).verified;
  await holder.query("commit");
  holder.release();
  for (const { last } of await Promise.all(both)) expect(last.ended).toBe(true);
  const { verified, verifying, number } = await headOf();
  expect(verifying).toBeNull();
  expect(verified).toMatchObject({ number, fault: "" });
  expect(verified.at).toBeGreaterThan(before?.at ?? 0);
});

test("a user who may not read the log may not verify it", async () => {
  const { subaccountId } = await service.newCaller();
  const developer = service.enter("developer", { subaccountId });
  expect((await verify(developer)).status).toBe(403);
});
