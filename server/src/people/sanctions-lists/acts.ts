// What users and commands do about sanctions lists: import versions, decide about those that wait, embargo countries.

import Type from "typebox";
import { defineFormat, idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, act, call } from "../../tenants/acts/index.ts";
import { type AuditNote, audited } from "../../tenants/audit/index.ts";
import {
  type FileListName,
  fileListNames,
  type ListFile,
  readInThread,
} from "../list-files/index.ts";
import { approveVersion, decisionNote, declineVersion } from "./decide.ts";
import { addEmbargo, isCalendarDay, removeEmbargo } from "./embargo.ts";
import { type ImportOutcome, importNote, importVersion } from "./import.ts";

defineFormat("calendar-day", isCalendarDay);

const row = {
  object: "screening_list_version",
  may: "receivers.review",
  doors: ["console", "cli"],
} as const;

type Importing = {
  onRead?: (list: FileListName, entries: number) => void;
  /** Entries that were written so far. */
  onProgress?: (written: number, of: number) => void;
};

/** The files are read before the transaction begins. */
export const importList = call({
  ...row,
  name: "screening.import",
  summary: "import a version of a sanctions list from the files of its publisher",
  input: input({
    list: required(Type.Unsafe<FileListName>(Type.String({ enum: [...fileListNames] }))),
    files: required(Type.Array(Type.Unsafe<ListFile>({}))),
  }),
  async perform(
    { db, seal, clock, onRead, onProgress }: ActParts & Importing,
    { actor }: ActBy,
    { list, files },
  ) {
    if (!fileListNames.includes(list)) throw new Refusal("LIST104");
    const given = await readInThread(list, files);
    onRead?.(list, given.entries.length);
    const importing = {
      who: actor.who,
      atMs: clock(),
      onProgress: (written: number) => onProgress?.(written, given.entries.length),
    };
    return audited({ db, seal }, actor).transaction<ImportOutcome>(importNote, (tx) =>
      importVersion(tx, given, importing),
    );
  },
});

const version = input({ id: idField("LIST201") });

export const approveList = act({
  ...row,
  name: "screening.approve",
  tokens: "logins",
  stepUp: true,
  summary:
    "activate a version that waits; another user than the one who imported it, and two for one from the folder",
  input: version,
  async run(doing, { id }) {
    const result = await approveVersion(doing.tx, id, doing);
    return { result, entries: [decisionNote(result)] };
  },
});

export const declineList = act({
  ...row,
  name: "screening.decline",
  summary: "decline a version that waits; the active one stays",
  input: version,
  async run(doing, { id }) {
    const result = await declineVersion(doing.tx, id, doing);
    return { result, entries: [decisionNote(result)] };
  },
});

const country = required(Type.String({ maxLength: 100 }));

export const embargoCountry = act({
  ...row,
  name: "screening.embargo_add",
  summary: "add a country, by its alpha-3 code; it is in force at once",
  input: input({
    country,
    source: required(
      Type.String({ maxLength: 300, pattern: line, description: "the law or the decision" }),
    ),
    since: required(Type.String({ format: "calendar-day" })),
  }),
  async run(doing, { country, ...embargo }) {
    return imported(
      await addEmbargo(doing.tx, { ...embargo, country: country.toUpperCase() }, doing),
    );
  },
});

export const endEmbargo = act({
  ...row,
  name: "screening.embargo_remove",
  summary: "remove a country; another user has to approve it",
  input: input({ country }),
  async run(doing, { country }) {
    return imported(await removeEmbargo(doing.tx, country.toUpperCase(), doing));
  },
});

/** What changes nothing has no entry. */
function imported(result: ImportOutcome): { result: ImportOutcome; entries: AuditNote[] } {
  return { result, entries: [importNote(result) ?? []].flat() };
}
