// The schemas of webhook endpoints as objects.

import Type, { type Static } from "typebox";
import { eventTypes, publishedTypes } from "../../platform/event-catalogue/index.ts";
import { type FieldCodes, line, type SchemaExtras } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { ownHeadersMax, ownHeadersProblems } from "./own-headers.ts";
import { Postback } from "./schema.ts";

const codes = (code: FieldCodes["invalid"]): FieldCodes => ({ invalid: code });

const {
  failing_since,
  failing_for,
  disabled_at,
  next_attempt_at,
  oldest_waiting_at,
  waiting,
  secrets,
} = Postback.properties;

const nullable = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const LastDay = Type.Object(
  {
    attempts: Type.Number(),
    delivered: Type.Number(),
    p50_ms: nullable("Null: no attempts"),
    p95_ms: nullable("Null: no attempts"),
  },
  {
    title: "WebhookEndpointDay",
    description: `Its attempts of the last 24 hours, among the newest ${limits.attemptsScannedMax} of the subaccount`,
  },
);

const types = Type.Array(Type.String({ enum: [...eventTypes] }), { minItems: 1, maxItems: 100 });
const format = Type.String({ enum: ["full", "thin"] });

export const WebhookEndpoint = Type.Object(
  {
    id: Type.String({
      format: "uuid",
      description: "That of postback_url has the id of the subaccount",
    }),
    url: Type.String(),
    description: Type.String(),
    is_postback: Type.Boolean({ description: "It is the one of postback_url" }),
    event_types: Type.Array(Type.String({ enum: [...eventTypes] })),
    format,
    header_names: Type.Array(Type.String(), {
      description: "Of the headers that you have set. Their values are not shown",
    }),
    disable_after_days: nullable("Null: failures never disable it"),
    created_at: Type.Union([Type.String(), Type.Null()], {
      description: "Milliseconds since the Unix epoch. Null for that of postback_url",
    }),
    status: Type.String({ enum: ["working", "failing", "paused", "disabled"] }),
    disabled_because: Type.Union(
      [Type.String({ enum: ["failing", "gone", "secret"] }), Type.Null()],
      {
        description:
          "failing: it failed for `disable_after_days`; gone: it responded with 410; secret: its newest secret can't be decrypted",
      },
    ),
    ...{ failing_since, failing_for, disabled_at, next_attempt_at, oldest_waiting_at, waiting },
    secrets,
    last_day: LastDay,
  },
  { title: "WebhookEndpoint" },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const ChangedEndpoint = Type.Object(
  {
    ...WebhookEndpoint.properties,
    secret: Type.Optional(
      Type.String({ description: "Verifies its events. Shown once", examples: ["whsec_…"] }),
    ),
  },
  { title: "ChangedWebhookEndpoint" },
);
export type ChangedEndpoint = Static<typeof ChangedEndpoint>;

const extras: SchemaExtras = {
  unknownField: "ENDP207",
  rules: ({ headers }) => ownHeadersProblems(headers),
};

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: "Public and https",
    codes: { missing: "ENDP201", invalid: "ENDP201" } satisfies FieldCodes,
  }),
  description: Type.Optional(
    Type.String({
      pattern: line,
      maxLength: 200,
      description: "For people",
      codes: codes("ENDP202"),
    }),
  ),
  event_types: {
    ...types,
    description: `Types of events that are sent to it: ${eventTypes.join(", ")}. The endpoint of postback_url always gets ${publishedTypes.join(", ")}`,
    codes: { missing: "ENDP203", invalid: "ENDP203" } satisfies FieldCodes,
  } as typeof types,
  format: Type.Optional({
    ...format,
    description:
      "full: the published body; thin: only `id`, `type`, `object_id` and `time`. Default full",
    codes: codes("ENDP204"),
  } as typeof format),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        `Headers to send with each event, at most ${ownHeadersMax}, such as authorization. Replaces the headers before. ` +
        "Not host, webhook-*, content-*, transfer-encoding, connection and other headers of the request itself",
      codes: codes("ENDP205"),
    }),
  ),
};

const days = {
  minimum: 1,
  maximum: 7,
  description: "Days of failures after which it is disabled",
};

export const NewEndpoint = Type.Object(
  {
    ...fields,
    disable_after_days: Type.Optional(
      Type.Integer({
        ...days,
        description: `${days.description}, 1 to 7. Default ${limits.disableAfterDays}`,
        codes: codes("ENDP206"),
      }),
    ),
  },
  { title: "NewWebhookEndpoint", additionalProperties: false, ...extras },
);
export type NewEndpoint = Static<typeof NewEndpoint>;

const { url, event_types, ...others } = fields;
export const EndpointChange = Type.Object(
  {
    url: Type.Optional({
      ...url,
      description: "Public and https. Setting it again, even unchanged, enables the endpoint",
      codes: codes("ENDP201"),
    } as typeof url),
    event_types: Type.Optional({ ...event_types, codes: codes("ENDP203") } as typeof event_types),
    ...others,
    disable_after_days: Type.Optional(
      Type.Union([Type.Integer(days), Type.Null()], {
        description: `${days.description}, 1 to 7. Null, only for that of postback_url: never`,
        codes: codes("ENDP206"),
      }),
    ),
  },
  {
    title: "WebhookEndpointChange",
    description: "Only the fields to change, at least one.",
    additionalProperties: false,
    ...extras,
  },
);
export type EndpointChange = Static<typeof EndpointChange>;

/** A body that may be omitted. */
export const NoEndpointFields = Type.Object(
  {},
  {
    title: "NoWebhookEndpointFields",
    description: "Has no fields; may be omitted",
    additionalProperties: false,
    ...({ unknownField: "ENDP207" } satisfies SchemaExtras),
  },
);

export const EndpointRotation = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.rotationGraceMaxMs / 1000,
        description: `Seconds for which the previous secrets stay valid; default ${limits.rotationGraceDefaultMs / 1000}`,
        codes: codes("ENDP208"),
      }),
    ),
  },
  {
    title: "WebhookEndpointRotation",
    additionalProperties: false,
    ...({ unknownField: "ENDP207" } satisfies SchemaExtras),
  },
);
