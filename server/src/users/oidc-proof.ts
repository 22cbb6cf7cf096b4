// When somebody proved to the identity provider who they are. The library reads the verified ID token, and keeps of it
// what it needs to sign in; this hands the rest to whoever asked the library, along the same chain of calls.

import { AsyncLocalStorage } from "node:async_hooks";
import { limits } from "../limits.ts";

export type OidcProof = { authTimeS?: number };

const current = new AsyncLocalStorage<OidcProof>();

/** Runs it, with what the provider said of the proof. */
export async function withOidcProof<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; proof: OidcProof }> {
  const proof: OidcProof = {};
  return { result: await current.run(proof, run), proof };
}

/** Of a verified ID token, which alone has an issuer: what else the provider answers is not signed. */
export function noteOidcClaims({ iss, auth_time }: Record<string, unknown>): void {
  const proof = current.getStore();
  if (proof && typeof iss === "string" && typeof auth_time === "number") {
    proof.authTimeS = auth_time;
  }
}

/** The time of a proof that has just been given; undefined where it was earlier, or nothing is known of it. */
export function freshProofMs({ authTimeS }: OidcProof, nowMs: number): number | undefined {
  if (authTimeS === undefined) return undefined;
  const provenMs = authTimeS * 1000;
  return Math.abs(nowMs - provenMs) <= limits.oidcProofMs ? provenMs : undefined;
}
