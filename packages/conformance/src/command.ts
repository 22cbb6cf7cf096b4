// disburse conformance: its options, one table for both command lines, and what it prints.

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { conform, Refused } from "./conform.ts";
import { isKept, reportJson, reportJunit, reportText } from "./report.ts";
import type { Credentials } from "./signature.ts";

type Name =
  | ("key" | "secret" | "secret-file" | "other-key" | "other-secret-file")
  | ("disburse" | "test-key" | "junit" | "json");
type OptionRow = { name: Name; takes?: string; description: string };

export const conformanceOptions: readonly OptionRow[] = [
  { name: "key", takes: "key", description: "a test key; or DISBURSE_API_KEY" },
  {
    name: "secret",
    takes: "secret",
    description: "its secret, which other users of the machine can see; better the next one",
  },
  {
    name: "secret-file",
    takes: "file",
    description: "file that holds the secret; or DISBURSE_API_SECRET",
  },
  {
    name: "other-key",
    takes: "key",
    description: "a test key of another subaccount; or DISBURSE_OTHER_API_KEY",
  },
  {
    name: "other-secret-file",
    takes: "file",
    description: "file that holds its secret; or DISBURSE_OTHER_API_SECRET",
  },
  { name: "disburse", description: "also check what Disburse adds, and events" },
  { name: "test-key", description: "the keys are test keys, where nothing else says so" },
  { name: "junit", takes: "file", description: "also write the report as JUnit" },
  { name: "json", description: "print the report as JSON" },
];

type Given = Partial<Record<Name, string | boolean>>;
type Output = { write(text: string): unknown };
export type ConformanceContext = { env: NodeJS.ProcessEnv; stdout: Output; stderr: Output };

const usage = 2;

/** With the words of a command line. */
export async function runConformanceWords(
  words: readonly string[],
  context: ConformanceContext,
): Promise<number> {
  const kinds = conformanceOptions.map(
    ({ name, takes }) => [name, { type: takes ? "string" : "boolean" }] as const,
  );
  const options = { ...Object.fromEntries(kinds), help: { type: "boolean" } } as const;
  let read: ReturnType<typeof parseArgs>;
  try {
    read = parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    context.stderr.write(`${(error as Error).message}\n`);
    return usage;
  }
  const { values, positionals } = read;
  const [url, ...more] = positionals;
  const isAsked = values.help === true;
  if (!isAsked && url !== undefined && more.length === 0)
    return runConformance(url, values as Given, context);
  (isAsked ? context.stdout : context.stderr).write(usageText());
  return isAsked ? 0 : usage;
}

function usageText(): string {
  const rows = conformanceOptions.map(({ name, takes, description }) => {
    const flag = `--${name}${takes ? ` <${takes}>` : ""}`;
    return `  ${flag.padEnd(28)}${description}`;
  });
  return `Usage: disburse conformance <url> [options]\n\n${rows.join("\n")}\n`;
}

/** Returns the exit code: 0 all kept, 1 a promise is broken, 2 it could not begin. */
export async function runConformance(
  url: string,
  given: Given,
  { env, stdout, stderr }: ConformanceContext,
): Promise<number> {
  try {
    const target = {
      url: originOf(url),
      ...credentialsOf(given, env),
      isDisburse: given.disburse === true,
    };
    const report = await conform(target, { isTestKey: given["test-key"] === true });
    if (typeof given.junit === "string") writeFileSync(given.junit, reportJunit(report));
    stdout.write(given.json ? reportJson(report) : reportText(report));
    return isKept(report) ? 0 : 1;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (!(error instanceof Refused) && path === undefined) throw error;
    stderr.write(
      error instanceof Refused ? `${error.message}\n` : `${path} can't be used (${code}).\n`,
    );
    return usage;
  }
}

function credentialsOf(
  given: Given,
  env: NodeJS.ProcessEnv,
): { by: Credentials; other?: Credentials } {
  const key = textOf(given.key) ?? env.DISBURSE_API_KEY;
  const secret = textOf(given.secret) ?? inFile(given["secret-file"]) ?? env.DISBURSE_API_SECRET;
  if (!key || !secret) {
    throw new Refused(
      "Give --key (or DISBURSE_API_KEY) and --secret-file or --secret (or DISBURSE_API_SECRET).",
    );
  }
  const otherKey = textOf(given["other-key"]) ?? env.DISBURSE_OTHER_API_KEY;
  const otherSecret = inFile(given["other-secret-file"]) ?? env.DISBURSE_OTHER_API_SECRET;
  if (!otherKey && !otherSecret) return { by: { key, secret } };
  if (!otherKey || !otherSecret) {
    throw new Refused(
      "Give both of the second key: --other-key and --other-secret-file, or neither.",
    );
  }
  return { by: { key, secret }, other: { key: otherKey, secret: otherSecret } };
}

const textOf = (value: string | boolean | undefined) =>
  typeof value === "string" ? value : undefined;

const inFile = (file: string | boolean | undefined) =>
  typeof file === "string" ? readFileSync(file, "utf8").trim() : undefined;

/** A path before /api belongs to the address of the service. A password in it would be printed. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search) {
    return (url.origin + url.pathname).replace(/\/$/, "");
  }
  throw new Refused("Give the address of the service, such as https://payouts.example.com.");
}
