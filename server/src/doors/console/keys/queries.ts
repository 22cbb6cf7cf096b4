// The SQL of the list of keys. It is paged, because there may be many expired keys.

import type { Scope } from "../../../platform/base/index.ts";
import { type Runner, statement } from "../../../platform/db/index.ts";

export type ShownKey = {
  key: string;
  name: string;
  scopes: Scope[];
  addresses: string[];
  version2_only: boolean;
  awaiting_approval: boolean;
  created_at_ms: number;
  created_by: string | null;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  secrets: {
    created_at_ms: number;
    expires_at_ms: number | null;
    last_used_at_ms: number | null;
    is_live: boolean;
    is_waiting: boolean;
  }[];
};

const msOf = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/** The position of a key in the list. */
const place = (key: string) =>
  `${key}.revoked_at is not null, -extract(epoch from ${key}.created_at), ${key}.key`;

const list = statement<ShownKey>(
  "console-keys-list",
  `select k.key, k.name, k.scopes, k.addresses, k.version2_only, k.awaiting_approval,
          ${msOf("k.created_at")} as created_at_ms, ${msOf("k.expires_at")} as expires_at_ms,
          ${msOf("k.revoked_at")} as revoked_at_ms,
          (select a.who from audit_entry a
           where a.object_id = k.key and a.object_kind = 'api_key' and a.action = 'key.create'
           order by a.number limit 1) as created_by,
          coalesce((select json_agg(json_build_object(
                      'created_at_ms', ${msOf("s.created_at")}, 'expires_at_ms', ${msOf("s.expires_at")},
                      'last_used_at_ms', ${msOf("s.last_used_at")},
                      'is_live', s.expires_at is null or s.expires_at > now(),
                      'is_waiting', s.awaiting_approval) order by s.id)
                    from api_secret s where s.key = k.key), '[]') as secrets
   from api_key k
   where k.subaccount_id = $1
     and ($2 or (k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))
     and ($3::text is null or (${place("k")}) > (
       select ${place("c")} from api_key c where c.subaccount_id = $1 and c.key = $3))
   order by ${place("k")} limit $4`,
);

type KeyPage = {
  withEnded: boolean;
  /** Only those after this key. */
  after: string | undefined;
  limit: number;
};

/** Keys that are not revoked come first; newest first within each group. */
export function listKeysToShow(
  db: Runner,
  subaccountId: string,
  { withEnded, after, limit }: KeyPage,
): Promise<ShownKey[]> {
  return db.run(list, [subaccountId, withEnded, after ?? null, limit]);
}
