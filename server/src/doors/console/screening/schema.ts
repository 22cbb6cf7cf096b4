// Schemas of the Sanctions lists screen: the lists, their versions, what each version changes, and embargoed countries.

import Type, { type Static } from "typebox";
import {
  changeKinds,
  type ImportOutcome,
  versionStatuses,
} from "../../../people/sanctions-lists/index.ts";
import { defineFormat, input, optional, required } from "../../../platform/fields/index.ts";
import { cursorField, rowsField } from "../../lists/index.ts";
import { named, orNull, Time } from "../../review-list/index.ts";
import { readKeyCursor } from "./key-cursor.ts";

export const ListVersion = Type.Object({
  id: Type.String(),
  list: Type.String(),
  status: named(...versionStatuses),
  published_day: Type.String({ description: "YYYY-MM-DD; empty where its files don't say it" }),
  entries: Type.Number(),
  names: Type.Number(),
  added: Type.Number(),
  changed: Type.Number(),
  removed: Type.Number(),
  hash: Type.String(),
  made_by: Type.String(),
  made_at: Time,
  first_approved_by: Type.String({ description: "The first of two users; empty: none" }),
  decided_by: Type.String(),
  decided_at: orNull(Time),
  has_changes: Type.Boolean({ description: "Its entries are kept, so its changes can be listed" }),
});
export type ListVersion = Static<typeof ListVersion>;

export const WaitingVersion = Type.Object({
  ...ListVersion.properties,
  reason: Type.Unsafe<ImportOutcome["reason"]>(Type.String({ description: "Why it waits" })),
  needs_two: Type.Boolean({ description: "From the folder: two users have to approve it" }),
  why_not: orNull(Type.String({ description: "Why this user can't approve it. Null: they can" })),
});
export type WaitingVersion = Static<typeof WaitingVersion>;

export const SanctionsList = Type.Object({
  list: Type.String(),
  publisher: Type.String(),
  title: Type.String(),
  active: orNull(ListVersion),
  waiting: orNull(WaitingVersion),
  age_ms: orNull(Type.Number()),
  is_old: Type.Boolean(),
});
export type SanctionsList = Static<typeof SanctionsList>;

export const SanctionsLists = Type.Object({
  lists: Type.Array(SanctionsList),
  old_after_ms: Type.Number(),
  embargoes: Type.Array(
    Type.Object({
      country: Type.String(),
      name: Type.String(),
      source: Type.String(),
      since: Type.String(),
    }),
  ),
});
export type SanctionsLists = Static<typeof SanctionsLists>;

export const Countries = Type.Object({
  countries: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
});
export type Countries = Static<typeof Countries>;

export const CountryTouched = Type.Object({
  receivers: Type.Number({ description: "Active ones that live there or have an account there" }),
  payouts: Type.Number({ description: "To them, and not sent yet" }),
});
export type CountryTouched = Static<typeof CountryTouched>;

export const VersionsQuery = input({
  list: optional(Type.String({ maxLength: 40 })),
  limit: rowsField,
  cursor: cursorField,
});

export const VersionShown = Type.Object({
  version: Type.Union([WaitingVersion, ListVersion]),
  title: Type.String(),
});
export type VersionShown = Static<typeof VersionShown>;

defineFormat("key-cursor", (text) => readKeyCursor(text) !== undefined);

export const ChangesQuery = input({
  kind: required(
    Type.Unsafe<(typeof changeKinds)[number]>(Type.String({ enum: [...changeKinds] })),
  ),
  limit: rowsField,
  cursor: optional(Type.String({ format: "key-cursor" })),
});

export const ChangedEntry = Type.Object({
  key: Type.String({ description: "The publisher's number" }),
  name: Type.String(),
  more_names: Type.Number(),
  kind: Type.String(),
  program: Type.String(),
  changes: Type.Array(
    Type.Object({ what: Type.String(), before: Type.String(), after: Type.String() }),
    { description: "Of an entry that is changed" },
  ),
});
export type ChangedEntry = Static<typeof ChangedEntry>;

/** What an import or a change of the embargoed countries has done. */
export const ImportedVersion = Type.Object({
  outcome: named("active", "waiting", "unchanged"),
  reason: Type.Unsafe<ImportOutcome["reason"]>(Type.String()),
  version: ListVersion,
});
export type ImportedVersion = Static<typeof ImportedVersion>;
