// Receivers with made-up names in bulk, and people who are on a list.

import type { ListEntry } from "../../src/people/list-files/list-entry.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { person } from "./screening-lists.ts";

const syllables =
  "ba ne lo ri ta mu so ki ve da ho pe ga fi zu ro la mi to sa ren dal vin mar".split(" ");
/** Sounds of their own, so that no other receiver has a listed name. */
const rare = "quor zyl drem vash thwe xan brog skiv jumb phel wro gnee".split(" ");

function nameOf(parts: readonly string[], number: number, length: number): string {
  let rest = number;
  let name = "";
  for (let part = 0; part < length; part += 1) {
    name += parts[rest % parts.length];
    rest = Math.floor(rest / parts.length);
  }
  return name[0]?.toUpperCase() + name.slice(1);
}

export type MadeUpName = { first_name: string; last_name: string };

/** Always the same for a number. */
export function madeUpName(number: number): MadeUpName {
  const spread = Math.imul(number + 1, 2_654_435_761) >>> 0;
  return {
    first_name: nameOf(syllables, spread % 13_824, 3),
    last_name: nameOf(syllables, Math.floor(spread / 7) % 331_776, 4),
  };
}

/** The person of entry `P<number>`. */
export function plantedName(number: number): MadeUpName {
  const spread = Math.imul(number + 1, 40_503) >>> 0;
  return {
    first_name: nameOf(rare, spread % 144, 2),
    last_name: nameOf(rare, spread % 1_728, 3),
  };
}

export function plantedEntry(number: number, changes: Partial<ListEntry> = {}): ListEntry {
  const { first_name, last_name } = plantedName(number);
  return person(`P${number}`, `${first_name} ${last_name}`, changes);
}

/** Entries of people who are no receivers. */
export function strangers(count: number): ListEntry[] {
  return Array.from({ length: count }, (_, number) => {
    const { first_name, last_name } = madeUpName(number * 31 + 5_000_011);
    return person(`S${number}`, `${first_name} ${last_name}ovich`);
  });
}

type People = {
  subaccountId: string;
  count: number;
  /** Each `plantedEvery`th receiver is a planted person; its reference is the key of the entry. */
  plantedEvery: number;
  /** The set of their records. */
  setId: number;
};

const chunk = 5_000;

/** Returns how many of them are planted. */
export async function addPeople({ pool }: Db, people: People): Promise<number> {
  const { subaccountId, count, plantedEvery, setId } = people;
  let planted = 0;
  for (let done = 0; done < count; done += chunk) {
    const size = Math.min(chunk, count - done);
    const names = Array.from({ length: size }, (_, index) => {
      const number = done + index;
      if (number % plantedEvery !== 0) return { ...madeUpName(number), reference: "" };
      planted += 1;
      return { ...plantedName(planted - 1), reference: `P${planted - 1}` };
    });
    await pool.query(insertPeople, [
      subaccountId,
      setId,
      names.map(({ first_name }) => first_name),
      names.map(({ last_name }) => last_name),
      names.map(({ reference }) => reference),
      done,
    ]);
  }
  return planted;
}

const insertPeople = `
  with made as materialized (
    select uuidv7(make_interval(secs => -3600 + (n + $6::int) * 0.001)) as id, first_name, last_name, reference
    from unnest($3::text[], $4::text[], $5::text[]) with ordinality as p(first_name, last_name, reference, n)
  ), created as (
    insert into receiver (subaccount_id, id, first_name, last_name, middle_name, email, email_key, gender, dob, dialcode,
      phone, address, address2, city, state, postcode, country, reference, applicant_id, status, kyc_status,
      created_at_ms)
    select $1, id, first_name, last_name, '', id || '@example.com', id || '@example.com', 'F', '1990-12-10', '61',
      '412345678', '1 St. Kilda Road', '', 'Melbourne', 'VIC', '3004', 'AUS', reference, '', 'active', 'completed',
      floor(extract(epoch from uuid_extract_timestamp(id)) * 1000)::bigint
    from made
  )
  insert into screening_record (subaccount_id, subject_kind, subject_id, set_id, screened_at_ms)
  select $1, 'receiver', id, $2, 1 from made`;
