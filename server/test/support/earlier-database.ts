// A database as the last versions before 0.1.0 have left it: the schema of 0.1.0, and the migrations of that time as applied.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Db } from "../../src/platform/db/connect.ts";

const file = join(import.meta.dirname, "..", "fixtures", "migrations-before-0.1.0.txt");

/** What 0079 to 0082 have changed, taken back. */
const takeBack = `
  drop index user_vouch_unconfirmed, bank_details_marks_due;
  alter table bank_request drop constraint bank_request_kind_check;
  alter table bank_request add constraint bank_request_kind_check
    check (kind in ('file', 'suspense', 'statement_line', 'csv_mapping'));
  alter table bank_batch drop column discard_asked_at_ms;
  alter table installation drop column finance_asked_at_ms;
  alter table bank_details drop column mark_version;`;

/** Makes a database that is at 0.1.0 one of before, at `until`: 0082 or earlier. Only 0078 also has the schema of its time. */
export async function makeEarlier({ pool }: Db, until = "0082"): Promise<void> {
  const rows = readFileSync(file, "utf8").trim().split("\n");
  const applied = rows.map((row) => row.split(" ")).filter(([name = ""]) => name < `${until}~`);
  await pool.query("delete from migration");
  for (const row of applied)
    await pool.query("insert into migration (name, checksum) values ($1, $2)", row);
  // What migrations after 0.1.0 have made.
  await pool.query(
    `drop table import_mapping; alter table subaccount drop column needs_second_user;
     alter table invitation drop column first_admin_id; drop index invitation_for_set_up;
     drop table operator_token; drop table operator_answer; alter table audit_entry drop column token;
     drop table login_request; drop table receipt_logo; alter table user_session drop column client;
     alter table file_import_refusal drop column is_waiting, drop column change_id, drop column equal_before;
     drop table further_endpoint, further_endpoint_secret, event_fan_out, further_delivery,
       further_delivery_abandoned, further_recovery;
     alter table webhook_endpoint drop column further_types, drop column description, drop column headers_sealed,
       drop column header_names, drop column disable_after_days, drop column disabled_because, drop column untold;
     alter table delivery_attempt drop column endpoint_id;
     drop function body_with_metadata; drop table metadata_entry; drop table payout_batch;
     alter table receiver drop column metadata; alter table receiver_account drop column metadata;
     alter table payout drop column metadata; alter table subaccount drop column event_metadata, drop column balance_levels;
     create unique index invitation_for_set_up on invitation ((true)) where user_id is null`,
  );
  if (until === "0078") await pool.query(takeBack);
}
