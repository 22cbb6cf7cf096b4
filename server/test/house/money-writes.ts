// Finds the files of the server that write the tables of money, by the statements that they import.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The tables whose rows are money, where money goes, or who may move it. */
const moneyTables: readonly string[] = [
  ...["payout", "payout_approval", "payout_limit", "payout_resolution", "payout_rule_set"],
  ...["receiver_account", "bank_details", "bank_details_change"],
  ...["bank_connection", "bank_connection_request", "bank_csv_mapping", "deposit_reference"],
  ...["ledger_transfer", "ledger_balance"],
  ...["bank_suspense_item", "bank_suspense_act", "bank_match"],
  ...["bank_batch", "bank_inbound_file", "bank_request"],
  ...["api_key", "api_secret", "api_secret_seen", "change_request"],
  ...["console_user", "invitation", "user_credential", "user_passkey", "user_subaccount"],
  ...["user_vouch"],
];

type Declarations = ReadonlyMap<string, string>;
type Imports = ReadonlyMap<string, { file: string; name: string }>;
type Source = { declarations: Declarations; imports: Imports };

/** By file below `folder`: the tables of money that it writes through functions of files with SQL. */
export function moneyWritesBy(folder: string, files: readonly string[]): Map<string, string[]> {
  const sources = new Map(files.map((file) => [file, readSource(folder, file)]));
  const known = new Map<string, ReadonlySet<string>>();

  /** The tables that a declaration writes, itself or by what it uses of other files with SQL. */
  function writesOf(file: string, name: string, path: readonly string[] = []): ReadonlySet<string> {
    const key = `${file} ${name}`;
    const found = known.get(key);
    if (found) return found;
    const source = sources.get(file);
    const text = source?.declarations.get(name);
    if (!source || text === undefined || !hasSql(file) || path.includes(key)) return new Set();
    const tables = new Set(tablesIn(text));
    for (const [used] of text.matchAll(/\b[a-zA-Z]\w*\b/g)) {
      if (used === name) continue;
      const place = source.declarations.has(used) ? { file, name: used } : source.imports.get(used);
      if (!place) continue;
      for (const table of writesOf(place.file, place.name, [...path, key])) tables.add(table);
    }
    known.set(key, tables);
    return tables;
  }

  const written = new Map<string, string[]>();
  for (const [file, { imports }] of sources) {
    if (hasSql(file)) continue;
    const tables = [...imports.values()].flatMap((one) => [...writesOf(one.file, one.name)]);
    if (tables.length > 0) written.set(file, [...new Set(tables)].sort());
  }
  return written;
}

const hasSql = (file: string) => /[/-]queries\.ts$/.test(file);

function tablesIn(text: string): string[] {
  const writes = text.matchAll(
    /\b(?:insert into|delete from|(?<!for |key |do )update)\s+([a-z_]+)\b/g,
  );
  return [...writes].map(([, table = ""]) => table).filter((table) => moneyTables.includes(table));
}

function readSource(folder: string, file: string): Source {
  const text = readFileSync(join(folder, file), "utf8").replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:const|function\*?) (?<name>\w+)/gm)];
  const declarations = new Map(
    starts.map(({ groups, index }, place) => [
      groups?.name as string,
      text.slice(index, starts[place + 1]?.index),
    ]),
  );
  const imports = new Map<string, { file: string; name: string }>();
  for (const [, names = "", path = ""] of text.matchAll(
    /^import (?!type )[^"]*?\{([^}]*)\}[^"]*?"(\.[^"]+)"/gm,
  )) {
    const target = relative(folder, join(folder, dirname(file), path));
    for (const part of names.split(",")) {
      const [name = "", local = name] = part.trim().split(" as ");
      if (name !== "" && !name.startsWith("type ")) imports.set(local, { file: target, name });
    }
  }
  return { declarations, imports };
}
