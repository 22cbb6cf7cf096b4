// The SQL that makes the challenge of a passkey sign-in usable only once.

import { newId } from "../../platform/base/index.ts";
import { type Runner, statement } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";

const redeem = statement<{ id: string }>(
  "passkey-challenge-redeem",
  // The library looks for the second row and deletes it. The first row stays until the challenge has expired on every
  // clock.
  `with used as (
     insert into user_verification (id, identifier, value, expires_at)
     select $2::uuid, '', '', $3::timestamptz + interval '${limits.passkeyChallengeMs} ms'
     from user_passkey where credential_id = $1
     on conflict (id) do nothing returning id
   )
   insert into user_verification (id, identifier, value, expires_at)
   select $4::uuid, $5::text, $6::text, $3 from used
   returning id`,
);

/** False if the passkey is unknown or the challenge was used. Then nothing is written. */
export async function redeemChallenge(
  db: Runner,
  challenge: { id: string; token: string; value: string; expiresAtMs: number },
  credentialId: string,
): Promise<boolean> {
  const { id, token, value, expiresAtMs } = challenge;
  const rows = await db.run(redeem, [
    credentialId,
    id,
    new Date(expiresAtMs),
    newId(),
    token,
    value,
  ]);
  return rows.length > 0;
}
