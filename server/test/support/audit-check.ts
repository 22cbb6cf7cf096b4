// The audit log of a test, when its service closes: each entry is of a known action, and none has a secret or a whole
// account number.

import assert from "node:assert/strict";
import { settingsIdentity } from "../../src/banking/connections/connection.ts";
import { tailOf } from "../../src/people/person/account.ts";
import { openNumberIfReadable } from "../../src/people/person/contact.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { isOutage } from "../../src/platform/db/outage.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { knownActs } from "../../src/tenants/acts/act.ts";

/** Actions of entries that are not the name of an act, by what they come from. */
const otherActions: Record<string, readonly string[]> = {
  "signing in": ["person.join", "person.set-up", "session.start"],
  "the API alone": ["account.change"],
  "the outcome of an act": [
    ...["account.create", "bank.add", "bank-file.inbound", "bank-request.ask"],
    ...["bank-request.withdraw", "limits.ask", "payout.propose_resolution"],
    ...["receiver.simulate_outcome", "review.approve-first", "review.same-first"],
    ...["screening.approve-first"],
  ],
  "a decision, by what was asked for": [
    ...["bank.approve_add", "bank.approve_change", "bank.approve_enable"],
    ...["bank.decline_add", "bank.decline_change", "bank.decline_enable"],
    ...["key.approve", "key.approve_rotation", "key.decline", "key.decline_rotation"],
    ...["limits.approve", "limits.decline", "receiver.erase_decline"],
  ],
  "the job that ends what waited too long": [
    ...["account.expire", "bank-batch.expire_discard", "bank-request.expire", "bank.expire_add"],
    ...["bank.expire_change", "bank.expire_enable", "key.expire", "key.expire_rotation"],
    ...["limits.expire", "payout.expire", "payout.expire_resolution"],
    ...["people.expire_finance_approval", "receiver.erase_expire", "rules.expire"],
    ...["screening.expire"],
  ],
  "a command about the installation": [
    ...["export.write", "installation.move", "installation.moved", "installation.quarantine"],
    ...["installation.release", "installation.restore", "master_key.rewrap"],
    ...["master_key.rotate_end", "master_key.rotate_start", "subaccount.move_in"],
    ...["subaccount.move_out", "subaccount.purge"],
  ],
};

const secret = /sk_(live|test)_|whsec_|PRIVATE KEY/;
/** Long enough for an account number, or an IBAN. */
const numbers = /\d{6,}|[A-Z]{2}\d{2}[A-Z\d]{8,}/g;
const decryptedMax = 200;

type Entry = { action: string; text: string };

export async function checkAuditEntries(db: Db, seal: Seal): Promise<void> {
  const problems = await problemsIn(db, seal).catch((error) => {
    // A test took the database away.
    if (isOutage(error)) return [];
    throw error;
  });
  assert.deepEqual(problems, [], "the audit log");
}

async function problemsIn(db: Db, seal: Seal): Promise<string[]> {
  // One without a hash was not recorded: a test made it up.
  const { rows } = await db.pool.query<Entry>(
    `select action, before::text || after::text as text from audit_entry where hash <> '' order by number`,
  );
  const known = new Set(knownActs().map(({ name }) => name));
  for (const action of Object.values(otherActions).flat()) known.add(action);
  const stored = await accountNumbers(db, seal, new Set(rows.flatMap(numbersIn)));
  const problems = rows.flatMap((row) => {
    const what = [
      !known.has(row.action) && "is no known action",
      secret.test(row.text) && "has a secret",
      numbersIn(row).some((number) => stored.has(number)) && "has a whole account number",
    ].filter(Boolean);
    return what.map((fault) => `${row.action} ${fault}: ${row.text}`);
  });
  return [...new Set(problems)];
}

const numbersIn = ({ text }: Entry): string[] => text.match(numbers) ?? [];

/** Those of receivers and of bank connections that may be among the given ones. */
async function accountNumbers(db: Db, seal: Seal, among: Set<string>): Promise<Set<string>> {
  const found = new Set<string>();
  if (among.size === 0) return found;
  const { rows: details } = await db.pool.query(
    `select d.subaccount_id, d.account_id, d.version, d.account_number_sealed, a.receiver_id, r.person_key
     from bank_details d join receiver_account a on (a.subaccount_id, a.id) = (d.subaccount_id, d.account_id)
     join receiver r on (r.subaccount_id, r.id) = (a.subaccount_id, a.receiver_id)
     where d.account_number_tail = any($1) limit $2`,
    [[...among].map(tailOf), decryptedMax],
  );
  for (const row of details) found.add(openNumberIfReadable(seal, row) ?? "");
  const { rows: connections } = await db.pool.query(
    "select id, settings_sealed from bank_connection limit $1",
    [decryptedMax],
  );
  for (const { id, settings_sealed } of connections) {
    const settings = seal.decryptIfReadable(settings_sealed, settingsIdentity(id)) ?? "{}";
    for (const [name, value] of Object.entries(JSON.parse(settings))) {
      if (/account|iban/.test(name)) found.add(String(value));
    }
  }
  found.delete("");
  return found;
}
