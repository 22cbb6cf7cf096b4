// A file that a user sent, opened in a thread and with the way to read it: the same for its check and for its import.

import type { Db } from "../../platform/db/index.ts";
import {
  type KnownColumns,
  knownColumnsOf,
  type ThreadSheet,
  UnreadableFile,
  withSheet,
  wordsOf,
} from "../sheets/index.ts";
import { importLimits } from "./import-limits.ts";
import type { ReadingPlan, RowFormat } from "./import-rows.ts";
import { type FileKind, findImportMapping } from "./mapping-queries.ts";
import { missingFields, type RememberedReading, type ToldReading, toPlan } from "./reading-plan.ts";

/** As it comes from a user. */
export type GivenFile = { content: Uint8Array; told: ToldReading };

/** How the file is read, for the user to confirm. */
export type ReadingOfFile = {
  header: string[];
  /** The first values of each column. */
  samples: string[][];
  /** The column of each field, from 0. */
  columns: Record<string, number>;
  fixed: Record<string, string>;
  /** The fields without which no row can be read. */
  missing: string[];
  /** What stands before decimals. Undecided: the user has to say it. `example`: an amount that shows it. */
  decimals: { mark: "." | "," | "undecided"; isTold: boolean; example: string };
  notes: string[];
  sha256: string;
  toRemember: RememberedReading;
};

type Work<T> = (file: ReadingOfFile & { sheet: ThreadSheet; plan: ReadingPlan }) => Promise<T>;
type Kind = { subaccountId: string; kind: FileKind; format: RowFormat };

const sampleRows = 3;
const sampleCharsMax = 60;

export async function openFile<T>(
  db: Db,
  { content, told }: GivenFile,
  { subaccountId, kind, format }: Kind,
  work: Work<T>,
): Promise<T> {
  const { fields } = format;
  const remembered = await findImportMapping(db, { subaccountId, kind });
  const words = [...wordsOf(fields).keys(), ...Object.keys(remembered?.columns ?? {})];
  return withSheet(content, words, async (sheet) => {
    const { header } = sheet;
    if (header.length > importLimits.columnsMax) {
      throw new UnreadableFile(`The file has more than ${importLimits.columnsMax} columns.`);
    }
    const { places, fixed, edits } = toPlan(header, fields, told, remembered);
    const placesOf = (wanted: string) =>
      fields.flatMap(({ name, kind }) => (kind === wanted ? (places[name] ?? []) : []));
    const columns = { amounts: placesOf("amount"), days: placesOf("day") };
    const { decimals, order } = await sheet.habits(columns);
    const mark = told.decimal ?? decimals.mark;
    return work({
      sheet,
      plan: { places, fixed, edits, reading: { decimal: mark, order } },
      header,
      samples: await samplesOf(sheet),
      columns: { ...places },
      fixed: { ...fixed },
      missing: missingFields(format, { places, fixed }),
      decimals: { mark, isTold: told.decimal !== undefined, example: decimals.example },
      notes: sheet.notes,
      sha256: sheet.sha256,
      toRemember: {
        columns: withBefore(knownColumnsOf(header, places), remembered?.columns),
        // Nothing else is the same in each file. A file with a column for it says nothing about files without.
        fixed: only({ ...remembered?.fixed, ...fixed }, (field) => {
          return field === "currency" && (field in places || field in fixed);
        }),
      },
    });
  });
}

function only(
  values: Readonly<Record<string, string>> = {},
  isKept: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)));
}

const rememberedMax = 500;

/** Files of several programs may come in turn. */
function withBefore(columns: KnownColumns, before: KnownColumns = {}): KnownColumns {
  const all = { ...before, ...columns };
  return Object.keys(all).length > rememberedMax ? columns : all;
}

async function samplesOf(sheet: ThreadSheet): Promise<string[][]> {
  for await (const { rows } of sheet.pages()) {
    return sheet.header.map((_, column) => {
      const texts = rows.map(({ cells }) => (cells[column] ?? "").trim());
      const shown = texts.filter((text) => text !== "").slice(0, sampleRows);
      return shown.map((text) => text.slice(0, sampleCharsMax));
    });
  }
  return [];
}
