// The text that a start prints, and amounts on the command line.

import { expect, test } from "vitest";
import { type Facts, welcome, welcomeLine } from "../../../src/doors/process/welcome.ts";
import { operatorTest } from "../../support/cli-operator.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";

const operator = await closeAfterTests(operatorTest());

const facts: Facts = {
  ...{ address: "http://127.0.0.1:4000", metrics: "http://127.0.0.1:4001/metrics" },
  console: { url: "http://localhost:4000/console", setUp: undefined, hasAdmin: true },
  ...{ key: "ak_test_x", secret: undefined, settings: {} },
};
const url = "http://localhost:4000/console";

test("a terminal shows the set-up link, other outputs the command that makes it, and later starts neither", () => {
  const setUp = { first: `${url}/set-up#token`, second: `${url}/set-up#other` };
  const linked = welcome({ ...facts, console: { url, setUp, hasAdmin: false } });
  expect(linked).toContain(`  Console        ${setUp.first}   (works once, for 24 hours`);
  expect(linked).toContain(`  Second admin   ${setUp.second}   (works once, for 24 hours: give it`);
  const text = welcome({ ...facts, console: { url, setUp: undefined, hasAdmin: false } });
  expect(text).toMatch(/ {2}First admin {4}\S+disburse users setup-link\n/);
  expect(welcome(facts)).not.toMatch(/setup-link|set-up/);
});

test("the path for reports of the identity check provider is shown where it sends some", () => {
  const kycWebhook = "/webhooks/kyc/sumsub/b";
  const shown = `http://127.0.0.1:4000${kycWebhook}`;
  expect(welcome({ ...facts, kycWebhook })).toContain(`  KYC webhook    ${shown}\n`);
  expect(JSON.parse(welcomeLine({ ...facts, kycWebhook })).kyc_webhook).toBe(shown);
  expect(welcome(facts) + welcomeLine(facts)).not.toMatch(/kyc/i);
});

test("a secret that may not be shown is named by its file, and the first call reads it from there", () => {
  const secretFile = "/srv/pay out/example-secret";
  const text = welcome({ ...facts, secretFile });
  expect(text).toContain(`  Secret         in ${secretFile}, for your user only`);
  expect(text).toContain("$(cat '/srv/pay out/example-secret')");
  const without = welcome(facts);
  expect(without).toContain(
    "  Secret         shown once, at a terminal; a new one: ./disburse keys rotate",
  );
});

test("printed commands name the data folder and the service only where they differ from the defaults", () => {
  expect(welcome(facts)).not.toMatch(/DATA_DIR=|DISBURSE_BASE_URL=/);
  const settings = { dataDir: "/srv/pay out's", baseUrl: "http://127.0.0.1:4100" };
  const text = welcome({ ...facts, settings });
  const data = `DATA_DIR='/srv/pay out'\\''s' `;
  expect(text).toContain(`a new one: ${data}`);
  expect(text).toContain(`  Events         ${data}DISBURSE_BASE_URL=http://127.0.0.1:4100 `);
});

test("amounts have separators in text and none in JSON; a balance shows the amount in transit", async () => {
  const { run, json, db, subaccountId } = operator;
  const fund = ["ledger", "fund", "--amount", "1234567.50", "--currency", "AUD", "--reference"];
  expect((await run(...fund, "one")).stdout).toMatch(/\namount +1,234,567\.50 AUD\n/);
  expect(await json(...fund, "two")).toMatchObject({ amount: "1234567.50 AUD" });
  await db.pool.query(
    "update ledger_balance set available = available - 500, clearing = 500 where subaccount_id = $1",
    [subaccountId],
  );
  const { stdout } = await run("ledger", "balance");
  expect(stdout).toMatch(/in_transit\nAUD +2,469,130\.00 AUD +0\.00 AUD +5\.00 AUD\n/);
  expect(await json("ledger", "balance")).toEqual([
    { currency: "AUD", available: "246913000", held: "0", in_transit: "500" },
  ]);
});
