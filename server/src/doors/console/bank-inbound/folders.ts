// Folders of banks that can't be polled, and files in them that were refused.

import { listConnections, toConnection } from "../../../banking/connections/index.ts";
import { listFolderPolls, listRefusedFiles } from "../../../banking/inbound-files/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import type { WriteParts } from "../write-parts.ts";
import type { FolderProblems } from "./schema.ts";

export async function findFolderProblems({
  db,
  seal,
}: Pick<WriteParts, "db" | "seal">): Promise<FolderProblems> {
  const rows = await listConnections(db);
  const polls = await listFolderPolls(db);
  const refused = await listRefusedFiles(db, limits.bankInboundListedMax);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const folders = rows.flatMap((row) => {
    const poll = polls.get(row.id);
    // A connection that has no folder any more may have had a problem with it.
    if (!poll?.problem || toConnection(row, seal)?.sftp?.inbound_folder === undefined) return [];
    const { problem, good_at_ms } = poll;
    return { connection_name: row.name, problem, good_at: Number(good_at_ms) };
  });
  const files = refused.map(({ connection_id, name, at_ms, code, message }) => ({
    connection_name: names.get(connection_id) ?? "",
    name,
    code,
    message,
    refused_at: Number(at_ms),
  }));
  return { folders, files };
}
