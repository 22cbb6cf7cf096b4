// Receiver accounts: read as published, from real tables, the account number sealed at rest.

import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../src/ids.ts";
import { ada, addAccount, type Service, startService } from "./service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("an account reads as published; the leading zeros of its number survive", async () => {
  const caller = await service.newCaller();
  const input = ada({ reference: "staff-7" });
  const { receiver_id } = await caller.disburse.receivers.create(input);
  const id = await addAccount(service, caller.subaccountId, receiver_id, "00123456");

  const { status, json } = await caller.call("GET", `/api/receiveraccount/${id}`);
  expect(status).toBe(200);
  expect(json).toEqual({
    message: expect.any(String),
    payload: {
      id,
      first_name: input.first_name,
      last_name: input.last_name,
      email: input.email,
      dob: input.dob,
      gender: input.gender,
      aka: "",
      occupation: "",
      reference: "staff-7",
      mobile_international_dialcode: "61",
      mobile: "412345678",
      home_phone_international_dialcode: "",
      home_phone: "",
      individual_or_business: "I",
      abn: "",
      nzbn: "",
      acn: "",
      kyc_status: "pending",
      address_data: {
        address: input.address,
        address2: "",
        city: input.city,
        state: input.state,
        country: input.country,
        postcode: input.postcode,
      },
      bank_account_data: { account_number: "00123456", bank_code: "CBA", bsb: "062000" },
      account_data: {
        receiver_accepted: true,
        receiver_address_accepted: true,
        receiver_address_outcome: null,
      },
    },
  });
});

test("all accounts of a receiver are listed, newest first; a receiver without any has an empty list", async () => {
  const caller = await service.newCaller();
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  expect(await caller.disburse.receiverAccounts.list(receiver_id)).toEqual([]);

  const first = await addAccount(service, caller.subaccountId, receiver_id, "12345678");
  const second = await addAccount(service, caller.subaccountId, receiver_id, "87654321");
  const listed = await caller.disburse.receiverAccounts.list(receiver_id);
  expect(listed.map(({ id }) => id)).toEqual([second, first]);
});

test("REAC104: an account that is foreign, absent or malformed; same bytes, text as published", async () => {
  const [one, other] = await Promise.all([service.newCaller(), service.newCaller()]);
  const { receiver_id } = await other.disburse.receivers.create(ada());
  const foreign = await addAccount(service, other.subaccountId, receiver_id, "12345678");
  for (const id of [foreign, newId(), "nonsense", receiver_id]) {
    const { status, text } = await one.call("GET", `/api/receiveraccount/${id}`);
    expect([status, text]).toEqual([
      400,
      '{"message":"get receiver account failed","error":[{"code":"REAC104","message":"Receiver ID not found"}]}',
    ]);
  }
});

test("REAC101: accounts of a receiver that is foreign, absent or malformed", async () => {
  const [one, other] = await Promise.all([service.newCaller(), service.newCaller()]);
  const { receiver_id } = await other.disburse.receivers.create(ada());
  for (const id of [receiver_id, newId(), "nonsense", ""]) {
    const { status, text } = await one.call("GET", `/api/receiveraccount/receiver/${id}`);
    expect([status, text]).toEqual([
      400,
      '{"message":"get receiver account failed","error":[{"code":"REAC101","message":"Receiver Account ID not found"}]}',
    ]);
  }
});

test("a sealed number that was moved to another row does not open", async () => {
  const caller = await service.newCaller();
  const { receiver_id } = await caller.disburse.receivers.create(ada());
  const [one, other] = [
    await addAccount(service, caller.subaccountId, receiver_id, "11111111"),
    await addAccount(service, caller.subaccountId, receiver_id, "22222222"),
  ];
  await service.db.pool.query(
    `update receiver_account a set account_number_sealed = b.account_number_sealed
     from receiver_account b where a.id = $1 and b.id = $2`,
    [one, other],
  );
  const { status, json } = await caller.call("GET", `/api/receiveraccount/${one}`);
  expect([status, json.message]).toEqual([500, "internal error"]);
});
