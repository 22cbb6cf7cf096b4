// Schemas of receivers.

import Type, { type Static } from "typebox";
import { payeeNameOutcomes } from "../../../people/payee-checks/index.ts";
import { kycStatuses, Receiver, receiverStatuses } from "../../../people/receivers/index.ts";
import { emailCharsMax } from "../../../platform/emails/index.ts";
import { input, line, optional, required } from "../../../platform/fields/index.ts";
import { metadataPairPattern, metadataSchema } from "../../../platform/metadata/index.ts";
import { cursorField, pageOf, rowsField, timeField } from "../../lists/index.ts";

const Time = Type.Number({ description: "Milliseconds since the Unix epoch" });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** Both states, in words and as the codes of the API's filters. */
export const stateFields = {
  status: Type.String({ enum: [...receiverStatuses] }),
  status_code: Type.Number({ description: "0 to 4, as the API's filter takes it" }),
  kyc_status: Type.String({ enum: [...kycStatuses] }),
  kyc_code: Type.Number({ description: "0 to 2, as the API's filter takes it" }),
};

const filters = {
  status: optional(Type.String({ format: "receiver-status" })),
  kyc_status: optional(Type.String({ format: "kyc-status" })),
  email: optional(Type.String({ format: "email-address", maxLength: emailCharsMax })),
  reference: optional(Type.String({ minLength: 1, maxLength: 200, pattern: line })),
  country: optional(Type.String({ format: "country-alpha-3" })),
  q: optional(Type.String({ minLength: 1, maxLength: 200, pattern: line })),
  from: timeField,
  to: timeField,
  /** `order=77` */
  metadata: optional(Type.String({ pattern: metadataPairPattern, maxLength: 541 })),
};
/** A minus means descending. Default: newest first. By name only without a text, an email and a reference. */
const sort = optional(Type.String({ pattern: "^-?(created|name)$" }));
export const ReceiversFilter = input({ ...filters, sort, limit: rowsField, cursor: cursorField });
export type ReceiversFilter = Static<typeof ReceiversFilter>;
export const ReceiversExport = input(filters);

export const ReceiverLine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  country: Type.String(),
  reference: Type.String(),
  ...stateFields,
  accounts: Type.Number({ description: "Counted up to 100" }),
  payouts: Type.Number({ description: "Counted up to 100" }),
  last_payout: orNull(
    Type.Object({
      id: Type.String(),
      amount: Type.Number({ description: "Minor units" }),
      currency: Type.String(),
      status: Type.String(),
      created_at: Time,
    }),
  ),
  created_at: Time,
});
export type ReceiverLine = Static<typeof ReceiverLine>;
export const ReceiversPage = pageOf(ReceiverLine);
export type ReceiversPage = Static<typeof ReceiversPage>;

const States = Type.Object({ status: Type.String(), kyc_status: Type.String() });

export const HistoryLine = Type.Object({
  id: Type.String(),
  at: Time,
  who: Type.String(),
  reason: Type.String(),
  from: orNull(States),
  to: States,
});
export type HistoryLine = Static<typeof HistoryLine>;

export const ReportLine = Type.Object({
  at: Time,
  provider: Type.String(),
  outcome: Type.String(),
  labels: Type.Array(Type.String()),
  comment: Type.String({ description: "As callers may see it" }),
  private_comment: Type.String({ description: "Empty for users of the subaccount" }),
});
export type ReportLine = Static<typeof ReportLine>;

const bankFields = {
  version: Type.Number(),
  country: Type.String(),
  type: Type.String({ description: "I individual, B business" }),
  account_number: Type.String({ description: "Masked" }),
  bsb: Type.String(),
  bank_code: Type.String(),
  bank_name: Type.String(),
  business_name: Type.String(),
  checking_or_savings: Type.String({
    description: "Empty: not known; checking in the United States",
  }),
};

export const AccountLine = Type.Object({
  id: Type.String(),
  status: Type.String(),
  aka: Type.String(),
  reference: Type.String(),
  metadata: metadataSchema,
  address_outcome: orNull(Type.String()),
  payee_name_check: orNull(Type.String({ enum: [...payeeNameOutcomes] })),
  payee_name_checked_at: orNull(Time),
  created_at: Time,
  ...bankFields,
  versions: Type.Array(
    Type.Object({ ...bankFields, created_at: Time, created_by: Type.String() }),
    { description: "Current and earlier ones, newest first" },
  ),
});
export type AccountLine = Static<typeof AccountLine>;

export const ErasureRequested = Type.Object({
  request_id: Type.String({ description: "It waits for another user's approval" }),
});
export type ErasureRequested = Static<typeof ErasureRequested>;

export const ReceiverDetail = Type.Object({
  ...stateFields,
  erased_at: orNull(Time),
  erasure_request: orNull(
    Type.Object({ id: Type.String(), made_by: Type.String(), made_at: Time }),
  ),
  reference: Type.String(),
  created_at: Time,
  created_by: Type.String(),
  kyc: Type.Object({
    provider: Type.String(),
    waits_for: Type.String({ enum: ["user", "check", "none"] }),
    since: Time,
  }),
  payouts: Type.Object({
    count: Type.Number({ description: "Counted up to 100" }),
    last: ReceiverLine.properties.last_payout,
  }),
  accounts: Type.Array(AccountLine),
  reports: Type.Array(ReportLine),
  history: Type.Array(HistoryLine),
  questions: Type.Array(
    Type.Object({ id: Type.String(), note: Type.String(), at: Time, who: Type.String() }),
    { description: "What reviewers asked the subaccount" },
  ),
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      status: Type.String(),
      attempts: Type.Number(),
      created_at: Time,
    }),
  ),
  json: Type.Object(Receiver.properties, { description: "As the API returns it" }),
});
export type ReceiverDetail = Static<typeof ReceiverDetail>;

export const CreatedByUser = Type.Object({ receiver_id: Type.String() });
export type CreatedByUser = Static<typeof CreatedByUser>;

export const ReceiverForm = Type.Object({
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      is_required: Type.Boolean(),
      meaning: Type.String(),
      example: Type.String(),
      chars_max: orNull(Type.Number()),
    }),
  ),
  countries: Type.Array(
    Type.Object({
      code: Type.String({ description: "ISO 3166-1 alpha-3" }),
      alpha2: Type.String(),
      needs: Type.Array(Type.String({ description: "Fields of an address that can't be empty" })),
      states: Type.Array(Type.String({ description: "The only ones; empty: any text" })),
    }),
  ),
});
export type ReceiverForm = Static<typeof ReceiverForm>;

export const ReceiverStates = Type.Object({ id: Type.String(), ...stateFields });
export type ReceiverStates = Static<typeof ReceiverStates>;

export const AccountFormQuery = input({
  country: required(Type.String({ format: "country-alpha-3" })),
});

export const PersonLinkShown = Type.Object({
  url: Type.String(),
  expires_at: Type.Number({ description: "Milliseconds since the Unix epoch" }),
});
export type PersonLinkShown = Static<typeof PersonLinkShown>;

export const Revealed = Type.Object({ account_number: Type.String() });
export type Revealed = Static<typeof Revealed>;
