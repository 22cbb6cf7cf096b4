// Bank connections of test subaccounts on the Banks screens.

import { expect, test } from "vitest";
import { connectBanks } from "../../../src/banking/connections/connections.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { abaSettings } from "../../support/bank-payers.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const service = await closeAfterTests(startBankConsole());

test("a test connection is requested with its mode, and it and its files are marked", async () => {
  const { subaccountId, pay } = await service.newPayer("test");
  const [one, two] = [service.enter("admin"), service.enter("admin")];
  const fields = {
    name: `Simulator ${subaccountId}`,
    mode: "test",
    format: "aba",
    settings: abaSettings,
  };
  expect((await one.post("/banks/connections", { fields })).json.error[0]).toMatchObject({
    code: "BANK201",
    field: "subaccount_ids",
  });
  const listed = { ...fields, subaccount_ids: [subaccountId] };
  const { json } = await one.post("/banks/connections", { fields: listed });
  const isRequest = ({ id }: { id: string }) => id === json.id;
  const waiting = await two.get("/approvals?kind=bank_connection");
  expect(waiting.json.rows.find(isRequest).request.changes).toContainEqual({
    field: "mode",
    before: "–",
    after: "test",
  });
  expect((await two.post(`/banks/requests/${json.id}/approve`)).json.status).toBe("applied");
  const { rows } = (await one.get("/banks")).json;
  const row = rows.find(({ name }: { name: string }) => name === fields.name);
  expect(row.mode).toBe("test");
  expect((await one.get(`/banks/connections/${row.id}`)).json.mode).toBe("test");
  const change = { mode: "live", subaccount_ids: null };
  const changed = await one.patch(`/banks/connections/${row.id}`, { fields: change });
  expect(changed.json.error[0]).toMatchObject({ code: "BANK201", field: "mode" });
  await connectBanks(service);
  await pay(500);
  const frozen = await service.enter("operator").post(`/banks/connections/${row.id}/freeze`);
  const [id] = frozen.json.batch_ids;
  const file = (await one.get(`/banks/batches/${id}`)).json;
  expect(file).toMatchObject({ mode: "test", file_name: expect.stringMatching(/^test-/) });
});
