// Schemas of files from banks.

import Type, { type Static, type TSchema } from "typebox";
import { input, optional, Sum } from "../../../platform/fields/index.ts";
import { rowsField } from "../../lists/index.ts";

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([Type.Null(), schema]);
const uuid = Type.String({ format: "uuid" });

export const InboundFileQuery = input({ limit: rowsField, cursor: optional(uuid) });

export const InboundFileLine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  format: Type.String(),
  connection_name: Type.String(),
  received_at: Type.Number(),
  received_by: Type.String(),
  confirmed_by: Type.String({ description: "The second user, if it needed one" }),
  lines: Type.Number(),
  applied: Type.Number(),
  noted: Type.Number(),
  suspended: Type.Number(),
  repeated: Type.Number(),
});
export type InboundFileLine = Static<typeof InboundFileLine>;

export const InboundFileDetail = Type.Object({
  ...InboundFileLine.properties,
  sha256: Type.String(),
  bytes: Type.Number(),
});
export type InboundFileDetail = Static<typeof InboundFileDetail>;

/** Folders of banks that can't be polled, and files in them that were refused. */
export const FolderProblems = Type.Object({
  folders: Type.Array(
    Type.Object({
      connection_name: Type.String(),
      problem: Type.String(),
      good_at: Type.Number({ description: "When it was last polled without a problem" }),
    }),
  ),
  files: Type.Array(
    Type.Object({
      connection_name: Type.String(),
      name: Type.String(),
      code: Type.String(),
      message: Type.String(),
      refused_at: Type.Number(),
    }),
  ),
});
export type FolderProblems = Static<typeof FolderProblems>;

export const ReportQuery = input({
  limit: rowsField,
  cursor: optional(Type.String({ pattern: "^\\d{1,9}$" })),
});

/** What the bank reports about one payment or one of our files. */
export const BankReport = Type.Object({
  number: Type.Number(),
  line: Type.Number(),
  kind: Type.String(),
  code: Type.String(),
  bank_text: Type.String(),
  reference: Type.String(),
  day: Type.String(),
  amount: orNull(Sum),
  currency: Type.String(),
  outcome: Type.String({ enum: ["applied", "noted", "suspended", "repeated"] }),
  detail: Type.String(),
  subaccount_id: orNull(Type.String()),
  payout_id: orNull(Type.String()),
});
export type BankReport = Static<typeof BankReport>;

export const AppliedFile = Type.Object({
  file: orNull(InboundFileLine),
  is_new: Type.Boolean({ description: "False: it was applied before, and nothing has changed" }),
  request_id: orNull(
    Type.String({ description: "It waits for a second user, and has no file yet" }),
  ),
});
export type AppliedFile = Static<typeof AppliedFile>;
