// The next version of this program: the packed one, with more migrations.

import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { writePackage } from "../../pack.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** Returns its command. `migrations` are by the name of their file. */
export function nextVersion(migrations: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "disburse-upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const packed = join(folder, "disburse");
  writePackage(packed);
  symlinkSync(join(root, "node_modules"), join(packed, "node_modules"));
  const own = join(root, "server", "node_modules");
  if (existsSync(own)) symlinkSync(own, join(packed, "server", "node_modules"));
  const added = join(packed, "server", "src", "platform", "db", "migrations");
  for (const [name, text] of Object.entries(migrations)) writeFileSync(join(added, name), text);
  return join(packed, "bin", "disburse");
}
