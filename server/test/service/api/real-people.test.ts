// Real addresses without a state or a postcode are accepted, and emails that look alike are recognised.

import { expect, test } from "vitest";
import { ada } from "../../support/service.ts";
import { service, useService } from "../../support/service-setup.ts";

await useService();

const phoneOf: Record<string, { dialcode: string; phone: string }> = {
  SGP: { dialcode: "65", phone: "81234567" },
  HKG: { dialcode: "852", phone: "51234567" },
  ARE: { dialcode: "971", phone: "501234567" },
  USA: { dialcode: "1", phone: "2015550123" },
};

test.each([
  ["SGP", "", "018956", []],
  ["HKG", "", "", []],
  ["ARE", "Dubai", "", []],
  ["SGP", "", "", ["REVR212"]],
  ["ARE", "", "", ["REVR211"]],
  ["USA", "", "", ["REVR211", "REVR212"]],
])(
  "in %s state %j and postcode %j give %j: fields that a country lacks may be empty",
  async (...row) => {
    const [country, state, postcode, codes] = row;
    const { call } = await service.newCaller();
    const body = ada({ country, state, postcode, ...phoneOf[country] });
    const { json } = await call("POST", "/api/receiver", { body });
    expect((json.error ?? []).map(({ code }: { code: string }) => code)).toEqual(codes);
    if (codes.length > 0) return;
    const read = await call("GET", `/api/receiver/${json.payload.receiver_id}`);
    expect(read.json.payload.address_data).toMatchObject({ country, state, postcode });
    const { state: _state, ...without } = body;
    const absent = await call("POST", "/api/receiver", { body: without });
    expect(absent.json.error).toMatchObject([{ code: "REVR211", field: "state" }]);
  },
);

test("an email with an invisible character is refused; NFC and NFD are the same email", async () => {
  const { call, disburse } = await service.newCaller();
  for (const email of ["ad\u200Ba@example.com", "ada@exam\u00ADple.com", "a\u2060b@example.com"]) {
    const { json } = await call("POST", "/api/receiver", { body: ada({ email }) });
    expect(json.error).toMatchObject([{ code: "REVR214", field: "email" }]);
  }
  const email = "zo\u00EB@example.com";
  await disburse.receivers.create(ada({ email }));
  const again = await call("POST", "/api/receiver", {
    body: ada({ email: email.normalize("NFD") }),
  });
  expect(again.json.error).toMatchObject([{ code: "REVR201" }]);
  const found = await disburse.receivers.list({ email: email.normalize("NFD") }).toArray();
  expect(found).toHaveLength(1);
});
