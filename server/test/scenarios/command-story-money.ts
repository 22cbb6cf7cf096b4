// Balances, limits, rules and payouts.

import { ruleOf } from "../support/rules.ts";
import {
  type Payee,
  type People,
  type Story,
  type Subaccounts,
  unknownId,
} from "./command-story-parts.ts";

export async function moneySteps(
  story: Story,
  { test, live, payee, other }: Subaccounts & People,
): Promise<void> {
  await ledgerSteps(story, test, live);
  await payoutSteps(story, test, payee);
  await ruleSteps(story, test, payee);
  await importSteps(story, test, [payee, other]);
}

async function ledgerSteps({ step, ask }: Story, test: string, live: string): Promise<void> {
  const fund = (amount: string, reference: string, ...more: string[]) =>
    step(
      ...["ledger", "fund", "--subaccount", test, "--amount", amount, "--currency", "AUD"],
      ...["--reference", reference, ...more],
    );
  const money = ["--amount", "5.00", "--currency", "AUD", "--reference", "d"];
  await fund("1000.00", "deposit-1", "--by", "ana");
  await fund("1000.00", "deposit-1");
  await fund("2000.00", "deposit-1");
  await fund("25.00", "deposit-2");
  await fund("1,000", "deposit-3");
  await fund("10.00", "deposit-3", "--bank", "nowhere");
  await fund("10.00", "");
  await step("ledger", "fund", ...money);
  await step("ledger", "fund", ...money, "--subaccount", unknownId);
  await step("ledger", "fund", "--subaccount", test, "--currency", "AUD");
  await step("ledger", "fund", "--subaccount", test, ...money.with(3, "XXX"));
  await step("ledger", "fund", "--subaccount", live, ...money);

  const of = ["ledger", "statement", "--subaccount", test, "--currency", "AUD"];
  const [newest] = (await ask(...of)) as { transfer_id?: string; id?: string }[];
  const transfer = newest?.transfer_id ?? newest?.id ?? "";
  const reverse = (...words: string[]) => step("ledger", "reverse", ...words);
  await reverse(transfer, "--subaccount", test);
  await reverse(transfer, "--subaccount", test, "--reason", "a mistake", "--by", "ana");
  await reverse(transfer, "--subaccount", test, "--reason", "a mistake");
  await reverse(unknownId, "--subaccount", test, "--reason", "a mistake");
  await reverse("x", "--subaccount", test, "--reason", "a mistake");
  await reverse(transfer, "--subaccount", live, "--reason", "a mistake");

  const limit = (...words: string[]) => step("ledger", "limit", "--subaccount", test, ...words);
  const aud = ["--currency", "AUD"];
  await limit(...aud, "--per-payout", "900.00", "--per-day", "10000", "--by", "ana");
  await limit(...aud, "--approval-above", "500", "--per-payout", "800");
  await limit(...aud, "--per-payout", "none", "--approval-above", "none");
  await limit(...aud, "--receiver-day-approval-above", "700", "--account-day-approval-above", "0");
  await limit(
    ...aud,
    "--receiver-day-approval-above",
    "none",
    "--account-day-approval-above",
    "none",
  );
  await limit(...aud, "--batch-approval-above", "800");
  await limit(...aud, "--batch-approval-above", "none");
  await limit(...aud);
  await limit(...aud, "--per-payout", "much");
  await limit("--per-payout", "5");
  await limit("--currency", "XXX", "--per-payout", "5");
  await step("ledger", "limit", ...aud, "--per-payout", "5", "--subaccount", unknownId);
  const inLive = ["ledger", "limit", "--subaccount", live, ...aud];
  await step(...inLive, "--per-payout", "5");
  await step(...inLive, "--per-payout", "50");
}

/** The words of a payout. */
export function payoutOf(test: string, { receiver, account }: Payee, amount: string): string[] {
  const who = ["--subaccount", test, "--receiver", receiver, "--account", account];
  return ["payouts", "create", ...who, "--amount", amount, "--currency", "AUD"];
}

async function payoutSteps({ step }: Story, test: string, payee: Payee): Promise<void> {
  const create = (amount: string, ...more: string[]) =>
    step(...payoutOf(test, payee, amount), ...more);
  const id = (await create("12.50", "--reference", "007", "--note", "May", "--by", "ana"))(
    "payout_id",
  );
  await create("12.50", "--reference", "007");
  await create("12.50", "--reference", "007", "--allow-duplicate");
  await create("12.50", "--reference", "later", "--send-on", "2099-01-05");
  await create("12.50", "--reference", "never", "--send-on", "2001-01-01");
  await create("12.50", "--reference", "why", "--purpose", "pay");
  await create("1.00", "--reference", "seen", "--statement-reference", "MAY PAY");
  await create("12.505");
  await create("0");
  await create("100000");
  await step(...payoutOf(test, { receiver: unknownId, account: unknownId }, "1"));
  await step(...payoutOf(test, { ...payee, account: "x" }, "1"));
  await step(...payoutOf(unknownId, payee, "1"));
  await step("payouts", "create", "--subaccount", test, "--receiver", payee.receiver);
  await step("payouts", "cancel", id, "--by", "ana");
  await step("payouts", "cancel", id);
  await step("payouts", "cancel", unknownId);
  await step("payouts", "cancel", "x");
  await step("payouts", "cancel");
  await step("payouts", "get", id);
  await step("payouts", "release", id, "--reason", "checked");
  await step("payouts", "refuse", id, "--reason", "checked");
  await step("payouts", "resolve", id, "--as", "paid", "--reason", "seen", "--yes");
}

async function ruleSteps(story: Story, test: string, payee: Payee): Promise<void> {
  const { step, save, sql } = story;
  const rules = (...words: string[]) => step("rules", ...words);
  const when = { fact: "count", of: "receiver", window: "day", above: 0 } as const;
  const set = save("rules.json", [ruleOf({ id: "hold", currency: "AUD", when })]);
  await rules("propose");
  await rules("propose", "missing.json");
  await rules("propose", save("broken.json", "{"));
  await rules("propose", save("wrong.json", [{ id: "x" }, { id: "x" }]));
  const version = (await rules("propose", set, "--note", "first", "--by", "ana"))("version");
  await rules("propose", set);
  await rules("approve", version, "--by", "ben");
  await sql("update payout_rule_set set made_by = 'operator:ann@example.com' where version = $1", [
    version,
  ]);
  await rules("approve", version, "--by", "ben");
  await rules("approve", version);
  await rules("approve", "999");
  await rules("approve", "x");
  const none = save("none.json", []);
  const next = (await rules("propose", none, "--by", "ana"))("version");
  await rules("decline", next);
  await rules("decline", next, "--reason", "not yet", "--by", "ana");
  await rules("decline", next, "--reason", "not yet");
  await rules("decline", "999", "--reason", "not yet");

  const held = async (reference: string) =>
    (await step(...payoutOf(test, payee, "3.00"), "--reference", reference, "--by", "ana"))(
      "payout_id",
    );
  const [one, two] = [await held("held-1"), await held("held-2")];
  const reason = ["--reason", "checked the invoice"];
  await step("payouts", "release", one);
  await step("payouts", "release", one, ...reason, "--by", "ana");
  await step("payouts", "release", one, ...reason, "--by", "ben");
  await step("payouts", "release", one, ...reason, "--by", "ben");
  await step("payouts", "refuse", two);
  await step("payouts", "refuse", two, ...reason, "--by", "ben");
  await step("payouts", "refuse", two, ...reason);
  await step("payouts", "release", unknownId, ...reason);
  await step("payouts", "refuse", unknownId, ...reason);
  await step("payouts", "get", one);

  const last = (await rules("propose", none, "--by", "ana"))("version");
  await sql("update payout_rule_set set made_by = 'operator:ann@example.com' where version = $1", [
    last,
  ]);
  await rules("approve", last);
}

async function importSteps({ step, save, pathOf }: Story, test: string, payees: Payee[]) {
  const header = "receiver_id,account_id,amount,currency,reference";
  const rows = payees.map(
    ({ receiver, account }, index) => `${receiver},${account},${index + 4}.00,AUD,import-${index}`,
  );
  const file = save("payouts.csv", `${[header, ...rows].join("\n")}\n`);
  const run = (...words: string[]) => step("payouts", "import", ...words, "--subaccount", test);
  await run(file);
  await run(file, "--dry-run");
  await run(file, "--yes", "--by", "ana");
  await run(file, "--yes", "--result", pathOf("payouts-again.csv"));
  const wrong = save("payouts-wrong.csv", `${header}\n${unknownId},x,1.005,AUD,wrong\n`);
  await run(wrong, "--yes");
  await run(pathOf("missing.csv"), "--yes");
}
