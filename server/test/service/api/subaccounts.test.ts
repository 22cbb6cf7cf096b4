// The subaccount of the caller.

import { expect, test } from "vitest";
import { createSubaccount } from "../../../src/tenants/subaccounts/create.ts";
import { closeSubaccount } from "../../support/keys.ts";
import { call } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

test("the subaccount has every published field, and unset ones are empty strings", async () => {
  const details = { business_name: "Example Pty Ltd", mobile_dialcode: "+61", suburb: "Carlton" };
  const issued = await createSubaccount(service, { name: "Example", mode: "live", details });
  const { status, json } = await call(
    { baseUrl: service.baseUrl, key: issued.key, secret: issued.secret },
    "GET",
    "/api/subaccount",
  );
  expect(status).toBe(200);
  expect(json).toEqual({
    message: expect.any(String),
    payload: {
      id: issued.subaccountId,
      merchant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      suba_name: "Example",
      title: "",
      first_name: "",
      last_name: "",
      email: "",
      dob: "",
      kassi_status: "ACCEPTED",
      business_name: "Example Pty Ltd",
      business_or_individual: "B",
      support_email: "",
      mobile_dialcode: "+61",
      mobile: "",
      home_phone_international_dialcode: "",
      home_telephone: "",
      address_data: { address: "", suburb: "Carlton", state: "", country: "", postcode: "" },
      has_passed_kyc: "N/A",
      kyc_status: "pending",
      postback_url: "",
      sms_provider: "",
      email_provider: "",
      created_at: expect.stringMatching(/^\d{13}$/),
    },
  });
});

test("all subaccounts of an installation share its merchant_id", async () => {
  const [one, other] = await Promise.all([service.newCaller(), service.newCaller()]);
  const [first, second] = await Promise.all([
    one.disburse.subaccount.get(),
    other.disburse.subaccount.get(),
  ]);
  expect(first.merchant_id).toBe(second.merchant_id);
  expect(first.id).not.toBe(second.id);
});

test("SUBA101: the keys of a closed subaccount are refused with the published text", async () => {
  const { call, subaccountId } = await service.newCaller();
  await call("GET", "/api/subaccount");
  await closeSubaccount(service.db, subaccountId);
  await expect
    .poll(async () => (await call("GET", "/api/subaccount")).text)
    .toBe(
      '{"message":"get subaccount failed","error":[{"code":"SUBA101","message":"SubAccount not found"}]}',
    );
  const { status, json } = await call("GET", "/api/receiver");
  expect([status, json.message, json.error[0].code]).toEqual([
    400,
    "get receivers failed",
    "SUBA101",
  ]);
});
