// What crosses the wire about requests to the interface, at the console.

import Type, { type Static } from "typebox";
import { defineFormat } from "../../fields/fields.ts";
import { isUuid, withoutEventPrefix } from "../../ids.ts";
import { input, optional } from "../fields.ts";
import { cursorField, pageOf, rowsField, timeField } from "../paging.ts";

defineFormat("object-id", (text) => isUuid(withoutEventPrefix(text)));

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const filters = {
  method: optional(Type.String({ pattern: "^[A-Z]{3,7}$" })),
  /** How its pattern begins: /api/receiver/:id */
  route: optional(Type.String({ pattern: "^/[\\w:/-]{0,100}$" })),
  /** A class, such as 4xx, or one status. */
  status: optional(Type.String({ pattern: "^([2-5]xx|[1-5]\\d\\d)$" })),
  code: optional(Type.String({ pattern: "^[A-Z]{4}\\d{3}$" })),
  key: optional(Type.String({ pattern: "^[\\w-]{1,100}$" })),
  /** What it was about: the id of a receiver, an account, a payout, a batch or an event. */
  object: optional(Type.String({ format: "object-id" })),
  from: timeField,
  to: timeField,
};
export const RequestsFilter = input({
  ...filters,
  /** Those since this one, and some of before: a slow answer is written down late. */
  after: optional(Type.String({ format: "known-id" })),
  limit: rowsField,
  cursor: cursorField,
});
export type RequestsFilter = Static<typeof RequestsFilter>;
export const RequestsExport = input(filters);

const Linked = Type.Object({
  kind: Type.String({ enum: ["receiver", "account", "payout", "batch", "event"] }),
  id: Type.String(),
});
export type Linked = Static<typeof Linked>;

const lineFields = {
  id: Type.String(),
  at: Type.Number({ description: "Milliseconds since the Unix epoch" }),
  method: Type.String(),
  route: Type.String({ description: "The pattern of the address; empty: there is none such" }),
  path: Type.String({ description: "With its query; redacted" }),
  status: Type.Number(),
  ms: Type.Number({ description: "From the arrival to the end of the answer" }),
  key: Type.String(),
  ip: Type.String({ description: "May be empty" }),
  agent: Type.String({ description: "May be empty" }),
  codes: Type.Array(Type.String()),
  about: orNull(Linked),
};
export const RequestLine = Type.Object(lineFields);
export type RequestLine = Static<typeof RequestLine>;
export const RequestsPage = pageOf(RequestLine);
export type RequestsPage = Static<typeof RequestsPage>;

export const RequestDetail = Type.Object({
  ...lineFields,
  body: orNull(Type.String({ description: "As JSON, redacted; null where none is kept" })),
  bytes: orNull(Type.Number({ description: "Of a body that was not read" })),
  idempotency: Type.String({ enum: ["none", "sent", "replayed"] }),
  problems: Type.Array(
    Type.Object({
      code: Type.String(),
      field: Type.String({ description: "May be empty" }),
      text: Type.String(),
      cure: Type.String(),
    }),
  ),
  problems_left: Type.Number({ description: "How many more there were than are kept" }),
  links: Type.Array(Linked),
  curl: Type.String({ description: "Makes the request again, signed by whoever has the secret" }),
  signature: orNull(
    Type.Object({
      part: Type.String({ description: "What differs" }),
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
  is_whole: Type.Boolean({ description: "False: there were more, and these are the newest" }),
});
export type RequestErrors = Static<typeof RequestErrors>;
