// The table of four eyes against the code: every write of money has its row, and every row its check.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  fourEyesTable,
  moneyActs,
  moneyWriters,
  otherMoneyWrites,
} from "../../../src/tenants/roles/four-eyes-table.ts";
import { areUsedTogether, moneyWritesBy, readSources, sourceOf } from "../../house/money-writes.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const folder = join(root, "server", "src");
const sources = readSources(folder, globSync("**/*.ts", { cwd: folder }).sort());
const writing = moneyWritesBy(sources, moneyWriters);

const named = [
  ...moneyActs.flatMap(({ writtenIn }) => writtenIn),
  ...Object.keys(otherMoneyWrites),
  ...moneyWriters,
];
const covers = (name: string, file: string) =>
  name.endsWith("/") ? file.startsWith(name) : file === name;

test("every file that decides about a write of money is in the table of four eyes", () => {
  expect(writing.size).toBeGreaterThan(80);
  const missing = [...writing].filter(([file]) => !named.some((name) => covers(name, file)));
  expect(missing.map(([file, { way }]) => `${file}: ${way}`)).toEqual([]);
  const files = [...writing.keys()];
  expect(named.filter((name) => !files.some((file) => covers(name, file)))).toEqual([]);
});

test("a write through a function of another file is found", () => {
  expect(writing.get("banking/statements/close-month.ts")?.way).toMatch(
    /^takeOpeningBalance > bookCompany > .*: ledger_/,
  );
});

test.each([
  ["bookCompany", "../../../banking/answers/company.ts", "ledger_balance"],
  ["fund", "../../../money/ledger/fund.ts", "ledger_balance"],
  ["createAccount", "../../../people/accounts/create.ts", "receiver_account"],
  ["addKey", "../../../tenants/api-keys/create.ts", "api_key"],
  ["putConnection", "../../../banking/connections/save-connection.ts", "bank_connection"],
  ["updateFinanceApproval", "../../../tenants/user-records/finance-queries.ts", "installation"],
])("a new file that calls %s needs a row", (name, path, table) => {
  const file = "doors/console/planted/planted.ts";
  const text = `import { ${name} } from "${path}";\nexport const act = () => helper();\nfunction helper() {\n  return ${name}();\n}\n`;
  const planted = new Map([...sources, [file, sourceOf(file, text)]]);
  const found = moneyWritesBy(planted, moneyWriters).get(file)?.way;
  expect(found).toMatch(new RegExp(`^helper > ${name}\\b.*: ${table}$`));
});

test("every act that takes a second user refuses its makers where it is decided", () => {
  for (const { act, second, checkedIn, writtenIn } of moneyActs) {
    expect(second === undefined, act).toBe(checkedIn === undefined);
    if (checkedIn === undefined) continue;
    const checks = [...(sources.get(checkedIn)?.declarations.values() ?? [])]
      .filter(({ uses }) => uses.includes("requireOtherUser"))
      .map(({ name }) => ({ file: checkedIn, name }));
    const writes = writtenIn.flatMap((file) => writing.get(file)?.functions ?? []);
    expect(areUsedTogether(sources, checks, writes), act).toBe(true);
  }
});

test("SECURITY.md shows the table", () => {
  expect(readFileSync(join(root, "SECURITY.md"), "utf8")).toContain(fourEyesTable());
});
