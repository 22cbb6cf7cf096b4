// The time at which a user proved their identity to the identity provider. The library reads the verified ID token but
// keeps only the fields that sign-in needs. This file passes the time on to our caller of the library, through the
// async context.

import { AsyncLocalStorage } from "node:async_hooks";
import { limits } from "../../platform/limits/index.ts";

type OidcProof = { authTimeS?: number };

const current = new AsyncLocalStorage<OidcProof>();

/** Runs `work` and returns its result, with the provider's data about the proof. */
export async function withOidcProof<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; proof: OidcProof }> {
  const proof: OidcProof = {};
  return { result: await current.run(proof, run), proof };
}

/** Only a verified ID token has an issuer. Other responses of the provider are not signed. */
export function noteOidcClaims({ iss, auth_time }: Record<string, unknown>): void {
  const proof = current.getStore();
  if (proof && typeof iss === "string" && typeof auth_time === "number") {
    proof.authTimeS = auth_time;
  }
}

/** The time of a fresh proof; undefined if it is older, or unknown. */
export function freshProofMs({ authTimeS }: OidcProof, nowMs: number): number | undefined {
  if (authTimeS === undefined) return undefined;
  const provenMs = authTimeS * 1000;
  return Math.abs(nowMs - provenMs) <= limits.oidcProofMs ? provenMs : undefined;
}
