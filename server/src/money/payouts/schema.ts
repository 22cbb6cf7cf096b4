// The schemas of payouts: what callers send and receive.

import Type, { type Static, type TProperties } from "typebox";
import {
  answerTemplate,
  type FieldCodes,
  line,
  type SchemaExtras,
  text,
} from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { metadataField, metadataFilter, metadataSchema } from "../../platform/metadata/index.ts";
import { stages, statuses } from "./states.ts";

const uuid = { format: "uuid" };

const payoutFields = {
  receiver_id: text({ missing: "PAYO201", invalid: "PAYO205" }, { format: "known-id" }),
  account_id: text(
    { missing: "PAYO202", invalid: "PAYO206" },
    { format: "known-id", description: "Id of the receiver account" },
  ),
  receiver_account_id: Type.Optional(
    Type.String({ description: "Used as account_id if that is absent" }),
  ),
  amount: Type.Union(
    [
      Type.Integer({ minimum: 1, maximum: Number(limits.amountMax) }),
      Type.String({ pattern: "^[1-9][0-9]{0,15}$" }),
    ],
    {
      description: "Minor units, as a whole number or as a string of digits",
      examples: [12_500],
      codes: { missing: "PAYO203", invalid: "PAYO207" } satisfies FieldCodes,
    },
  ),
  currency: text(
    { missing: "PAYO204", invalid: "PAYO208" },
    { format: "currency", description: "ISO 4217", examples: ["AUD"] },
  ),
  reference: Type.Optional(
    text(
      { invalid: "PAYO209" },
      { pattern: line, minLength: 0, maxLength: 200, description: "Your own reference" },
    ),
  ),
  note: Type.Optional(
    text({ invalid: "PAYO210" }, { pattern: line, minLength: 0, maxLength: 500 }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({
      description: "Create the payout even if an identical one was made in the last 24 hours",
      codes: { invalid: "PAYO211" } satisfies FieldCodes,
    }),
  ),
  send_on: Type.Optional(
    text(
      { invalid: "PAYO229" },
      {
        format: "date",
        description:
          "YYYY-MM-DD: not sent before that day, or before the next banking day. The money is held now. It can be cancelled until it is sent",
      },
    ),
  ),
  statement_reference: Type.Optional(
    text(
      { invalid: "PAYO230" },
      {
        pattern: line,
        minLength: 0,
        maxLength: 140,
        description:
          "What the receiver sees on the statement, as far as the bank's format carries it; the reference if absent",
      },
    ),
  ),
  purpose: Type.Optional(
    text(
      { invalid: "PAYO232" },
      {
        pattern: "^[A-Z0-9]{4}$",
        description: "External purpose code of ISO 20022, such as SALA, for banks that take one",
      },
    ),
  ),
  metadata: metadataField("PAYO236"),
} satisfies TProperties;

const extras: SchemaExtras = {
  unknownField: "PAYO212",
  aliases: { receiver_account_id: "account_id" },
};

export const NewPayout = Type.Object(payoutFields, {
  title: "NewPayout",
  additionalProperties: false,
  ...extras,
});
export type NewPayout = Static<typeof NewPayout>;

export const CreatedPayout = Type.Object(
  {
    payout_id: Type.String(uuid),
    status: Type.String({ enum: [...statuses] }),
    process_date: Type.Optional(
      Type.String({ description: "With send_on: the banking day on which it is sent" }),
    ),
  },
  { title: "CreatedPayout" },
);

/** The whole response, as it is sent and stored. */
export const createdPayoutAnswer = answerTemplate((payout_id) => {
  const payload: Static<typeof CreatedPayout> = { payout_id, status: "pending" };
  return { message: "payout created successfully", payload };
});

/** The same for a payout that is sent on a later day. */
export function scheduledPayoutAnswer(payout_id: string, process_date: string): string {
  const payload: Static<typeof CreatedPayout> = { payout_id, status: "pending", process_date };
  return JSON.stringify({ message: "payout created successfully", payload });
}

export const NewPayoutBatch = Type.Object(
  {
    // Each row is checked by NewPayout, so that a problem names its row.
    payouts: Type.Array(Type.Unknown(), {
      description: `1 to ${limits.payoutBatchMax} payouts, each as for a single payout. All are created, or none`,
      minItems: 1,
      maxItems: limits.payoutBatchMax,
      codes: { missing: "PAYO214", invalid: "PAYO214" } satisfies FieldCodes,
      documentedItems: NewPayout,
    }),
    metadata: metadataField("PAYO236", ". Of the batch; its payouts have their own"),
  },
  {
    title: "NewPayoutBatch",
    additionalProperties: false,
    ...({ unknownField: "PAYO212" } satisfies SchemaExtras),
  },
);

export const CreatedPayoutBatch = Type.Object(
  { batch_id: Type.String(uuid), payouts: Type.Array(CreatedPayout) },
  { title: "CreatedPayoutBatch" },
);
export type CreatedPayoutBatch = Static<typeof CreatedPayoutBatch>;

export const PayoutBatch = Type.Object(
  {
    id: Type.String(uuid),
    created_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
    count: Type.Number(),
    totals: Type.Array(
      Type.Object({
        currency: Type.String(),
        count: Type.Number(),
        amount: Type.Number({ description: "Minor units" }),
      }),
    ),
    statuses: Type.Array(
      Type.Object({ status: Type.String({ enum: [...statuses] }), count: Type.Number() }),
    ),
    metadata: metadataSchema,
  },
  { title: "PayoutBatch" },
);
export type PayoutBatch = Static<typeof PayoutBatch>;

export const Payout = Type.Object(
  {
    id: Type.String(uuid),
    receiver_id: Type.String(uuid),
    receiver_account_id: Type.String(uuid),
    batch_id: Type.Union([Type.Null(), Type.String(uuid)]),
    amount: Type.Number({ description: "Minor units" }),
    currency: Type.String(),
    reference: Type.String(),
    note: Type.String(),
    status: Type.String({ enum: [...statuses] }),
    stage: Type.String({ enum: Object.keys(stages), description: "The finer, internal state" }),
    cause: Type.String({ description: "The reason of a failure, in words; otherwise empty" }),
    cause_code: Type.String({ description: "The bank's code for the reason; may be empty" }),
    provider_reference: Type.String({
      description: "The bank's reference; empty until there is one",
    }),
    send_on: Type.String({ description: "As requested; otherwise empty" }),
    statement_reference: Type.String({ description: "As requested; otherwise empty" }),
    purpose: Type.String({ description: "As requested; otherwise empty" }),
    process_date: Type.String({
      description: "The banking day on which the bank pays it, YYYY-MM-DD; empty in test mode",
    }),
    expected_arrival: Type.String({
      description: "When the receiver should have the money, YYYY-MM-DD; empty in test mode",
    }),
    fee: Type.Optional(
      Type.Number({ description: "Minor units; absent where the payout costs nothing" }),
    ),
    sent_amount: Type.Optional(
      Type.Number({
        description:
          "What goes to the bank, in minor units: less than the amount where the fee is taken out of it. Absent without a fee",
      }),
    ),
    bank_batch_id: Type.Union([Type.Null(), Type.String(uuid)], {
      description: "The bank batch that it is in; null until its file is frozen",
    }),
    created_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
    updated_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
    hold_reason: Type.Optional(
      Type.String({
        enum: ["review"],
        description: "While the stage is on_hold: a user reviews the payout before it is sent",
      }),
    ),
    metadata: metadataSchema,
  },
  { title: "Payout" },
);
export type Payout = Static<typeof Payout>;

const time = (invalid: FieldCodes["invalid"], description: string) =>
  Type.Optional(text({ invalid }, { pattern: "^\\d{1,15}$", description }));
const id = (invalid: FieldCodes["invalid"]) =>
  Type.Optional(text({ invalid }, { format: "known-id" }));

export const PayoutFilter = Type.Object(
  {
    status: Type.Optional(text({ invalid: "PAYO112" }, { pattern: `^(${statuses.join("|")})$` })),
    receiver_id: id("PAYO113"),
    receiver_account_id: id("PAYO114"),
    reference: Type.Optional(text({ invalid: "PAYO115" }, { pattern: line, maxLength: 200 })),
    batch_id: id("PAYO116"),
    from: time("PAYO117", "Created at or after: milliseconds since the Unix epoch"),
    to: time("PAYO118", "Created before: milliseconds since the Unix epoch"),
    metadata: metadataFilter("PAYO121"),
    limit: Type.Optional(
      text(
        { invalid: "PAYO111" },
        {
          format: "list-limit",
          description: `Payouts per page, 1 to ${limits.listMax}; default ${limits.listDefault}`,
        },
      ),
    ),
    cursor: Type.Optional(
      text(
        { invalid: "PAYO119" },
        { format: "list-cursor", description: "From the link header of the page before" },
      ),
    ),
  },
  {
    title: "PayoutFilter",
    ...({ unknownField: "PAYO120", keyed: "metadata" } satisfies SchemaExtras),
  },
);
export type PayoutFilter = Static<typeof PayoutFilter>;

const PayoutStates = Type.Object({
  status: Type.String({ enum: [...statuses] }),
  stage: Type.String({ enum: Object.keys(stages) }),
});

export const PayoutHistoryEntry = Type.Object(
  {
    id: Type.String(uuid),
    when: Type.String({ description: "Milliseconds since the Unix epoch" }),
    who: Type.String({ description: "key:<API key>, operator, rail:<name> or service" }),
    reason: Type.String(),
    from: Type.Union([PayoutStates, Type.Null()], { description: "Null for the creation" }),
    to: PayoutStates,
  },
  { title: "PayoutHistoryEntry" },
);
export type PayoutHistoryEntry = Static<typeof PayoutHistoryEntry>;

/** What acts on payouts return. */
export const MadePayout = Type.Object({ payout_id: Type.String() });
export const MovedPayout = Type.Object({ status: Type.String(), stage: Type.String() });
export const DecidedPayout = Type.Object({
  payout_id: Type.String(),
  status: Type.String(),
  stage: Type.String(),
});
export type DecidedPayout = Static<typeof DecidedPayout>;

export const resolutions = ["paid", "rejected"] as const;
/** `rejected` makes the money available again, so the bank must have said that it will not pay. */
export type Resolution = (typeof resolutions)[number];

/** `proposed` until a second user confirms the same outcome. Another outcome is a new proposal. */
export const ResolutionAnswer = Type.Object({
  state: Type.Unsafe<"proposed" | "resolved">(Type.String({ enum: ["proposed", "resolved"] })),
  stage: Type.String(),
});
export type ResolutionAnswer = Static<typeof ResolutionAnswer>;

export const ChangedLimits = Type.Object({
  currency: Type.String(),
  /** Looser limits of the change: another admin has to approve them. */
  awaits_approval: Type.Boolean(),
  /** Stricter limits of the change are in force. */
  applied: Type.Boolean(),
});
export type ChangedLimits = Static<typeof ChangedLimits>;

export const DecidedRequest = Type.Object({ id: Type.String(), status: Type.String() });

/** `applicant`: the receiver that was erased has data at a provider of identity checks, too. */
export const ApprovedRequest = Type.Object({
  ...DecidedRequest.properties,
  applicant: Type.Union([Type.Null(), Type.Object({ provider: Type.String(), id: Type.String() })]),
});
export type ApprovedRequest = Static<typeof ApprovedRequest>;
