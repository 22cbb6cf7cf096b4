// Makes the link with which a person gives what the identity check needs. It is passed on and never stored or logged.

import { type Clock, rateLimiter, type TokenExchange } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type KycProviders, type PersonLink, providerNamed } from "../kyc-providers/index.ts";
import { openPerson } from "../person/index.ts";
import type { ReceiverKey, States } from "../receivers/index.ts";
import { toApplicant } from "./applicant.ts";
import { findCheck } from "./queries.ts";

export type MakePersonLink = (
  key: ReceiverKey,
  /** Runs once the rate is not exceeded, and before the receiver is read. */
  begin?: () => Promise<void>,
) => Promise<PersonLink>;

type PersonLinkParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  providers: KycProviders;
  log: { warn(context: object, message: string): void };
  tokens?: TokenExchange | undefined;
};

export function personLinkMaker(parts: PersonLinkParts): MakePersonLink {
  const { db, seal, clock, providers, log, tokens } = parts;
  const rate = { perSecond: limits.personLinksPerS, burst: limits.personLinksBurst };
  const take = rateLimiter(rate, clock, tokens);

  return async (key, begin) => {
    const taken = take?.(key.subaccountId);
    if (taken && !taken.allowed) {
      const { "retry-after": retryAfter = "1" } = taken.headers;
      throw new Refusal("RATE101", { headers: { "retry-after": retryAfter } });
    }
    await begin?.();
    const row = await findCheck(db, key);
    if (!row) throw new Refusal("REVR101");
    const provider = providerNamed(providers, row.kyc_provider);
    if (!provider?.personLink) throw new Refusal("REVR304");
    requireWaiting(row);
    try {
      return await provider.personLink(
        toApplicant(openPerson(seal, key.subaccountId, row)),
        AbortSignal.timeout(limits.kycCallMs),
      );
    } catch (error) {
      const context = { provider: provider.name, subaccount_id: key.subaccountId };
      log.warn({ err: error, ...context, receiver_id: key.id }, "identity check: no link");
      throw new Refusal("REVR305", { headers: { "retry-after": "5" } });
    }
  };
}

/** Before the applicant exists, a link would create one without the receiver's details. */
function requireWaiting({ status, kyc_status }: States): void {
  if (kyc_status === "pending" && status !== "creating") return;
  const message =
    "Identity check does not wait for the person: " +
    `the receiver is ${status}, with KYC ${kyc_status}`;
  throw new Refusal("REVR303", { message });
}
