// Every SQL statement about people and how they prove who they are.

import { type Runner, statement, type Tx } from "../db/connect.ts";
import type { Role } from "./person.ts";

const hasAdmin = statement<{ exists: boolean }>(
  "person-has-admin",
  "select exists (select from person where role = 'admin') as exists",
);

export async function hasAnAdmin(db: Runner): Promise<boolean> {
  const [row] = await db.run(hasAdmin);
  return row?.exists === true;
}

const insert = statement<never>(
  "person-insert",
  "insert into person (id, name, email, role, subaccount_id) values ($1, $2, $3, $4, $5)",
);

export type NewPerson = {
  id: string;
  name: string;
  email: string;
  role: Role;
  subaccountId?: string | undefined;
};

export async function insertPerson(
  tx: Runner,
  { id, name, email, role, subaccountId }: NewPerson,
): Promise<void> {
  await tx.run(insert, [id, name, email.toLowerCase(), role, subaccountId ?? null]);
}

const join = statement<{ email: string }>(
  "person-join",
  "update person set name = $2, joined_at = coalesce(joined_at, now()), updated_at = now() where id = $1",
);

export async function updatePersonJoined(
  tx: Tx,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await tx.run(join, [id, name]);
}

const setPassword = statement<never>(
  "person-password-set",
  `insert into person_credential (id, person_id, provider_id, account_id, password)
   values ($1, $2, 'credential', $2::uuid::text, $3)
   on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
);

export async function upsertPassword(
  tx: Tx,
  { id, personId, hash }: { id: string; personId: string; hash: string },
): Promise<void> {
  await tx.run(setPassword, [id, personId, hash]);
}

const findPassword = statement<{ password: string | null }>(
  "person-password-find",
  `select password from person_credential
   where provider_id = 'credential' and account_id = $1::uuid::text`,
);

export async function findPasswordHash(db: Runner, personId: string): Promise<string | undefined> {
  const [row] = await db.run(findPassword, [personId]);
  return row?.password ?? undefined;
}
