// Every SQL statement about users and their credentials.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Role } from "../roles/index.ts";

const hasAdmin = statement<{ exists: boolean }>(
  "person-has-admin",
  "select exists (select from console_user where role = 'admin') as exists",
);

export async function hasAnAdmin(db: Runner): Promise<boolean> {
  const [row] = await db.run(hasAdmin);
  return row?.exists === true;
}

const insert = statement<never>(
  "person-insert",
  `with made as (
     insert into console_user (id, name, email, role, subaccount_id)
     values ($1, $2, $3, $4, ($5::uuid[])[1]) returning id
   )
   insert into user_subaccount (subaccount_id, user_id) select unnest($5::uuid[]), id from made`,
);

type NewUser = {
  id: string;
  name: string;
  email: string;
  role: Role;
  subaccountIds?: readonly string[] | undefined;
};

export async function insertUser(
  tx: Runner,
  { id, name, email, role, subaccountIds = [] }: NewUser,
): Promise<void> {
  await tx.run(insert, [id, name, email.toLowerCase(), role, subaccountIds]);
}

/** Null if a user sees all subaccounts. Rows that the previous version left behind are ignored. */
export const subaccountsOf = (user: string) =>
  `case when ${user}.subaccount_id is null then null
     when exists (select from user_subaccount s
       where s.subaccount_id = ${user}.subaccount_id and s.user_id = ${user}.id)
     then (select array_agg(s.subaccount_id::text order by s.subaccount_id <> ${user}.subaccount_id, s.subaccount_id)
       from user_subaccount s where s.user_id = ${user}.id)
     else array[${user}.subaccount_id::text] end`;

const rename = statement<never>(
  "person-rename",
  "update console_user set name = $2, updated_at = now() where id = $1",
);

export async function updateUserName(
  tx: Tx,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await tx.run(rename, [id, name]);
}

const loggedIn = statement<never>(
  "person-logged-in",
  "update console_user set logged_in_at = now() where id = $1",
);

export async function updateUserSignedIn(tx: Tx, id: string): Promise<void> {
  await tx.run(loggedIn, [id]);
}

const setPassword = statement<never>(
  "person-password-set",
  `insert into user_credential (id, user_id, provider_id, account_id, password)
   values ($1, $2, 'credential', $2::uuid::text, $3)
   on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
);

export async function upsertPassword(
  tx: Tx,
  { id, userId, hash }: { id: string; userId: string; hash: string },
): Promise<void> {
  await tx.run(setPassword, [id, userId, hash]);
}

const hasOidc = statement<{ exists: boolean }>(
  "person-has-oidc",
  `select exists (
     select from user_credential where user_id = $1 and provider_id = 'oidc'
   ) as exists`,
);

export async function hasOidcCredential(db: Runner, userId: string): Promise<boolean> {
  return (await db.run(hasOidc, [userId]))[0]?.exists === true;
}

const findPassword = statement<{ password: string | null }>(
  "person-password-find",
  `select password from user_credential
   where provider_id = 'credential' and account_id = $1::uuid::text`,
);

export async function findPasswordHash(db: Runner, userId: string): Promise<string | undefined> {
  const [row] = await db.run(findPassword, [userId]);
  return row?.password ?? undefined;
}

const lock = statement<{
  email: string;
  role: Role;
  subaccount_ids: string[] | null;
  disabled: boolean;
}>(
  "person-lock",
  `select email, role, ${subaccountsOf("console_user")} as subaccount_ids, disabled_at is not null as disabled from console_user
   where id = $1 for no key update`,
);

export type UserState = {
  role: Role;
  subaccountIds: readonly string[] | undefined;
  disabled: boolean;
};

export async function lockUser(
  tx: Tx,
  id: string,
): Promise<(UserState & { email: string }) | undefined> {
  const [row] = await tx.run(lock, [id]);
  if (!row) return undefined;
  const { email, role, subaccount_ids, disabled } = row;
  return { email, role, subaccountIds: subaccount_ids ?? undefined, disabled };
}

const lockAllAdmins = statement<{ id: string }>(
  "person-admins-lock",
  `select id from console_user where role = 'admin' and disabled_at is null order by id for no key update`,
);

/** Only admins who are not disabled. */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  return (await tx.run(lockAllAdmins)).map(({ id }) => id);
}

const update = statement<never>(
  "person-update",
  `with gone as (
     delete from user_subaccount where user_id = $1 and subaccount_id <> all($3::uuid[])
   ), added as (
     insert into user_subaccount (subaccount_id, user_id) select unnest($3::uuid[]), $1 on conflict do nothing
   )
   update console_user set role = $2, subaccount_id = ($3::uuid[])[1], updated_at = now(),
     disabled_at = case when $4 then coalesce(disabled_at, now()) end
   where id = $1`,
);

export async function updateUser(
  tx: Tx,
  { id, role, subaccountIds, disabled }: UserState & { id: string },
): Promise<void> {
  await tx.run(update, [id, role, subaccountIds ?? [], disabled]);
}

const removeCredentials = statement<never>(
  "person-credentials-delete",
  `with passkeys as (delete from user_passkey where user_id = $1)
   delete from user_credential where user_id = $1`,
);

export async function deleteCredentials(tx: Tx, userId: string): Promise<void> {
  await tx.run(removeCredentials, [userId]);
}

const findIsDisabled = statement<{ disabled: boolean }>(
  "person-disabled",
  "select disabled_at is not null as disabled from console_user where id = $1",
);

export async function isUserDisabled(db: Runner, id: string): Promise<boolean> {
  const [row] = await db.run(findIsDisabled, [id]);
  return row?.disabled !== false;
}

const findEnabledAdmin = statement<FirstAdmin>(
  "person-enabled-admin",
  `select id, name, email, created_at from console_user
   where id = $1 and role = 'admin' and disabled_at is null`,
);

export type FirstAdmin = { id: string; name: string; email: string; created_at: Date };

/** Undefined: they are no admin any more. */
export async function findAdmin(db: Runner, id: string): Promise<FirstAdmin | undefined> {
  return (await db.run(findEnabledAdmin, [id]))[0];
}

const byEmail = statement<{ id: string }>(
  "person-by-email",
  "select id from console_user where email = $1",
);

const named = statement<never>(
  "person-named",
  "select from console_user where lower(email) = lower($1) or lower(name) = lower($1) limit 1",
);

/** Whether it is the email or the whole name of a user, also of a disabled one. */
export async function isNameOfUser(db: Runner, name: string): Promise<boolean> {
  return (await db.run(named, [name])).length > 0;
}

export async function findUserByEmail(db: Runner, email: string): Promise<string | undefined> {
  const [row] = await db.run(byEmail, [email.toLowerCase()]);
  return row?.id;
}

export type UserRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  subaccount_ids: string[] | null;
  disabled_at: Date | null;
  logged_in_at: Date | null;
  created_at: Date;
  sessions: number;
  has_password: boolean;
  passkeys: number;
  link_expires_at: Date | null;
  set_up_confirmed_by: string | null;
};

const list = statement<UserRow>(
  "person-list",
  `select p.id, p.name, p.email, p.role, ${subaccountsOf("p")} as subaccount_ids, p.disabled_at, p.logged_in_at, p.created_at,
     (select count(*)::int from user_session s
      where s.user_id = p.id and s.expires_at > $1
        and s.seen_at > $1 - interval '${limits.sessionIdleMs} ms') as sessions,
     exists (select from user_credential c
       where c.user_id = p.id and c.provider_id = 'credential') as has_password,
     (select count(*)::int from user_passkey k where k.user_id = p.id) as passkeys,
     (select expires_at from invitation i where i.user_id = p.id and i.expires_at > $1) as link_expires_at,
     (select confirmed_by from user_vouch v where v.user_id = p.id and v.voucher = 'set-up') as set_up_confirmed_by
   from console_user p order by p.name, p.id`,
);

/** All users: a console has few. */
export function listUsers(db: Runner, nowMs: number): Promise<UserRow[]> {
  return db.run(list, [new Date(nowMs)]);
}

const passkeysOf = statement<{ id: string; name: string | null; created_at: Date | null }>(
  "person-passkeys",
  "select id, name, created_at from user_passkey where user_id = $1 order by id",
);

type Passkey = { id: string; name: string; createdAtMs: number };

export async function listPasskeys(db: Runner, userId: string): Promise<Passkey[]> {
  const rows = await db.run(passkeysOf, [userId]);
  return rows.map(({ id, name, created_at }) => ({
    id,
    name: name ?? "",
    createdAtMs: created_at?.getTime() ?? 0,
  }));
}
