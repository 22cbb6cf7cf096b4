// Examples at the end of each help: from the arguments and the required options of a command, or written by hand where another
// one says more.

import type { Argument, Command, Option } from "commander";
import { nameOf, shellWord } from "./command-words.ts";

const id = "01a1f4d9-4d4a-70a5-9a52-e5d756f1b32a";
const key = "ak_test_Vcs8tdzJivOVBfgCh9iMSft6";
const bank = "anz-aud";

/** By the name of an argument or of an option. */
const values: Readonly<Record<string, string>> = {
  account: id,
  "account-id": id,
  amount: "1250.00",
  amounts: "1000.00,250.00",
  "api-key": key,
  bank,
  batch: id,
  country: "SYR",
  currency: "AUD",
  email: "ada@example.com",
  "endpoint-id": id,
  "event-id": `evt_${id}`,
  file: "data.json",
  item: id,
  line: id,
  list: "un",
  method: "GET",
  month: "2026-10",
  name: bank,
  note: "asked the bank by phone",
  path: "/api/receiver",
  payout: id,
  "payout-id": id,
  reason: "confirmed by the bank",
  receiver: id,
  "receiver-id": id,
  role: "finance",
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  since: "2h",
  subaccount: id,
  "subaccount-id": id,
  to: "cell-b",
  "transfer-id": id,
  type: "payoutFailure",
  url: "https://example.com/disburse/events",
  version: "12",
};

/** What stands after the name of the command. */
export const writtenExamples: Readonly<Record<string, readonly string[]>> = {
  "accounts create": [`--receiver ${id} --file account.json`],
  "accounts import": ["accounts.csv --dry-run"],
  "accounts validate": [`--receiver ${id} --file account.json`],
  "audit list": ["--action key.create --from 2026-11-01"],
  "audit verify-file": ["audit.jsonl"],
  backup: ["/var/backups/disburse"],
  "bank-batches download": [`${id} --to payments.xml`],
  "bank-files check": ["payments.aba"],
  "bank-files inbound": [`return.xml --bank ${bank}`],
  "bank-simulator": ["--in to-bank --out from-bank"],
  "bank-simulator deposit": ["--in from-bank --amount 1000.00 --currency AUD"],
  "banks csv-mapping": [`${bank} --file statement.csv`],
  "banks ignore-file": [`${bank} statement-17.xml --reason 'sent twice'`],
  "banks put": ["bank.json"],
  conformance: [`https://payouts.example.com --key ${key} --secret-file secret.txt --disburse`],
  "erasures apply": ["erasures.jsonl"],
  "erasures export": ["erasures.jsonl"],
  "endpoints change": [`${id} --event-types payoutUpdate payoutFailure`],
  "endpoints create": [
    "--url https://books.example.com/events --event-types payoutUpdate payoutFailure --format thin",
  ],
  "events list": ["--status undelivered --from 2h"],
  "events listen": ["--forward-to http://localhost:3000/events"],
  export: ["--kinds payouts,transfers --out payouts.jsonl"],
  "keys create": ["--name payroll --scopes read,payout"],
  "keys rename": [`${key} payroll`],
  "keys rotate": [`${key} --grace 24h`],
  "ledger fund": ["--amount 50000.00 --currency AUD --reference 'statement 17, line 3'"],
  "ledger limit": ["--currency AUD --per-payout 5000 --approval-above 1000"],
  "ledger statement": ["--currency AUD", "--currency AUD --month 2026-10 --format pdf --out o.pdf"],
  login: ["https://payouts.example.com", "--profile live https://payouts.example.com"],
  "logs tail": ["--status 4xx --path /api/receiver"],
  "payouts create": [
    `--receiver ${id} --account ${id} --amount 1250.00 --currency AUD --reference 'invoice 17'`,
  ],
  "payouts get": [`${id} --watch`],
  "payouts import": ["payouts.csv --dry-run", "payouts.xlsx"],
  "payouts list": ["--status failed --from 2026-11-01"],
  "receivers create": ["--file receiver.json"],
  "receivers disable": [`${id} --reason 'left the company'`],
  "receivers import": ["receivers.csv --dry-run"],
  "receivers kyc approve": [`${id} --reason 'seen the passport'`],
  "receivers kyc reject": [`${id} --reason 'the photo is blurred' --retry`],
  "receivers list": ["--status active"],
  restore: ["/var/backups/disburse --to /var/lib/disburse-restored"],
  "restore release": ["--erasures erasures.jsonl"],
  "reviews list": ["--kind hit"],
  "rules backtest": ["rules.json"],
  "rules propose": ["rules.json --note 'hold large payouts to new accounts'"],
  "screening approve": [id],
  "screening compare": ["names.csv"],
  "screening decline": [id],
  "screening embargo add": ["SYR --since 2026-11-30 --source 'Sanctions Regulations 2026'"],
  "screening import": ["--list ofac-sdn sdn.csv alt.csv add.csv"],
  "statements closing": [`${bank} 2026-10 --out october.pdf`],
  "statements match": [`--line ${id} --payout ${id} --reason 'paid with another reference'`],
  "statements note": [`${id} --owner ada@example.com --note 'asked the bank'`],
  "subaccount create": ["--name 'Acme Payroll' --mode test"],
  "subaccount set-event-types": [`${id} payoutOnHold payoutReleased`],
  "subaccount set-statement-name": [`${id} 'Acme Payroll'`],
  verify: ["--request event.http --secret-file secret.txt"],
};

/** Undefined: it only has commands below it. */
export function examplesOf(command: Command): string[] | undefined {
  const { commands, options, registeredArguments } = command;
  if (commands.length > 0 && options.length + registeredArguments.length === 0) return undefined;
  const name = nameOf(command);
  const rests = writtenExamples[name] ?? [usualRest(command)];
  return rests.map((rest) => `disburse ${name} ${rest}`.trimEnd());
}

function usualRest({ registeredArguments, options }: Command): string {
  const args = registeredArguments.filter(({ required }) => required).map(exampleOf);
  const required = options.filter(({ mandatory }) => mandatory);
  return [...args, ...required.map((option) => `${option.long} ${exampleOf(option)}`)].join(" ");
}

function exampleOf(one: Argument | Option): string {
  return shellWord(values[one.name()] ?? one.argChoices?.[0] ?? one.name());
}
