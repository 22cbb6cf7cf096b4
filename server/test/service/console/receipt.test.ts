// The receipt of a payout, and the name of the business that an account belongs to.

import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { startConsole } from "../../support/console.ts";
import { asFile } from "../../support/import-file.ts";
import { newPayee } from "../../support/payers.ts";
import { readPdf } from "../../support/pdf-reader.ts";
import { jpegOf, pngOf } from "../../support/pictures.ts";

const service = await closeAfterTests(startConsole({ bankDelayMs: 20 }));

async function newPayout(accountNumber: string, { isBusiness = false } = {}) {
  const { disburse, subaccountId } = await service.newCaller();
  await disburse.testHelpers.fund({ amount: 1_000_000, currency: "AUD", reference: randomUUID() });
  const business = { account_type: "B" as const, abn: "51824753556", business_name: "Engines Ltd" };
  const bank = { bsb: "062000", ...(isBusiness && business) };
  const to = await newPayee(disburse, accountNumber, {}, bank);
  const payout = { ...to, amount: 123_456, currency: "AUD", reference: "INV-7" };
  const { payout_id: id } = await disburse.payouts.create(payout);
  const person = service.enter("operator");
  const at = (path: string) => `/s/${subaccountId}/payouts${path}`;
  const stage = async () => (await person.get(at(`/${id}`))).json.stage;
  const setReturned = () =>
    disburse.testHelpers.setStatus({ id, type: "payout", status: "return" });
  const receipt = () =>
    fetch(`${service.baseUrl}/console/api${at(`/${id}/receipt.pdf`)}`, {
      headers: { cookie: person.cookie, "sec-fetch-site": "same-origin" },
    });
  return { id, subaccountId, person, at, stage, receipt, setReturned, receiverId: to.receiver_id };
}

test("a paid payout has a receipt with whom it paid; one that came back has none", async () => {
  const { id, receipt, stage, setReturned } = await newPayout("12345999");
  await expect.poll(stage).toBe("settled");
  const answer = await receipt();
  expect(answer.headers.get("content-type")).toBe("application/pdf");
  expect(answer.headers.get("content-disposition")).toBe(
    `attachment; filename="receipt-${id}.pdf"`,
  );
  const pdf = readPdf(Buffer.from(await answer.arrayBuffer()));
  expect(pdf).toMatchObject({ title: "Payment receipt", isTagged: true });
  expect(pdf.tags("Table")).toBe(0);
  const text = pdf.lines.flat();
  expect(text.slice(0, 2)).toEqual(["Payment receipt", "1,234.56 AUD"]);
  expect(text).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Paid by +\| \S/),
      expect.stringMatching(/^Paid to +\| Ada Lovelace$/),
      expect.stringMatching(/^Bank +\| Commonwealth Bank$/),
      expect.stringMatching(/^Account +\| •••• 5999$/),
      expect.stringMatching(/^Reference +\| INV-7$/),
      expect.stringMatching(/^Paid on +\| \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
    ]),
  );
  await setReturned();
  await expect.poll(stage).toBe("returned");
  const refused = await receipt();
  expect([refused.status, (await refused.json()).error[0].code]).toEqual([409, "CONS513"]);
});

test("the account of a business shows its name, in lists beside the receiver's", async () => {
  const { id, person, at, stage, receipt, receiverId } = await newPayout("12345999", {
    isBusiness: true,
  });
  const [row] = (await person.get(at(""))).json.rows;
  expect(row.receiver.name).toBe("Ada Lovelace, Engines Ltd");
  expect((await person.get(at(`/${id}`))).json.receiver.name).toBe("Engines Ltd");
  const payee = (await person.get(at(`/payees/${receiverId}`))).json;
  expect(payee.accounts).toMatchObject([{ business: "Engines Ltd" }]);
  await expect.poll(stage).toBe("settled");
  const pdf = readPdf(Buffer.from(await (await receipt()).arrayBuffer()));
  expect(pdf.lines.flat().join("\n")).toMatch(/Paid to +\| Engines Ltd/);
});

test("a receipt has the logo of the subaccount, whatever else the file had", async () => {
  const { subaccountId, stage, receipt } = await newPayout("12345999");
  const admin = service.enter("admin");
  const path = `/s/${subaccountId}/settings/logo`;
  const set = (file: Buffer) => admin.put(path, asFile(file));
  const wrong = await set(Buffer.from("<svg/>"));
  expect([wrong.status, wrong.json.error]).toMatchObject([
    400,
    [{ code: "CONS515", field: "content", message: expect.stringContaining("PNG") }],
  ]);
  expect((await admin.get(path)).status).toBe(404);
  const parts = { tEXt: Buffer.from("Author\0Ada Harbour") };
  const png = pngOf({ width: 40, height: 20, color: 6, pixel: (x) => [x, 0, 0, 128], parts });
  expect((await service.enter("auditor").put(path, asFile(png))).status).toBe(403);
  const { json: after } = await set(png);
  expect(after.logo_set_at).toBeGreaterThan(0);
  await expect.poll(stage).toBe("settled");
  const documentOf = async () => Buffer.from(await (await receipt()).arrayBuffer());
  const withLogo = await documentOf();
  expect(readPdf(withLogo).tags("Figure")).toBe(1);
  expect(withLogo.toString("latin1")).toMatch(/\/Subtype \/Image[\s\S]*\/Width 40\n\/Height 20/);
  expect(withLogo.includes("Harbour")).toBe(false);
  const shown = await admin.get(path);
  expect(shown.headers.get("content-type")).toBe("image/png");

  const jpeg = jpegOf({ width: 30, height: 30 });
  await set(jpeg);
  expect((await documentOf()).includes("DCTDecode")).toBe(true);
  const removed = await admin.delete(path);
  expect(removed.json.logo_set_at).toBeNull();
  expect(readPdf(await documentOf()).tags("Figure")).toBe(0);
  const { rows } = await service.db.pool.query(
    "select action, who from audit_entry where object_id = $1 and action like '%logo' order by number",
    [subaccountId],
  );
  const who = admin.who;
  expect(rows).toEqual([
    { action: "subaccount.set_logo", who },
    { action: "subaccount.set_logo", who },
    { action: "subaccount.remove_logo", who },
  ]);
});
