// The alert rules of deploy/prometheus and the dashboard of deploy/grafana: they name metrics that exist, promtool
// accepts them, and docs/operate/monitoring.md explains each alert.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { metricTable } from "../../../src/platform/metrics/metric-table.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";
import { thursdayMs, type WeekTrouble, weekOfBankFiles } from "../../support/week-of-bank-files.ts";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const rulesFile = join(root, "deploy", "prometheus", "alerts.yml");
const rules = readFileSync(rulesFile, "utf8");
const dashboard = readFileSync(join(root, "deploy", "grafana", "disburse.json"), "utf8");
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string);

type Panel = { targets?: { expr: string }[] };
const expressions = (JSON.parse(dashboard) as { panels: Panel[] }).panels.flatMap(
  ({ targets = [] }) => targets.map(({ expr }) => expr),
);

/** The name in the table: a histogram has three series. */
function metricOf(series: string): string {
  const [, name = series] = /^(.+)_(?:bucket|sum|count)$/.exec(series) ?? [];
  return name in metricTable ? name : series;
}

test.each([
  ["alert rules", rules],
  ["dashboard", dashboard],
])("the %s name only metrics that exist", (_what, text) => {
  const names = [...text.matchAll(/\b(?:disburse|nodejs|process)_[a-z0-9_]+\b/g)];
  const metrics = new Set(names.map(([name]) => metricOf(name)));
  expect(metrics.size).toBeGreaterThan(20);
  expect([...metrics].filter((name) => !(name in metricTable))).toEqual([]);
});

test("docs/operate/monitoring.md explains every alert, and no other", () => {
  const page = readFileSync(join(root, "docs", "operate", "monitoring.md"), "utf8");
  const explained = [...page.matchAll(/^\| `(Disburse\w+)`/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual([...alerts].sort());
});

const promtool = testUnless(missingCommands("promtool"));
const run = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", words, { encoding: "utf8" });
  return { status, output: stdout + stderr };
};

promtool("promtool accepts the alert rules, and they fire as their tests say", () => {
  const checked = run("check", "rules", rulesFile);
  expect(checked).toEqual({ status: 0, output: expect.stringContaining(`${alerts.length} rules`) });
  const tested = run("test", "rules", join(root, "deploy", "prometheus", "alerts.test.yml"));
  expect(tested).toEqual({ status: 0, output: expect.stringContaining("SUCCESS") });
});

const weeks: [name: string, trouble: WeekTrouble, firing: string[]][] = [
  ["a normal week raises no alert", {}, []],
  [
    "a file that nobody approves is reported before its cut-off",
    { unapprovedDay: 2 },
    ["DisburseBankFileUnsent"],
  ],
  [
    "a worker that stops is reported with the first file that it misses",
    { workerStopsAtMs: thursdayMs },
    ["DisburseNothingSent"],
  ],
];

for (const [name, trouble, firing] of weeks) {
  promtool(`bank files by their windows: ${name}`, () => {
    const file = join(newFolder(), "week.yml");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(weekOfBankFiles(rulesFile, trouble, firing)));
    const tested = run("test", "rules", file);
    expect(tested).toEqual({ status: 0, output: expect.stringContaining("SUCCESS") });
  });
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-alerts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

promtool("promtool can parse every expression of the dashboard", () => {
  const recorded = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  const file = join(newFolder(), "panels.yml");
  writeFileSync(file, JSON.stringify({ groups: [{ name: "panels", rules: recorded }] }));
  expect(run("check", "rules", file)).toEqual({
    status: 0,
    output: expect.stringContaining(`${expressions.length} rules`),
  });
});
