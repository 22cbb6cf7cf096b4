// Thousands of malformed changes at every operation that writes. The response is an envelope with a known code,
// never a 5xx, and stored records can still be read.

import fc from "fast-check";
import { expect, test } from "vitest";
import { NewPayout } from "../../../src/money/payouts/schema.ts";
import { NewReceiverAccount } from "../../../src/people/accounts/schema.ts";
import { sandboxProvider } from "../../../src/people/kyc-providers/sandbox.ts";
import { sumsubProvider } from "../../../src/people/kyc-providers/sumsub.ts";
import { ReceiverChange } from "../../../src/people/receivers/schema.ts";
import { eventSchemas } from "../../../src/platform/event-catalogue/event-catalogue.ts";
import { type Code, refusals } from "../../../src/platform/refusals/refusals.ts";
import { SubaccountChange } from "../../../src/webhooks/webhook-endpoints/schema.ts";
import { scale } from "../../scenarios/scale.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { type Answer, ada, startService } from "../../support/service.ts";
import { startSumsub } from "../../support/sumsub-server.ts";

const seed = 20_261_115;
const runs = scale(300, 3_000);
const workers = 16;

const sumsub = await closeAfterTests(startSumsub());
const live = sumsubProvider({ ...sumsub, pollAfterMs: 86_400_000 });
const service = await closeAfterTests(
  startService({ kyc: { test: sandboxProvider({ delayMs: 5 }), live } }),
);
const caller = await service.newCaller();
const { receivers, receiverAccounts, testHelpers } = caller.disburse;
await testHelpers.fund({ amount: 1_000_000, currency: "AUD" });
const made = await Promise.all(Array.from({ length: 20 }, () => receivers.create(ada())));
const receiverIds = made.map(({ receiver_id }) => receiver_id);
const number = { account_type: "I", bsb: "062000", account_number: "12345999" };
const accounts = await Promise.all(
  receiverIds.map((receiver_id) => receiverAccounts.create({ receiver_id, ...number })),
);
const accountIds = accounts.map(({ account_id }) => account_id);
const events = await Promise.all(Array.from({ length: 20 }, () => caller.disburse.events.test()));
const eventIds = events.map(({ id }) => id);

const words = fc.constantFrom(
  ...[
    "AUS",
    "NZL",
    "USA",
    "GBR",
    "DEU",
    "IND",
    "CAN",
    "JPN",
    "XKX",
    "aus",
    "I",
    "B",
    "kyc",
    "fail",
  ],
  ...[
    "062000",
    "062-000",
    "12345999",
    "001234",
    "DE89370400440532013000",
    "021000021",
    "51824753556",
  ],
  ...[
    "01-0902-0068389-00",
    "HDFC0000001",
    "9429044650421",
    "active",
    "inactive",
    "success",
    "0800",
  ],
);
const text = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 250 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("A\u0000", "\ud83d", " ".repeat(9_000), "9".repeat(9_000), "٣٤٥٦٧٨"),
  },
);
const value = fc.oneof(
  { weight: 8, arbitrary: text as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 2 ** 53, 1e308, [], {}, ["I"]) },
);
const fields = (names: string[]) =>
  fc.dictionary(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
    ),
    value,
    { maxKeys: 8 },
  );

const receiverFields = fields(Object.keys(ReceiverChange.properties));
const accountFields = fields(Object.keys(NewReceiverAccount.properties));
const subaccountFields = fields(Object.keys(SubaccountChange.properties));
const payoutFields = fields(Object.keys(NewPayout.properties));
const amount = fc.constantFrom<unknown[]>(1, 100, "7", "1e3", 10.5, -1, 2 ** 53, "٣", null);
const address = fc.constantFrom(
  ...["", "http://127.0.0.1:9/", "https://example.com/events", "https://10.0.0.1/", "http://[::1"],
  ...["https://user@example.com/", "//example.com", "javascript:alert(1)", "https://exämple.com/"],
);
const place = fc.nat({ max: 19 });
const some = (ids: () => string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: place.map((index) => () => ids()[index] as string) },
    { weight: 1, arbitrary: text.map((odd) => () => odd) },
  );
const eventType = fc.oneof(fc.constantFrom<unknown[]>(...Object.keys(eventSchemas)), value);
const eventFields = fields(Object.keys(eventSchemas.payoutFailure.properties));
const event = some(() => eventIds);
const receiver = some(() => receiverIds);
const account = some(() => accountIds);
const key = fc.option(fc.oneof(fc.constantFrom("k1", "k2", "k3"), text), { freq: 3 });

type Shot = { method: string; path: string; body?: unknown; key?: string | null };

const path = (strings: TemplateStringsArray, id: () => string) =>
  `${strings[0]}${encodeURIComponent(id().toWellFormed())}${strings[1]}`;

const wellFormed = (query: Record<string, string>) =>
  new URLSearchParams(Object.entries(query).map(([name, text]) => [name, text.toWellFormed()]));

const shots: fc.Arbitrary<() => Shot> = fc.oneof(
  fc.tuple(receiver, receiverFields).map(([id, body]) => () => ({
    method: "PATCH",
    path: path`/api/receiver/${id}`,
    body,
  })),
  receiver.map((id) => () => ({ method: "DELETE", path: path`/api/receiver/${id}` })),
  fc.tuple(receiver, key, value).map(([id, key, body]) => () => ({
    method: "POST",
    path: path`/api/receiver/${id}/kyc`,
    body,
    key,
  })),
  fc.tuple(receiver, key, value).map(([id, key, body]) => () => ({
    method: "POST",
    path: path`/api/receiver/${id}/erase`,
    body,
    key,
  })),
  fc.tuple(receiver, text).map(([id, cursor]) => () => ({
    method: "GET",
    path: `${path`/api/receiver/${id}/history`}?cursor=${encodeURIComponent(cursor.toWellFormed())}`,
  })),
  fc.tuple(receiver, accountFields, key).map(([id, body, key]) => () => ({
    method: "POST",
    path: "/api/receiveraccount",
    body: { account_type: "I", receiver_id: id(), ...body },
    key,
  })),
  fc.tuple(accountFields, key).map(([body, key]) => () => ({
    method: "POST",
    path: "/api/receiveraccount/validate",
    body,
    key,
  })),
  fc.tuple(account, accountFields).map(([id, body]) => () => ({
    method: "PATCH",
    path: path`/api/receiveraccount/${id}`,
    body,
  })),
  fc.tuple(place, payoutFields, amount, key).map(([index, body, amount, key]) => () => ({
    method: "POST",
    path: "/api/payout/single",
    body: {
      receiver_id: receiverIds[index],
      account_id: accountIds[index],
      amount,
      currency: "AUD",
      ...body,
    },
    key,
  })),
  fc.tuple(place, payoutFields, amount, key).map(([index, body, amount, key]) => () => ({
    method: "POST",
    path: "/api/payout/validate",
    body: { receiver_id: receiverIds[index], account_id: accountIds[index], amount, ...body },
    key,
  })),
  fc.tuple(fc.array(payoutFields, { maxLength: 3 }), value, key).map(([rows, odd, key]) => () => ({
    method: "POST",
    path: "/api/payout/batch",
    body: { payouts: [...rows, odd] },
    key,
  })),
  fc.tuple(receiver, key).map(([id, key]) => () => ({
    method: "POST",
    path: path`/api/payout/${id}/cancel`,
    key,
  })),
  fc.tuple(text, text, text).map(([status, cursor, from]) => () => ({
    method: "GET",
    path: `/api/payout?${new URLSearchParams({ status: status.toWellFormed(), cursor: cursor.toWellFormed(), from: from.toWellFormed() })}`,
  })),
  fc.tuple(text, text).map(([currency, cursor]) => () => ({
    method: "GET",
    path: `/api/balance/entries?${new URLSearchParams({ currency: currency.toWellFormed(), cursor: cursor.toWellFormed() })}`,
  })),
  fc.tuple(value, value, key).map(([amount, currency, key]) => () => ({
    method: "POST",
    path: "/api/test-helpers/fund",
    body: { amount, currency },
    key,
  })),
  fc.tuple(subaccountFields, fc.option(address)).map(([body, postback_url]) => () => ({
    method: "PATCH",
    path: "/api/subaccount",
    body: { ...body, ...(postback_url !== null && { postback_url }) },
  })),
  fc.tuple(event, text, text, text).map(([id, type, status, from]) => () => ({
    method: "GET",
    path: `/api/event?${wellFormed({ payout_id: id(), type, status, from })}`,
  })),
  event.map((id) => () => ({ method: "GET", path: path`/api/event/${id}` })),
  fc.tuple(event, value, key).map(([id, body, key]) => () => ({
    method: "POST",
    path: path`/api/event/${id}/resend`,
    body,
    key,
  })),
  fc.tuple(value, value, value, key).map(([since, until, include_delivered, key]) => () => ({
    method: "POST",
    path: "/api/event/recover",
    body: { since, until, include_delivered },
    key,
  })),
  fc.tuple(fc.option(eventType), eventFields, key).map(([type, set, key]) => () => ({
    method: "POST",
    path: "/api/event/test",
    body: { ...(type !== null && { type }), set },
    key,
  })),
  fc.tuple(value, key).map(([overlap_s, key]) => () => ({
    method: "POST",
    path: "/api/subaccount/postback-secret",
    body: { overlap_s },
    key,
  })),
  fc
    .tuple(value, value, value, value, value, key)
    .map(([url, event_types, format, headers, disable_after_days, key]) => () => ({
      method: "POST",
      path: "/api/webhook-endpoint",
      body: { url, event_types, format, headers, disable_after_days },
      key,
    })),
  fc.tuple(event, value, value).map(([id, headers, description]) => () => ({
    method: "PATCH",
    path: path`/api/webhook-endpoint/${id}`,
    body: { headers, description },
  })),
  text.map((country) => () => ({
    method: "GET",
    path: `/api/receiveraccount/schema?country=${encodeURIComponent(country.toWellFormed())}`,
  })),
  fc.tuple(receiver, text, text, key).map(([id, type, status, key]) => () => ({
    method: "POST",
    path: "/api/test-helpers/status",
    body: { id: id(), type, status },
    key,
  })),
  fc.tuple(text, text).map(([email, reference]) => () => ({
    method: "GET",
    path: `/api/receiver?${new URLSearchParams({ email: email.toWellFormed(), reference: reference.toWellFormed() })}`,
  })),
  fc.tuple(text, value).map(([provider, body]) => () => ({
    method: "POST",
    path: `/webhooks/kyc/${encodeURIComponent(provider.toWellFormed())}`,
    body,
  })),
);

function isExpected({ status, json, text }: Answer): boolean {
  if (status === 200) return typeof json?.message === "string";
  const entries = json?.error as { code: Code; message: string }[] | undefined;
  return (
    status < 500 &&
    typeof json?.message === "string" &&
    Array.isArray(entries) &&
    entries.length > 0 &&
    entries.every(({ code }) => code in refusals) &&
    refusals[entries[0]?.code as Code][0] === status &&
    text.length < 20_000
  );
}

test(`${runs.toLocaleString("en")} malformed changes get an envelope and no 5xx, and spoil no record`, async () => {
  const queue = fc.sample(shots, { numRuns: runs, seed }).values();
  const seen = new Map<number, number>();
  const wrong: unknown[] = [];
  const work = async () => {
    for (const make of queue) {
      const { method, path, body, key } = make();
      // fetch refuses to send a header with other characters.
      const headers = key && /^[\x20-\x7e]+$/.test(key) ? { "idempotency-key": key } : {};
      const sent = body === undefined ? {} : { body };
      const answer = await caller.call(method, path, {
        ...sent,
        headers: headers as never,
        version: 2,
      });
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
      if (!isExpected(answer))
        wrong.push({ method, path, body, answer: answer.text, status: answer.status });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  console.info(
    `${runs.toLocaleString("en")} odd changes, answered with ${JSON.stringify(Object.fromEntries(seen))}`,
  );
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(seen.get(200)).toBeGreaterThan(runs / 20);
  for (const id of receiverIds) {
    await caller.disburse.receivers.get(id);
    await caller.disburse.receivers.history(id).toArray();
    await caller.disburse.receiverAccounts.list(id);
  }
  await caller.disburse.events.list({ limit: 1_000 }).toArray();
  await caller.disburse.subaccount.getPostback();
});
