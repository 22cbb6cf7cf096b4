// Receivers with names as people have them, for the search: forty first names, eight thousand last names, a few domains.
// Ten of them have a rare name.

import { type Database, settle } from "./database.ts";
import { progressBar } from "./progress.ts";

const chunk = 20_000;
const yearS = 365 * 24 * 3600;

const first =
  "Maria José Anna Mohammed Wei Olga Jean Fatima Liam Noah Emma Olivia Ava Mia Sofía Lucas Søren Jürgen Zoë Chloé " +
  "Yusuf Aisha Ivan Marta Pedro Lucía Hans Greta Kenji Yuki Min-jun Priya Arjun Nguyễn Thị Kwame Ama Tane Aroha Björn";
const begins = "Mül Gar Sil San Fer Roth Nak Oka Tan Kim Pat Sha Ngu Oko Hans Ols Kow Nov Ros Bia";
const middles = "ler cí va to nan berg a mura da kow ski son sen ez es ov in el ini ard";
const ends = "a o er mann s ik ov ez ini u el on ard us is ens i ey ton ski";

/** Adds receivers to the caller's subaccount, oldest first, and vacuums. */
export async function addNamedReceivers({ db, caller }: Database, count: number): Promise<void> {
  const bar = progressBar(`${count} receivers with names`, count);
  const lists = [first, begins, middles, ends].map((words) => words.split(" "));
  for (let done = 0; done < count; done += chunk) {
    const last = Math.min(done + chunk, count);
    await db.pool.query(insert, [caller.subaccountId, done + 1, last, count, yearS, ...lists]);
    bar(last);
  }
  await settle(db);
}

/** The name of ten receivers. */
export const rareName = "Quetzalcóatl";

const insert = `
  insert into receiver (
    subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode, phone,
    address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status,
    created_at_ms
  )
  select $1::uuid, id, first_name, last_name, '', email, email, 'F', '1990-12-10', '61', '412345678',
    '1 St. Kilda Road', '', 'Melbourne', 'VIC', '3004', 'AUS', 'staff-' || n, '', 'active', 'completed',
    floor(extract(epoch from uuid_extract_timestamp(id)) * 1000)::bigint
  from (
    select n, uuidv7(make_interval(secs => -$5::float8 * ($4::float8 - n) / $4)) as id,
      ($6::text[])[1 + abs(hashint4(n)) % 40] as first_name,
      case when n % greatest(1000, $4::int / 10) = 7 then '${rareName}'
        else ($7::text[])[1 + abs(hashint4(n + 1)) % 20] || ($8::text[])[1 + abs(hashint4(n + 2)) % 20]
          || ($9::text[])[1 + abs(hashint4(n + 3)) % 20] end as last_name,
      'p' || n || '.' || substr(md5(n::text), 1, 6) || '@domain' || n % 20 || '.example.com' as email
    from generate_series($2::int, $3::int) as n
    offset 0
  ) as made`;
