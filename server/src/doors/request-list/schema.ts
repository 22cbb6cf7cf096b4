// Schemas of API requests.

import Type, { type Static } from "typebox";
import { isUuid, withoutEventPrefix } from "../../platform/base/index.ts";
import { defineFormat, input, optional } from "../../platform/fields/index.ts";
import { rowsField, sortedCursorField, sortedPageOf, timeField } from "../lists/index.ts";

defineFormat("object-id", (text) => isUuid(withoutEventPrefix(text)));

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const filters = {
  method: optional(Type.String({ pattern: "^[A-Z]{3,7}$" })),
  /** A prefix of the route: /api/receiver/:id */
  route: optional(Type.String({ pattern: "^/[\\w:/-]{0,100}$" })),
  /** A class, such as 4xx, or one status. */
  status: optional(Type.String({ pattern: "^([2-5]xx|[1-5]\\d\\d)$" })),
  code: optional(Type.String({ pattern: "^[A-Z]{4}\\d{3}$" })),
  key: optional(Type.String({ pattern: "^[\\w-]{1,100}$" })),
  /** The id of a receiver, an account, a payout, a batch or an event. */
  object: optional(Type.String({ format: "object-id" })),
  from: timeField,
  to: timeField,
};
export const RequestsFilter = input({
  ...filters,
  /** Requests after this one, and some before: a slow response is stored late. */
  after: optional(Type.String({ format: "known-id" })),
  sort: optional(Type.String({ pattern: "^-?(received|took|status)$" })),
  limit: rowsField,
  cursor: sortedCursorField,
});
export type RequestsFilter = Static<typeof RequestsFilter>;

const Linked = Type.Object({
  kind: Type.String({ enum: ["receiver", "account", "payout", "batch", "event"] }),
  id: Type.String(),
});
export type Linked = Static<typeof Linked>;

const lineFields = {
  id: Type.String(),
  at: Type.Number({ description: "Milliseconds since the Unix epoch" }),
  method: Type.String(),
  route: Type.String({ description: "The pattern of the path. Empty: no such route" }),
  path: Type.String({ description: "With the query, redacted" }),
  status: Type.Number(),
  ms: Type.Number({ description: "From arrival to the end of the response" }),
  key: Type.String(),
  ip: Type.String({ description: "May be empty" }),
  agent: Type.String({ description: "May be empty" }),
  codes: Type.Array(Type.String()),
  about: orNull(Linked),
};
export const RequestLine = Type.Object(lineFields);
export type RequestLine = Static<typeof RequestLine>;
export const RequestsPage = sortedPageOf(RequestLine);
export type RequestsPage = Static<typeof RequestsPage>;

export const RequestDetail = Type.Object({
  ...lineFields,
  body: orNull(Type.String({ description: "As JSON, redacted. Null: not stored" })),
  bytes: orNull(Type.Number({ description: "The size of a body that was not read" })),
  idempotency: Type.String({ enum: ["none", "sent", "replayed"] }),
  problems: Type.Array(
    Type.Object({
      code: Type.String(),
      field: Type.String({ description: "May be empty" }),
      text: Type.String(),
      cure: Type.String(),
    }),
  ),
  problems_left: Type.Number({ description: "How many problems were not stored" }),
  links: Type.Array(Linked),
  curl: Type.String({ description: "Repeats the request, signed with the user's own secret" }),
  signature: orNull(
    Type.Object({
      part: Type.String({ description: "The part that differs" }),
      hint: Type.String(),
      expected: orNull(Type.String({ description: "The text that should have been signed" })),
      received: orNull(Type.String({ description: "The header, cut short" })),
    }),
  ),
});
export type RequestDetail = Static<typeof RequestDetail>;

export const ErrorsFilter = input({ within: optional(Type.String({ pattern: "^(24h|7d)$" })) });

export const RequestErrors = Type.Object({
  rows: Type.Array(
    Type.Object({
      code: Type.String(),
      text: Type.String(),
      cure: Type.String(),
      method: Type.String(),
      route: Type.String(),
      status: Type.Number(),
      count: Type.Number(),
      last_at: Type.Number(),
      last_id: Type.String(),
    }),
  ),
  looked_at: Type.Number(),
  is_whole: Type.Boolean({ description: "False: there are more, and these are the newest" }),
});
export type RequestErrors = Static<typeof RequestErrors>;
