// npm run generate: records sample calls, then writes openapi.json, docs/reference/errors.md, the samples in
// docs/api/interface.md, the tables in docs/console/statements.md, docs/compliance/rules.md and SECURITY.md, and
// platform/db/schema.sql. Tests fail when the files in the repository are stale.

import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statementRules } from "../../banking/statements/index.ts";
import { actTable, conditionTable } from "../../money/rules/index.ts";
import { connect, dumpSchema, migrate, schemaFile } from "../../platform/db/index.ts";
import { openEmbedded } from "../../platform/embedded/index.ts";
import { masterKeyBytes, sealWith } from "../../platform/encryption/index.ts";
import { ensureInstallation } from "../../tenants/installation/index.ts";
import { fourEyesTable } from "../../tenants/roles/index.ts";
import { withDocumentApp } from "./document-app.ts";
import { errorTable } from "./openapi.ts";
import { withSamples } from "./samples/page.ts";
import { recordSamples } from "./samples/record.ts";
import { samplesFiles } from "./samples/sample.ts";

const samples = await record();
for (const api of ["api", "operator"] as const)
  writeFileSync(samplesFiles[api], `${JSON.stringify(samples[api], null, 2)}\n`);

const root = join(import.meta.dirname, "..", "..", "..", "..");
const openapi = await withDocumentApp((app) => app.swagger());
writeFileSync(join(root, "openapi.json"), `${JSON.stringify(openapi, null, 2)}\n`);
writeFileSync(join(root, "docs", "reference", "errors.md"), errorDocument());
const statementsPage = join(root, "docs", "console", "statements.md");
writeFileSync(statementsPage, withRules(readFileSync(statementsPage, "utf8")));
const rulesPage = join(root, "docs", "compliance", "rules.md");
const conditions = withTable(readFileSync(rulesPage, "utf8"), "conditions", conditionTable());
writeFileSync(rulesPage, withTable(conditions, "acts", actTable()));
const securityPage = join(root, "SECURITY.md");
writeFileSync(
  securityPage,
  withTable(readFileSync(securityPage, "utf8"), "four eyes", fourEyesTable()),
);
const interfacePage = join(root, "docs", "api", "interface.md");
writeFileSync(interfacePage, withSamples(readFileSync(interfacePage, "utf8"), samples.api));

/** Uses its own database, which it deletes afterwards. */
async function record() {
  const dataDir = mkdtempSync(join(tmpdir(), "disburse-samples-"));
  const embedded = await openEmbedded({ dataDir, purpose: "samples for the documents" });
  const database = connect({ connection: embedded.connection, poolMax: 10 });
  const seal = sealWith(randomBytes(masterKeyBytes));
  try {
    await migrate(database);
    writeFileSync(schemaFile, await dumpSchema(database));
    await ensureInstallation(database, seal);
    return await recordSamples({ db: database, seal });
  } finally {
    await database.close();
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function errorDocument(): string {
  return `# Errors

Every failure has the same shape and lists every problem of the request. Use \`code\` in your program: each code has
one status and one meaning, which never change. \`field\` names the wrong field, if there is one. A response with several problems has the
status of the first: a payout batch with a malformed row is 400, even if other rows have problems with 409. \`npm run generate\`
writes this page from the table in \`server/src/platform/refusals/refusals.ts\`.

    { "message": "…", "error": [{ "code": "REVR201", "message": "Email already exist" }] }

${errorTable()}
`;
}

/** The pages are written by hand, except the tables between two comments. */
function withTable(page: string, name: string, table: string): string {
  return page.replace(
    new RegExp(`(<!-- ${name}: [^>]*-->\n)[\\s\\S]*?(<!-- end of ${name} -->)`),
    (_, start, end) => `${start}\n${table}\n\n${end}`,
  );
}

/** The page is written by hand, except the table of rules. */
function withRules(page: string): string {
  const rows = Object.entries(statementRules).map(([name, { lines, isAutomatic, needs }]) => {
    const how = isAutomatic ? "automatic" : "suggestion";
    return `| \`${name}\` | ${lines} | ${how} | ${needs} |`;
  });
  const table = ["| rule | lines | | what it needs |", "|---|---|---|---|", ...rows].join("\n");
  return page.replace(/\| rule \| lines [\s\S]*?\n\n/, () => `${table}\n\n`);
}
