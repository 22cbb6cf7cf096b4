// Schemas of a subaccount's settings.

import Type, { type Static } from "typebox";
import { modes } from "../../../platform/base/index.ts";
import { input } from "../../../platform/fields/index.ts";
import { Subaccount } from "../../../tenants/subaccounts/index.ts";
import { NewSubaccount } from "../../../webhooks/webhook-endpoints/index.ts";

export const Settings = Type.Object({
  profile: Subaccount,
  mode: Type.String({ enum: [...modes] }),
  needs_second_user: Type.Boolean({ description: "Of a test subaccount: it practises four eyes" }),
  logo_set_at: Type.Union([Type.Number(), Type.Null()], {
    description: "When the logo on receipts was set, in milliseconds; null: there is none",
  }),
  closed_at: Type.Union([Type.Number(), Type.Null()]),
  /** Limits of the service, the same for every subaccount. */
  kept: Type.Object({ event_days: Type.Number(), attempt_days: Type.Number() }),
});
export type Settings = Static<typeof Settings>;

/** The command line has more fields. */
const { name, mode } = NewSubaccount.properties;
export const NewSubaccountRequest = input({ name, mode });
