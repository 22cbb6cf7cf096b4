// An operator's commands, on a new database with one open subaccount.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { manualProvider } from "../../src/people/kyc-providers/manual.ts";
import { createReceivers, toReceiverCreation } from "../../src/people/receivers/create.ts";
import type { NewReceiver } from "../../src/people/receivers/schema.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { command } from "./commands.ts";
import type { Run } from "./process.ts";
import { ada, newDatabase, settingsOf } from "./service.ts";

export const me = `command:${userInfo().username}`;
/** With a name given with --by. */
export const meAs = (name: string) => `${me} as ${name}`;
export const unknownId = "0190f3a2-7b3c-7d1e-8f00-0123456789ab";

export type OperatorTest = Awaited<ReturnType<typeof operatorTest>>;

export async function operatorTest() {
  const { db, url, seal } = await newDatabase();
  const folder = mkdtempSync(join(tmpdir(), "disburse-cli-"));
  const { subaccountId } = await createSubaccount({ db, seal }, { name: "Only", mode: "live" });
  const environment = settingsOf({ url });
  const run = (...words: string[]): Promise<Run> => command(words, environment);
  return {
    db,
    seal,
    subaccountId,
    folder,
    run,
    runWith: (more: Record<string, string>, ...words: string[]): Promise<Run> =>
      command(words, { ...environment, ...more }),
    async json(...words: string[]) {
      const { code, stdout, stderr } = await run(...words, "--json");
      expect([code, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    },
    async close() {
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
    /** Creates a receiver without a process, which would take a second. */
    async newReceiver(changes: Partial<NewReceiver> = {}): Promise<string> {
      const caller = { subaccountId, mode: "live", key: "", requestId: newId() } as const;
      const input = ada(changes);
      const creation = toReceiverCreation({ ...caller, nonce: undefined }, input, {
        provider: manualProvider,
        screener: noScreening,
        seal,
        who: me,
      });
      await createReceivers(db, [creation]);
      return creation.row.id;
    },
  };
}

/** One option for each field. */
export function optionsOf(fields: object): string[] {
  return Object.entries(fields).flatMap(([name, value]) => [
    `--${name.replaceAll("_", "-")}`,
    value,
  ]);
}
