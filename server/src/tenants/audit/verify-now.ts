// Verifies the audit log for a user who waits for it. A process does it once at a time: who asks meanwhile gets the result
// of the run that goes on.

import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { readAnchorFile } from "./anchors.ts";
import { verifyAndRecord } from "./state.ts";
import type { VerifiedAudit } from "./verify.ts";

export type VerifyProgress = { checked: number; of: number; ended: boolean };
type Parts = { db: Db; seal: Seal; auditAnchorFile: string | undefined };
type Run = { checked: number; of: number; result: Promise<VerifiedAudit> };

const runs = new WeakMap<Db, Run>();

/** How far it is, and a last line when the result is recorded. */
export async function* verifyNow(parts: Parts): AsyncGenerator<VerifyProgress> {
  const run = runs.get(parts.db) ?? begin(parts);
  const isEnded = run.result.then(() => true);
  while (!(await Promise.race([isEnded, sleep(limits.auditProgressMs, false)]))) {
    yield { checked: run.checked, of: run.of, ended: false };
  }
  const { entries, head } = await run.result;
  yield { checked: entries, of: head.number, ended: true };
}

/** How far the run of this process is. Undefined: none goes on. */
export function runningVerification(db: Db): { checked: number; of: number } | undefined {
  const run = runs.get(db);
  return run && { checked: run.checked, of: run.of };
}

function begin({ db, seal, auditAnchorFile: file }: Parts): Run {
  const run = { checked: 0, of: 0 } as Run;
  const onProgress = (checked: number, of: number) => Object.assign(run, { checked, of });
  const anchors = file === undefined ? [] : readAnchorFile(file);
  run.result = verifyAndRecord({ db, seal }, { anchors, onProgress });
  runs.set(db, run);
  void run.result.catch(() => {}).finally(() => runs.delete(db));
  return run;
}
