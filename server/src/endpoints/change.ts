// Changes where a subaccount's events go, and who is to be reached there: all of it, or nothing.

import { Refusal } from "../refusals.ts";
import {
  findSubaccount,
  lockSubaccount,
  type SubaccountDetails,
  updateSubaccountDetails,
} from "../subaccounts/queries.ts";
import type { Subaccount } from "../subaccounts/schema.ts";
import { type SubaccountChange, telephoneRules, telephones } from "./schema.ts";
import type { Sealing } from "./secret.ts";
import { type SettingPostback, setPostback } from "./set-postback.ts";

/** The subaccount as it is afterwards. */
export async function changeSubaccount(
  sealing: Sealing,
  subaccountId: string,
  { postback_url, ...contact }: SubaccountChange,
  setting: SettingPostback,
): Promise<Subaccount> {
  const { tx } = sealing;
  if (!(await lockSubaccount(tx, subaccountId))) throw new Refusal("SUBA101");
  if (Object.keys(contact).length > 0) await changeContact(sealing, subaccountId, contact);
  if (postback_url !== undefined) await setPostback(sealing, subaccountId, postback_url, setting);
  const changed = await findSubaccount(tx, subaccountId);
  if (!changed) throw new Error("a subaccount that is locked must be there");
  return changed.wire;
}

async function changeContact(
  { tx }: Sealing,
  subaccountId: string,
  given: Omit<SubaccountChange, "postback_url">,
): Promise<void> {
  const current = (await findSubaccount(tx, subaccountId))?.wire;
  const contact = { ...given };
  for (const { dialcode } of telephones) {
    const digits = contact[dialcode]?.replace("+", "");
    if (digits) contact[dialcode] = `+${digits}`;
  }
  // What was given fits together; now with what stays. A pair that is not touched is not judged.
  const touched = telephones.filter((pair) => pair.dialcode in given || pair.number in given);
  const pairs = touched.flatMap(({ dialcode, number }) => [dialcode, number]);
  const afterwards: Record<string, unknown> = { ...current, ...contact };
  const judged = Object.fromEntries(pairs.map((field) => [field, afterwards[field]]));
  const [first, ...rest] = telephoneRules(judged);
  if (first) throw new Refusal([first, ...rest]);

  const { home_phone_international_dialcode: home_dialcode, ...others } = contact;
  const details: SubaccountDetails = others;
  if (home_dialcode !== undefined) details.home_dialcode = home_dialcode;
  await updateSubaccountDetails(tx, subaccountId, details);
}
