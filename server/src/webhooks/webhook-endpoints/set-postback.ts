// Sets the URL of a webhook endpoint.

import { type AddressPolicy, addressProblem } from "../../platform/addresses/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { updateEndpointUrl } from "./queries.ts";
import { ensureSecret, type Sealing } from "./secret.ts";

export type SettingPostback = { addresses: AddressPolicy; nowMs: number };

/** Setting the same URL again enables a disabled endpoint. Returns the secret if this created the first one. */
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

function requireAllowedAddress(url: string, addresses: AddressPolicy): void {
  const reason = url === "" ? undefined : addressProblem(url, addresses);
  if (reason === undefined) return;
  const message = `postback_url ${reason}`;
  throw new Refusal([{ ...problem("SUBA210", "postback_url"), message }]);
}
