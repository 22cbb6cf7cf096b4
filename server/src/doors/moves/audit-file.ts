// The audit entries of a subaccount as a file: one entry a line, and a last line with their number, a hash and a signature.

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { listAuditLines } from "./switch-queries.ts";

export type MoveAuditFile = {
  /** Adds the entries that were made since the last call. */
  catchUp(): Promise<void>;
  /** Adds the last line and writes the file to the disk. */
  finish(): Promise<AuditExported>;
  close(): Promise<void>;
};

export type AuditExported = { audit_entries: number; audit_sha256: string };

const pageMax = 1_000;

/** Most entries are written before the freeze. A file of an earlier attempt is replaced. */
export async function openAuditExport(
  { db, seal }: { db: Db; seal: Seal },
  subaccountId: string,
  path: string,
): Promise<MoveAuditFile> {
  const file = await open(path, "w", 0o600);
  const hash = createHash("sha256");
  let after = "0";
  let entries = 0;
  return {
    async catchUp() {
      for (;;) {
        const page = await listAuditLines(db, subaccountId, { after, limit: pageMax });
        const text = page.map(({ line }) => `${line}\n`).join("");
        hash.update(text);
        await file.write(text);
        entries += page.length;
        after = page.at(-1)?.number ?? after;
        if (page.length < pageMax) return;
      }
    },
    async finish() {
      const exported = { audit_entries: entries, audit_sha256: hash.digest("hex") };
      await file.write(`${JSON.stringify(signedEnd(seal, subaccountId, exported))}\n`);
      await file.sync();
      return exported;
    },
    close: () => file.close(),
  };
}

/** The signature needs the master key, as the mark at the head of the audit log does. */
function signedEnd(seal: Seal, subaccountId: string, exported: AuditExported) {
  const { audit_entries: entries, audit_sha256: sha256 } = exported;
  const signed = JSON.stringify([subaccountId, entries, sha256]);
  return {
    subaccount_id: subaccountId,
    entries,
    sha256,
    signature: seal.sign("audit-export", signed),
  };
}

function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

/** What is wrong with an exported file; undefined: it is as it was written. */
export function auditExportFault(seal: Seal, text: string): string | undefined {
  const lines = text.split("\n").slice(0, -1);
  const last = lines.pop();
  if (last === undefined) return "the file is empty";
  const { subaccount_id, entries, sha256, signature } = parsed(last);
  const body = lines.map((line) => `${line}\n`).join("");
  if (entries !== lines.length) return `it has ${lines.length} entries, and says ${entries}`;
  if (sha256 !== createHash("sha256").update(body).digest("hex")) return "an entry was changed";
  const signed = JSON.stringify([subaccount_id, entries, sha256]);
  return signature === seal.sign("audit-export", signed) ? undefined : "the signature is not ours";
}
