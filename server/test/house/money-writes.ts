// Finds who writes the tables of money: from the statements, by the names of functions, up to the files that decide.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The tables whose rows are money, where money goes, or who may move it. */
const moneyTables: readonly string[] = [
  ...["payout", "payout_approval", "payout_hold", "payout_limit", "payout_resolution"],
  ...["payout_rule_set", "receiver", "receiver_account", "bank_details", "bank_details_change"],
  ...["bank_connection", "bank_connection_request", "bank_csv_mapping", "deposit_reference"],
  ...["ledger_transfer", "ledger_balance"],
  ...["bank_suspense_item", "bank_suspense_act", "bank_match", "bank_statement_line"],
  ...["bank_batch", "bank_inbound_file", "bank_request"],
  ...["api_key", "api_secret", "api_secret_seen", "change_request", "installation"],
  ...["console_user", "invitation", "user_credential", "user_passkey", "user_subaccount"],
  ...["user_vouch", "operator_token"],
];

type Declaration = {
  name: string;
  /** The tables of money that its own statements write. */
  tables: readonly string[];
  /** Names of the same file and of imports. */
  uses: readonly string[];
};
type Import = { file: string; name: string };
export type Source = {
  declarations: ReadonlyMap<string, Declaration>;
  imports: ReadonlyMap<string, Import>;
  /** Of a face: where what it passes on is declared. */
  passedOn: ReadonlyMap<string, Import>;
};

/** By file below `folder`. */
export function readSources(folder: string, files: readonly string[]): Map<string, Source> {
  return new Map(
    files.map((file) => [file, sourceOf(file, readFileSync(join(folder, file), "utf8"))]),
  );
}

export function sourceOf(file: string, content: string): Source {
  const text = content.replace(/^\s*\/\/.*|\/\*[\s\S]*?\*\//gm, "");
  const imports = placesOf(file, text, /^import (?!type )[^"]*?\{([^}]*)\}[^"]*?"(\.[^"]+)"/gm);
  const passedOn = placesOf(file, text, /^export \{([^}]*)\} from "(\.[^"]+)"/gm);
  const starts = [
    ...text.matchAll(
      /^(?:export )?(?:default )?(?:async )?(?:const|let|class|function\*?) (?<name>\w+)/gm,
    ),
  ];
  const names = new Set(starts.map(({ groups }) => groups?.name as string));
  const isKnown = (name: string) => names.has(name) || imports.has(name);
  const declarations = new Map<string, Declaration>();
  for (const [place, { groups, index }] of starts.entries()) {
    const name = groups?.name as string;
    const body = text.slice(index, starts[place + 1]?.index);
    const uses = new Set(namesIn(body).filter((used) => used !== name && isKnown(used)));
    declarations.set(name, { name, tables: tablesIn(body), uses: [...uses] });
  }
  return { declarations, imports, passedOn };
}

/** Where the names of these statements are declared. */
function placesOf(file: string, text: string, statement: RegExp): Map<string, Import> {
  const places = new Map<string, Import>();
  for (const [, names = "", path = ""] of text.matchAll(statement)) {
    const target = relative(".", join(dirname(file), path));
    for (const part of names.split(",")) {
      const [name = "", local = name] = part.trim().split(" as ");
      if (name !== "" && !name.startsWith("type ")) places.set(local, { file: target, name });
    }
  }
  return places;
}

function tablesIn(text: string): string[] {
  const writes = text.matchAll(
    /\b(?:insert into|delete from|(?<!for |key |do )update)\s+([a-z_]+)\b/g,
  );
  return [...writes].map(([, table = ""]) => table).filter((table) => moneyTables.includes(table));
}

/** Words of texts and statements, members (`.fund`) and keys (`fund: …`) don't use the function of that name. */
function namesIn(text: string): string[] {
  const code = text
    .replace(/"[^"\n]*"/g, "")
    .replace(/`[^`]*`/g, interpolationsOf)
    .replaceAll("...", " ");
  return [...code.matchAll(/(?<![\w.])([a-zA-Z]\w*)\b(?!\??:)/g)].map(([, name = ""]) => name);
}

function interpolationsOf(template: string): string {
  const [, ...parts] = template.split("${");
  return parts.map((part) => part.slice(0, part.lastIndexOf("}"))).join(" ");
}

type Way = { file: string; names: readonly string[]; table: string };
export type MoneyWrite = {
  /** The names of the functions down to the statement, and the table that it writes. */
  way: string;
  /** The functions of the file that write. */
  functions: Import[];
};

/**
 * By file: how it writes a table of money. Files with statements, and `carriers`, write for the files that use them; every
 * other file decides, and the search ends there.
 */
export function moneyWritesBy(
  sources: ReadonlyMap<string, Source>,
  carriers: ReadonlySet<string>,
): Map<string, MoneyWrite> {
  const callers = callersOf(sources);
  const seen = new Set<string>();
  const writes = new Map<string, MoneyWrite>();
  let found: Way[] = [];
  for (const [file, { declarations }] of sources) {
    for (const { name, tables } of declarations.values()) {
      const [table] = tables;
      if (table && hasSql(file)) found.push({ file, names: [name], table });
    }
  }
  while (found.length > 0) {
    const next: Way[] = [];
    for (const { file, names, table } of found) {
      const key = `${file} ${names[0]}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (!hasSql(file)) {
        const write = writes.get(file) ?? { way: `${names.join(" > ")}: ${table}`, functions: [] };
        write.functions.push({ file, name: names[0] as string });
        writes.set(file, write);
      }
      if (!hasSql(file) && !carriers.has(file)) continue;
      for (const caller of callers.get(key) ?? []) {
        next.push({ file: caller.file, names: [caller.name, ...names], table });
      }
    }
    found = next;
  }
  return writes;
}

/** Whether some function, other than one that only wires parts together, uses both a function of `those` and one of `these`. */
export function areUsedTogether(
  sources: ReadonlyMap<string, Source>,
  those: readonly Import[],
  these: readonly Import[],
): boolean {
  const callers = callersOf(sources);
  const [above, beside] = [those, these].map((start) => {
    const seen = new Map<string, Import>();
    let found = start;
    while (found.length > 0) {
      const fresh = found.filter((one) => !isWiring(one.file) && !seen.has(keyOf(one)));
      for (const one of fresh) seen.set(keyOf(one), one);
      found = fresh.flatMap((one) => callers.get(keyOf(one)) ?? []);
    }
    return seen;
  });
  return [...(above?.keys() ?? [])].some((key) => beside?.has(key));
}

const isWiring = (file: string) => /^doors\/(app|cli)\/|routes\.ts$/.test(file);
const keyOf = ({ file, name }: Import) => `${file} ${name}`;

function callersOf(sources: ReadonlyMap<string, Source>): Map<string, Import[]> {
  const callers = new Map<string, Import[]>();
  for (const [file, { declarations, imports }] of sources) {
    for (const { name, uses } of declarations.values()) {
      for (const used of uses) {
        const imported = imports.get(used);
        const behindFace = imported && sources.get(imported.file)?.passedOn.get(imported.name);
        const place = declarations.has(used) ? { file, name: used } : (behindFace ?? imported);
        const key = `${place?.file} ${place?.name}`;
        callers.set(key, [...(callers.get(key) ?? []), { file, name }]);
      }
    }
  }
  return callers;
}

const hasSql = (file: string) => /[/-]queries\.ts$/.test(file);
