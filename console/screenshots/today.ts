// The company today: colleagues are invited, a threshold is set, payouts and a change of bank details wait for a second
// user, people wait to be checked, bank files come and go, rules and a list hold payouts, and a program signs wrongly.

import type { BrowserContext } from "playwright-core";
import { Disburse } from "../../client/src/index.ts";
import { haveABankDay } from "./bank-day.ts";
import type { Company } from "./company.ts";
import { payees } from "./people-paid.ts";
import { haveRules } from "./rules.ts";
import { haveAList, haveReviews } from "./screening.ts";

export async function haveAToday(company: Company, admin: BrowserContext): Promise<void> {
  const { consoleUrl, subaccountId, keys } = company;
  const act = async (method: "POST" | "PUT" | "PATCH", path: string, data: object) => {
    const answer = await admin.request.fetch(`${consoleUrl}/console/api${path}`, {
      method,
      data,
      headers: { origin: consoleUrl, "x-requested-with": "disburse-console" },
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`);
  };
  const of = (rest: string) => `/s/${subaccountId}/${rest}`;

  for (const person of colleagues(subaccountId)) await act("POST", "/users/invite", person);
  await act("PUT", of("limits"), {
    currency: "AUD",
    per_payout_max: 500_000_00,
    per_day_max: null,
    approval_above: 2_500_00,
  });

  const { receiver_id, account_id } = await company.aPayee();
  const client = clientOf(keys.test, consoleUrl);
  for (const [amount, reference] of [
    [4_180_00, "INV-2901"],
    [12_750_00, "FIT-OUT-7"],
    [3_020_50, "INV-2904"],
  ] as const) {
    await client.payouts.create({ receiver_id, account_id, amount, currency: "AUD", reference });
  }
  for (const [amount, reference] of [
    [640_00, "INV-2906"],
    [218_40, "INV-2907"],
  ] as const) {
    await client.payouts.create({ receiver_id, account_id, amount, currency: "AUD", reference });
  }
  await act("PATCH", of(`accounts/${account_id}`), { bsb: "062000", account_number: "41990177" });

  const live = clientOf(keys.live, consoleUrl);
  for (const { person } of payees().slice(3, 9)) await live.receivers.create(person);
  await haveABankDay(company, live);
  // After the payouts above, which they would stop.
  await haveRules(company);
  await haveAList(company);
  await haveReviews(client);

  const forgetful = clientOf({ ...keys.test, secret: "sk_test_of_another_day" }, consoleUrl);
  await forgetful.payouts
    .list()
    .toArray()
    .catch(() => undefined);
  await client.payouts
    .create({ receiver_id, account_id, amount: 900_000_00, currency: "AUD", reference: "INV-2910" })
    .catch(() => undefined);
  await client.receivers.get(subaccountId).catch(() => undefined);
}

function colleagues(subaccount_id: string) {
  return [
    { name: "Theo Marsh", email: "theo@northwind.example", role: "operator" },
    { name: "Ingrid Falk", email: "ingrid@northwind.example", role: "finance" },
    { name: "Sam Whitaker", email: "sam@northwind.example", role: "developer", subaccount_id },
  ];
}

function clientOf({ key, secret }: { key: string; secret: string }, baseUrl: string): Disburse {
  return new Disburse({ apiKey: key, apiSecret: secret, baseUrl, maxRetries: 0 });
}
