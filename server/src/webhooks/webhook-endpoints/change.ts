// Changes the webhook endpoint, event types and contact of a subaccount, in one transaction.

import { Refusal } from "../../platform/refusals/index.ts";
import { lockSubaccount } from "../../tenants/api-keys/index.ts";
import { type Actor, recordAct } from "../../tenants/audit/index.ts";
import {
  findSubaccount,
  type SubaccountDetails,
  updateBalanceLevels,
  updateEventMetadata,
  updateSubaccountDetails,
} from "../../tenants/subaccounts/index.ts";
import { plainUrl } from "./endpoint.ts";
import { findEndpoint } from "./queries.ts";
import {
  type ChangedSubaccount,
  type SubaccountChange,
  telephoneRules,
  telephones,
} from "./schema.ts";
import type { Sealing } from "./secret.ts";
import { setEventTypes } from "./set-event-types.ts";
import { type SettingPostback, setPostback } from "./set-postback.ts";

/** A change by an API key, which the audit log names. */
export async function changeSubaccountByKey(
  sealing: Sealing,
  actor: Actor & { subaccountId: string },
  change: SubaccountChange,
  setting: SettingPostback,
): Promise<ChangedSubaccount> {
  const { tx } = sealing;
  const { subaccountId: id } = actor;
  if (!(await lockSubaccount(tx, id))) throw new Refusal("SUBA101");
  const before = (await findEndpoint(tx, id, 0))?.url ?? "";
  const changed = await changeSubaccount(sealing, id, change, setting);
  const { postback_url: url, event_types } = change;
  await recordAct(sealing, actor, {
    action: "subaccount.change",
    object: { kind: "subaccount", id },
    before: { ...(url !== undefined && { postback_url: plainUrl(before) }) },
    after: {
      fields: Object.keys(change).sort(),
      ...(url !== undefined && { postback_url: plainUrl(url) }),
      ...(event_types && { event_types: event_types.join(" ") }),
    },
  });
  return changed;
}

/** Returns the subaccount as it is afterwards, with the secret if this created the first one. */
export async function changeSubaccount(
  sealing: Sealing,
  subaccountId: string,
  { postback_url, event_types, event_metadata, balance_levels, ...contact }: SubaccountChange,
  setting: SettingPostback,
): Promise<ChangedSubaccount> {
  const { tx } = sealing;
  if (!(await lockSubaccount(tx, subaccountId))) throw new Refusal("SUBA101");
  if (Object.keys(contact).length > 0) await changeContact(sealing, subaccountId, contact);
  if (event_types) await setEventTypes(tx, subaccountId, event_types);
  if (balance_levels) await updateBalanceLevels(tx, subaccountId, balance_levels);
  if (event_metadata !== undefined) await updateEventMetadata(tx, subaccountId, event_metadata);
  const secret =
    postback_url === undefined
      ? undefined
      : await setPostback(sealing, subaccountId, postback_url, setting);
  const changed = await findSubaccount(tx, subaccountId);
  if (!changed) throw new Error("a subaccount that is locked must be there");
  return { ...changed.wire, ...(secret && { postback_secret: secret }) };
}

async function changeContact(
  { tx }: Sealing,
  subaccountId: string,
  given: Omit<
    SubaccountChange,
    "postback_url" | "event_types" | "event_metadata" | "balance_levels"
  >,
): Promise<void> {
  const current = (await findSubaccount(tx, subaccountId))?.wire;
  const contact = { ...given };
  for (const { dialcode } of telephones) {
    const digits = contact[dialcode]?.replace("+", "");
    if (digits) contact[dialcode] = `+${digits}`;
  }
  // The given fields were checked by themselves. Now check them together with the stored ones; untouched pairs pass.
  const touched = telephones.filter((pair) => pair.dialcode in given || pair.number in given);
  const pairs = touched.flatMap(({ dialcode, number }) => [dialcode, number]);
  const afterwards: Record<string, unknown> = { ...current, ...contact };
  const checked = Object.fromEntries(pairs.map((field) => [field, afterwards[field]]));
  const [first, ...rest] = telephoneRules(checked);
  if (first) throw new Refusal([first, ...rest]);

  const { home_phone_international_dialcode: home_dialcode, ...others } = contact;
  const details: SubaccountDetails = others;
  if (home_dialcode !== undefined) details.home_dialcode = home_dialcode;
  await updateSubaccountDetails(tx, subaccountId, details);
}
