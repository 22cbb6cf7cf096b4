// A user applies a file from a bank.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import { applyInbound } from "../../banks/inbound.ts";
import type { InboundFileRow } from "../../banks/inbound-queries.ts";
import { findConnection } from "../banks/connections.ts";
import type { WriteParts } from "../write-parts.ts";
import { connectionNames, presentInboundFile } from "./inbound.ts";
import type { AppliedFile } from "./schema.ts";

type FileFromBank = { name: string; content: string; connectionId: string | undefined };

/** The same file a second time changes nothing. */
export async function applyByUser(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { name, content, connectionId }: FileFromBank,
): Promise<AppliedFile> {
  const connection = connectionId ? await findConnection({ db, seal }, connectionId) : undefined;
  const noted = audited({ db, seal }, actor).db<InboundFileRow>((row) => ({
    action: "bank-file.inbound",
    object: { kind: "bank_inbound_file", id: row.id },
    after: { name, sha256: row.sha256, lines: row.lines, suspended: row.suspended },
  }));
  const bytes = Buffer.from(content, "base64");
  const request = { name, connection, who: actor.who, atMs: clock() };
  const { file, isNew } = await applyInbound({ db: noted, seal }, bytes, request);
  return { file: presentInboundFile(file, await connectionNames(db)), is_new: isNew };
}
