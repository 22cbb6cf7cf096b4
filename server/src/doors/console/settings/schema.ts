// Schemas of a subaccount's settings.

import Type, { type Static } from "typebox";
import { modes } from "../../../platform/base/index.ts";
import { input, line, required, type SchemaExtras } from "../../../platform/fields/index.ts";
import { Subaccount } from "../../../tenants/subaccounts/index.ts";
import { SubaccountChange, telephoneRules } from "../../../webhooks/webhook-endpoints/index.ts";

export const Settings = Type.Object({
  profile: Subaccount,
  mode: Type.String({ enum: [...modes] }),
  closed_at: Type.Union([Type.Number(), Type.Null()]),
  /** Limits of the service, the same for every subaccount. */
  kept: Type.Object({ event_days: Type.Number(), attempt_days: Type.Number() }),
});
export type Settings = Static<typeof Settings>;

// The webhook URL is changed on its own screen, which asks for a fresh proof.
const { postback_url: _, ...contact } = SubaccountChange.properties;
export const ProfileChange = Type.Object(contact, {
  additionalProperties: false,
  ...({ unknownField: "SUBA211", rules: telephoneRules } satisfies SchemaExtras),
});
export type ProfileChange = Static<typeof ProfileChange>;

export const NewSubaccountRequest = input({
  name: required(Type.String({ pattern: line, minLength: 1, maxLength: 100 })),
  mode: required(Type.String({ enum: [...modes] })),
});

export const MadeSubaccount = Type.Object({
  id: Type.String(),
  name: Type.String(),
  mode: Type.String({ enum: [...modes] }),
  key: Type.String(),
  /** The secret of the first key. Shown once. */
  secret: Type.String(),
  /** The first key works once another user has approved it. */
  awaits_approval: Type.Boolean(),
});
export type MadeSubaccount = Static<typeof MadeSubaccount>;

/** Closing can't be undone, so the user types the name. */
export const ClosedSubaccount = input({ name: required(Type.String({ maxLength: 200 })) });
