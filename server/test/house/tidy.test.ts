// The rules of the code: where SQL and Fastify may be used, who writes each table, and names. ARCHITECTURE.md gives the
// reasons, and tidy-wings.test.ts has the rules of imports.

import { expect, test } from "vitest";
import { pageWith } from "../../../bench/speed-page.ts";
import { statementRules } from "../../src/banking/statements/rules.ts";
import { actTable, conditionTable } from "../../src/money/rules/rule-tables.ts";
import { refusals } from "../../src/platform/refusals/refusals.ts";
import { postbackTables } from "../../src/webhooks/webhook-endpoints/endpoint-tables.ts";
import { importsOf, nounOf, sources } from "./server-files.ts";
import { sharedWrites, tableOwners } from "./table-owners.ts";
import { files, read } from "./tracked-files.ts";

test("no files import each other in a circle", () => {
  const code = files.filter((file) =>
    /^(server|packages|console|clients?|bench|prove)\/.*\.tsx?$/.test(file),
  );
  const imports = new Map(code.map((file) => [file, importsOf(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(file: string, path: string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (done.has(file) || path.includes(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  }
  for (const file of code) visit(file, []);
  expect(circles).toEqual([]);
});

test("no two files of the server, and none of the console, export the same name", () => {
  // A schema and its type share a name within one file, and a file that passes on an import declares nothing.
  const declared =
    /^export (?:async )?(?:const|let|function\*?|class|type|interface) (?<name>\w+)/gm;
  for (const folder of ["server/src/", "console/src/"]) {
    const filesOf = new Map<string, Set<string>>();
    for (const file of files.filter((name) => name.startsWith(folder) && /\.tsx?$/.test(name))) {
      for (const { groups } of read(file).matchAll(declared)) {
        const name = groups?.name as string;
        filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
      }
    }
    expect(filesOf.size).toBeGreaterThan(100);
    expect([...filesOf].filter(([, declaring]) => declaring.size > 1)).toEqual([]);
  }
});

test("the console imports only wire types from the server", () => {
  const pages = files.filter((file) => /^console\/src\/.*\.tsx?$/.test(file));
  expect(pages.length).toBeGreaterThan(40);
  for (const file of pages) {
    const text = read(file);
    for (const [line, path] of text.matchAll(/^(?:import|export)\b[^;]*?"(@server\/[^"]+)";/gm)) {
      expect(line, file).toMatch(/^(import|export) type /);
      expect(path, file).toMatch(/^@server\/(.+\/schema\.ts|tenants\/roles\/user\.ts)$/);
    }
    expect(text, file).not.toMatch(/import\(\s*["'`]@server/);
    const elsewhere = importsOf(file).filter((imported) => !imported.startsWith("console/src/"));
    expect(elsewhere, file).toEqual([]);
  }
});

test("only app, http, operator, routes, and the console's route.ts, act-route.ts, gate.ts, scope.ts and sign-in import Fastify", () => {
  const knowing = sources.filter((file) => /from "@?fastify/.test(read(file)));
  const may =
    /^server\/src\/(doors\/app|doors\/operator|platform\/http|doors\/console\/login)\/|\/routes\.ts$|^server\/src\/(platform\/log\/log|doors\/process\/quarantine|doors\/console\/(route|act-route|gate|names|scope))\.ts$/;
  expect(knowing.filter((file) => !may.test(file))).toEqual([]);
});

/** Once one folder, db. */
const databaseNouns = ["db", "backup", "batching", "embedded"].map((noun) => `platform/${noun}`);

test("SQL is only in queries.ts, in db, and in three files about a single row", () => {
  const sql =
    /`?\b(select|insert into|update|delete from)\b [\s\S]{0,200}?\b(from|values|set|where)\b/;
  const holding = sources.filter(
    (file) =>
      sql.test(read(file).replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "")) &&
      !databaseNouns.includes(nounOf(file)),
  );
  expect(holding.filter((file) => !/[/-]queries\.ts$/.test(file))).toEqual([
    "server/src/doors/process/example-data.ts",
    "server/src/tenants/installation/installation.ts",
    "server/src/webhooks/delivery/worker-lock.ts",
  ]);
});

test("commands touch files only through local-files.ts, which knows users over HTTP", () => {
  const commands = sources.filter((file) => file.startsWith("server/src/doors/cli/"));
  const touching = commands.filter((file) => /from "node:(fs|child_process)/.test(read(file)));
  expect(touching).toEqual(["server/src/doors/cli/local-files.ts"]);
});

test("no routes.ts of the console opens a transaction: each write has its own file", () => {
  const routes = sources.filter((file) => /^server\/src\/doors\/console\/.*routes\.ts$/.test(file));
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter((file) => /\btransaction(<[^(]*>)?\(/.test(read(file)))).toEqual([]);
});

const ofInstallation = [
  "doors/rotation",
  ...[
    "api-keys",
    "four-eyes",
    "installation",
    "operator-tokens",
    "subaccounts",
    "user-records",
  ].map((noun) => `tenants/${noun}`),
];

test("every statement about a subaccount's data names the subaccount", () => {
  // The rotation of keys walks through all subaccounts by the primary key of each table. Expired rows are deleted for all subaccounts at once, the audit log's chain has one end, and bank connections,
  // batches, files from banks, statements, suspense, sanctions lists, rules and data keys are the installation's own.
  const housekeeping =
    /["`](api-nonces-expire|idempotency-keys-expire|\w+-partitions-keep|request-shape-keep|audit-head-[a-z-]+|bank-(connection|batch|inbound|suspense|statement|match|position|closing|exception|csv-mapping|request|alone)[a-z-]*|screening-list[a-z-]*|rules-[a-z-]+|data-key-[a-z-]+|bank-\$\{name\}-old|screening-list-\$\{name\}-\$\{kind\})["`]/;
  const holding = sources.filter((file) => /[/-]queries\.ts$/.test(file));
  for (const file of holding.filter((file) => !ofInstallation.includes(nounOf(file)))) {
    const statements = read(file).match(/statement<[\s\S]*?\n *\);/g) ?? [];
    expect(statements.length).toBeGreaterThan(0);
    for (const text of statements.filter((text) => !housekeeping.test(text)))
      expect(text).toMatch(
        /subaccount_id|\$\{selectAccount\} where a.sub|\$\{postTransfersSql\}|\$\{payoutsAndPayees\}|\$\{(ofPiece|waitingOf|sameEndpoint)\(/,
      );
  }
});

test("a table is written by the noun that owns it", () => {
  const ownerOf = new Map(
    Object.entries(tableOwners).flatMap(([folder, tables]) =>
      tables.map((table) => [table, folder] as const),
    ),
  );
  const written = new Set<string>();
  const holding = sources.filter((name) =>
    /[/-]queries\.ts$|delivery\/worker-lock\.ts$|installation\/installation\.ts$/.test(name),
  );
  expect(holding.length).toBeGreaterThan(40);
  for (const file of holding) {
    const sql = read(file)
      .replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "")
      // Statements that are there for both kinds of webhook endpoints.
      .replace(/\$\{t\.(\w+)\}/g, (_, name) => String(postbackTables[name as "endpoint"]));
    for (const [, table = ""] of sql.matchAll(
      /\b(?:insert into|delete from|update)\s+([a-z_]+)\b/g,
    )) {
      const owner = ownerOf.get(table);
      if (owner && owner !== nounOf(file)) written.add(`${table} by ${nounOf(file)}`);
    }
  }
  expect([...written].sort()).toEqual(Object.keys(sharedWrites));
  const tables = [...read("server/src/platform/db/schema.sql").matchAll(/^create table (\w+) \(/gm)]
    .map(([, table = ""]) => table)
    .filter((table) => table !== "migration");
  expect(tables.filter((table) => !ownerOf.has(table))).toEqual([]);
});

test("every table of a subaccount has subaccount_id first in its primary key", () => {
  const shared = [
    "bank_alone_total",
    "bank_batch",
    "bank_batch_chunk",
    "bank_batch_encrypted_chunk",
    "bank_batch_send",
    "bank_closing",
    "bank_closing_item",
    "bank_connection",
    "bank_connection_request",
    "bank_csv_mapping",
    "bank_exception_note",
    "bank_folder_file",
    "bank_folder_poll",
    "bank_inbound_chunk",
    "bank_inbound_file",
    "bank_inbound_line",
    "bank_match",
    "bank_request",
    "bank_request_chunk",
    "bank_statement",
    "bank_statement_line",
    "bank_suspense_act",
    "bank_suspense_item",
    "installation",
    "data_key",
    "subaccount",
    "api_key",
    "api_secret",
    "api_secret_seen",
    "migration",
    "delivery_worker",
    "audit_entry",
    "audit_head",
    "audit_verified",
    "console_user",
    "user_session",
    "operator_token",
    "operator_answer",
    "login_request",
    "user_vouch",
    "user_credential",
    "user_passkey",
    "user_verification",
    "user_view",
    "invitation",
    "login_failure",
    "request_shape",
    "payout_rule_set",
    "screening_entry",
    "screening_list_version",
    "screening_set",
    "screening_waiting_entry",
  ];
  for (const file of files.filter((name) => /migrations\/.*\.sql$/.test(name))) {
    for (const [, table, body] of read(file).matchAll(/create table (\w+) \(([\s\S]*?)\n\)/g)) {
      if (shared.includes(table as string)) continue;
      expect(body, table).toMatch(/primary key \(subaccount_id[,)]/);
    }
  }
});

test("no file or folder is called utils, helpers, common, misc, lib or types", () => {
  const drawers = /(^|\/)(utils?|helpers?|common|misc|lib|types)(\/|\.[a-z]+$)/;
  expect(files.filter((file) => drawers.test(file))).toEqual([]);
});

test("files are named in kebab-case", () => {
  const named = files.filter((file) => /\.(tsx?|js|mjs|sql|css)$/.test(file));
  const odd = named.filter(
    (file) => !/^[a-z0-9_]+([.-][a-z0-9_]+)*$/.test(file.split("/").at(-1) ?? ""),
  );
  expect(odd).toEqual([]);
});

test("the first line of a file says what it is about", () => {
  const silent = files.filter(
    (file) => /\.(tsx?|mjs)$/.test(file) && !/^(#!.*\n|\/\/ @ts-check\n)?\/\/ \S/.test(read(file)),
  );
  expect(silent).toEqual([]);
});

test("no file has over 400 lines", () => {
  const long = files.filter((file) => /\.tsx?$/.test(file) && read(file).split("\n").length > 400);
  expect(long).toEqual([]);
});

test("only the listed files read the environment", () => {
  const reading = sources.filter((file) => /process\.env/.test(read(file)));
  expect(reading).toEqual([
    "server/src/doors/cli/environment.ts",
    "server/src/doors/process/welcome.ts",
    "server/src/doors/setup/configuration.ts",
    "server/src/platform/embedded/embedded-server.ts",
  ]);
});

test("no lock file names a download address", () => {
  const locks = files.filter((file) => file.endsWith("package-lock.json"));
  expect(locks.length).toBeGreaterThan(1);
  for (const file of locks) expect(read(file), file).not.toMatch(/"resolved": "https?:/);
});

test("docs/reference/speed.md has the stored results", () => {
  const page = read("docs/reference/speed.md");
  const { measures } = JSON.parse(read("bench/results/latest.json"));
  expect(pageWith(measures, page)).toBe(page);
});

test("docs/reference/errors.md lists every code, with its status, text and cure", () => {
  const errors = read("docs/reference/errors.md");
  for (const [code, [status, text, cure]] of Object.entries(refusals)) {
    expect(errors).toContain(`| ${code} | ${status} | ${text} | ${cure} |`);
  }
});

test("docs/compliance/rules.md lists every condition and every act", () => {
  for (const table of [conditionTable(), actTable()])
    expect(read("docs/compliance/rules.md")).toContain(table);
});

test("docs/console/statements.md lists every rule by which lines are matched", () => {
  const rows = Object.entries(statementRules).map(([name, { lines, isAutomatic, needs }]) => {
    const how = isAutomatic ? "automatic" : "suggestion";
    return `| \`${name}\` | ${lines} | ${how} | ${needs} |`;
  });
  expect(read("docs/console/statements.md")).toContain(rows.join("\n"));
});

test("no text uses the words that the glossary has replaced", () => {
  // Identifiers and phrases, not ordinary English words. The changelog keeps its own.
  const replaced =
    /\b(lookouts?|toWish|Hindrance|untilFree|giveBack|twinId|likeness|hearers?|to_tell|bePresent|freeLanesOfTheDead|delivery_at_rest|keyRing|[Dd]oer|keepHouse|announcing|isTripped|is meant: pay|to tell again|[Pp]urses?|lockPurses|tally|hindrance|asker|kinOf|vouched|recordVouch|demand[A-Z]\w*|\w+LookMs|\w*[lL]ookedAtMax|heardAtMs|onNotice|lookAtInvitation|batchesUnderWay|findUnderWay|retry as new|held for it|written anew|writes under way)\b/;
  const keeping = /^CHANGELOG\.md$|^server\/test\/house\/tidy\.test\.ts$|\/results\/|^package-lock/;
  const texts = files.filter((file) => /\.(tsx?|m?js|md|sql|html|json)$/.test(file));
  const using = texts.filter((file) => !keeping.test(file) && replaced.test(read(file)));
  expect(using).toEqual([]);
});

test("every file that ARCHITECTURE.md names with its folder is there", () => {
  const named = [...read("ARCHITECTURE.md").matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|sql))`/g)];
  expect(named.length).toBeGreaterThan(80);
  const isThere = (path: string) => files.includes(path) || files.includes(`server/src/${path}`);
  expect(named.map(([, path = ""]) => path).filter((path) => !isThere(path))).toEqual([]);
});

test("no two migrations have the same number", () => {
  const numbers = files.flatMap((file) => /migrations\/(\d{4})_/.exec(file)?.[1] ?? []);
  expect(numbers).toEqual([...new Set(numbers)]);
});

test("no text tells a user to run disburse from npm, where that package is not ours", () => {
  const runners = /\b(npx|npm exec|pnpm dlx|bunx)( --?[\w-]+)* @?disburse/;
  const said = files
    .filter(
      (file) => !/\.(png|woff2?|ico|pem)$/.test(file) && file !== "server/test/house/tidy.test.ts",
    )
    .filter((file) => runners.test(read(file)) || /npm (i|install|add) @disburse/.test(read(file)));
  expect(said).toEqual([]);
});
