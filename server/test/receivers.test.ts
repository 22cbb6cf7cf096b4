// Receivers: what the published interface promises of them, and what we add.

import { afterAll, beforeAll, expect, test } from "vitest";
import { isUuid } from "../src/ids.ts";
import { ada, type Service, startService } from "./service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("a receiver that was created reads back, field by field, as published", async () => {
  const { call } = await service.newCaller();
  const input = ada({ middle_name: "King", reference: "r-1", email: "Ada.K@Example.com" });

  const created = await call("POST", "/api/receiver", { body: input });
  expect(created.status).toBe(200);
  expect(created.json).toEqual({
    message: expect.any(String),
    payload: { receiver_id: expect.any(String), kyc_status: "0" },
  });
  const id = created.json.payload.receiver_id;
  expect(isUuid(id)).toBe(true);

  const read = await call("GET", `/api/receiver/${id}`);
  expect(read.status).toBe(200);
  expect(read.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(read.json).toEqual({
    message: expect.any(String),
    payload: {
      id,
      first_name: "Ada",
      last_name: "Lovelace",
      middle_name: "King",
      email: "Ada.K@Example.com",
      gender: "F",
      dob: "1990-12-10",
      dialcode: "61",
      phone: "412345678",
      applicant_id: expect.stringMatching(/./),
      kyc_status: "pending",
      status: "pending",
      created_at: expect.stringMatching(/^\d{13}$/),
      address_data: {
        address: "1 St. Kilda Road",
        address2: "",
        state: "VIC",
        city: "Melbourne",
        country: "AUS",
        postcode: "3004",
      },
    },
  });
  expect(Math.abs(Number(read.json.payload.created_at) - Date.now())).toBeLessThan(60_000);
});
