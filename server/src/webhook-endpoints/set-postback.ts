// Sets where a subaccount's events go.

import { type AddressPolicy, addressProblem } from "../addresses/address-guard.ts";
import { problem, Refusal } from "../refusals/refusals.ts";
import { updateEndpointUrl } from "./queries.ts";
import { ensureSecret, type Sealing } from "./secret.ts";

export type SettingPostback = { addresses: AddressPolicy; nowMs: number };

/**
 * Sets the address, also to what it was: a lane that was left alone starts anew. The first secret, where this
 * made it.
 */
export async function setPostback(
  sealing: Sealing,
  subaccountId: string,
  url: string,
  { addresses, nowMs }: SettingPostback,
): Promise<string | undefined> {
  requireAllowedAddress(url, addresses);
  await updateEndpointUrl(sealing.tx, subaccountId, url);
  return url === "" ? undefined : ensureSecret(sealing, subaccountId, nowMs);
}

export function requireAllowedAddress(url: string, addresses: AddressPolicy): void {
  const unfit = url === "" ? undefined : addressProblem(url, addresses);
  if (unfit === undefined) return;
  const message = `postback_url ${unfit}`;
  throw new Refusal([{ ...problem("SUBA210", "postback_url"), message }]);
}
