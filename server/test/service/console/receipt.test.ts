// The receipt of a payout, and the name of the business that an account belongs to.

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { newPayee } from "../../support/payers.ts";
import { readPdf } from "../../support/pdf-reader.ts";

let service: ConsoleService;
beforeAll(async () => {
  service = await startConsole({ bankDelayMs: 20 });
});
afterAll(() => service.close());

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
  return { id, person, at, stage, receipt, setReturned, receiverId: to.receiver_id };
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
