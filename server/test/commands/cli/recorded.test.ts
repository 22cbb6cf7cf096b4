// Exit code and shape of the output of every command that writes, as recorded in fixtures/commands.txt.
// After a change that is meant, record again: vitest run --project commands recorded -u

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { tellEveryCommand } from "../../scenarios/command-story.ts";
import type { Step } from "../../scenarios/command-story-parts.ts";
import { command } from "../../support/commands.ts";
import { newDatabase, settingsOf } from "../../support/service.ts";
import { sftpPassword, startSftpServer } from "../../support/sftp-server.ts";

test("what every writing command prints with --json, and its exit code, are as recorded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "disburse-recorded-"));
  const { db, url } = await newDatabase();
  // A database is put into quarantine only while no service is connected.
  await db.close();
  const client = new pg.Client(url);
  await client.connect();
  const server = await startSftpServer();
  onTestFinished(async () => {
    await server.close();
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  });
  const environment = {
    ...settingsOf({ url }),
    POSTBACK_ADDRESSES: "loopback",
  };
  const steps = await tellEveryCommand({
    run: (words) => command(words, environment),
    sql: async (text, values = []) => void (await client.query(text, values)),
    folder,
    json: true,
    sftp: { ...server, password: sftpPassword },
  });
  const lines = steps.map((step) => inOneLine(step).replaceAll(folder, "<folder>"));
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../fixtures/commands.txt");
});

function inOneLine({ words, code, stdout, stderr }: Step): string {
  const asked = words.filter((word) => word !== "--json").map((word) => word || "''");
  const said = code === 0 ? [] : [reasonOf(stderr)];
  return withoutIds([...asked, "=>", code, shapeOf(stdout), ...said].join(" ").trimEnd());
}

/** The names of the values, of the first row where there are several. */
function shapeOf(stdout: string): string {
  if (stdout === "") return "";
  let printed: unknown;
  try {
    printed = JSON.parse(stdout);
  } catch {
    return "text";
  }
  const namesOf = (value: unknown) => Object.keys(value ?? {}).join(" ");
  return Array.isArray(printed) ? `[${namesOf(printed[0])}]` : `{${namesOf(printed)}}`;
}

/** The codes of a refusal, or else its first line. */
function reasonOf(stderr: string): string {
  const codes = new Set(stderr.match(/\b[A-Z]{4}\d{3}\b/g));
  return codes.size > 0 ? [...codes].join(" ") : (stderr.split("\n", 1)[0] ?? "");
}

function withoutIds(line: string): string {
  return line
    .replace(/\b(evt_(test_)?)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, "<id>")
    .replace(/\b[\da-f]{64}\b/g, "<hash>")
    .replace(/\bak_(test|live)_[\w-]{16,}/g, "<key>")
    .replace(/x{50,}/g, "<long>");
}
