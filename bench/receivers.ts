// Receivers in bulk, made by SQL: as old as a year, of every state, one of the states rare.

import type { Database } from "./database.ts";
import { settle } from "./database.ts";
import { progressBar } from "./progress.ts";

const chunk = 20_000;
const yearS = 365 * 24 * 3600;

// Of a thousand receivers, how many are in which states. The rare ones are few, but more than a page
// of 20 among ten thousand, so that a page is full in the small set as in the large one.
const states = [
  { of1000: 880, status: "active", kyc: "completed" },
  { of1000: 60, status: "pending", kyc: "pending" },
  { of1000: 30, status: "inactive", kyc: "completed" },
  { of1000: 20, status: "active", kyc: "pending" },
  { of1000: 7, status: "creating", kyc: "pending" },
  { of1000: 3, status: "failed", kyc: "failed" },
];

/** Adds receivers to the subaccount of the caller, oldest first, and tidies up after itself. */
export async function addReceivers({ db, caller }: Database, count: number): Promise<void> {
  const bar = progressBar(`${count} receivers`, count);
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    await db.pool.query(insert, [caller.subaccountId, done + 1, last, count, yearS]);
    bar(last);
  }
  await settle(db);
}

function caseOf(column: "status" | "kyc"): string {
  let below = 0;
  const branches = states.map((state) => {
    below += state.of1000;
    return `when spread < ${below} then '${state[column]}'`;
  });
  return `case ${branches.join(" ")} end`;
}

// The states are spread by a hash, so that rare ones lie anywhere. Addresses too: their index then grows in
// no order, as with real people.
const insert = `
  insert into receiver (
    subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode, phone,
    address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status,
    created_at_ms
  )
  select $1::uuid, id, 'Ada', 'Lovelace', '', email, email, 'F', '1990-12-10', '61', '412345678',
    '1 St. Kilda Road', '', 'Melbourne', 'VIC', '3004', 'AUS', '', 'applicant_' || replace(id::text, '-', ''),
    ${caseOf("status")}, ${caseOf("kyc")},
    floor(extract(epoch from uuid_extract_timestamp(id)) * 1000)::bigint
  from (
    select uuidv7(make_interval(secs => -$5::float8 * ($4::float8 - n) / $4)) as id,
      'ada-' || md5(n::text)::uuid || '@example.com' as email,
      abs(hashint4(n) % 1000) as spread
    from generate_series($2::int, $3::int) as n
    offset 0
  ) as made`;

/** Ids picked at random over the whole set. */
export async function sampleIds({ db, caller }: Database, count: number): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    "select id from receiver where subaccount_id = $1 order by random() limit $2",
    [caller.subaccountId, count],
  );
  return rows.map(({ id }) => id);
}
