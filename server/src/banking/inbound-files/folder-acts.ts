// What commands do with the folder on a bank's SFTP server: poll it now, and ignore a refused file.

import Type from "typebox";
import type { AddressPolicy } from "../../platform/addresses/index.ts";
import { idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, act, call } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import type { InboundFileRow } from "../answers/index.ts";
import { requireConnection } from "../connections/index.ts";
import { pollFolderNow } from "./inbound-folder.ts";
import { setFileIgnored } from "./inbound-folder-queries.ts";
import { noteOfFile } from "./upload.ts";

const ofFolder = { object: "bank_connection", may: "banks.release", doors: ["cli"] } as const;
const id = idField("BANK102");

/** A new file is seen at the first poll and read at the second, if it has not changed. */
const pollsMax = 3;

type PollParts = {
  addresses: AddressPolicy;
  /** Until it is seen whether files still change. */
  wait(): Promise<void>;
};

/** The entry comes first; each file that is applied has one of its own. */
export const pollBankFolder = call({
  ...ofFolder,
  name: "bank.poll",
  summary: "read the files in the folder on the bank's SFTP server now, also refused ones",
  input: input({ id }),
  async perform(parts: ActParts & PollParts, { actor }: ActBy, { id }) {
    const connection = await requireConnection(parts, id);
    const sinceMs = parts.clock();
    const audit = audited(parts, actor);
    const object = { kind: ofFolder.object, id };
    await audit.transaction({ action: "bank.poll", object }, async () => {});
    const applyingDb = audit.db<InboundFileRow>(noteOfFile);
    const polling = { ...parts, applyingDb, log: { info() {}, warn() {} } };
    for (let polls = 1; ; polls += 1) {
      const { waiting } = await pollFolderNow(polling, connection, actor.who).catch(
        (error: unknown) => {
          // The service has begun to poll meanwhile.
          if (polls > 1 && error instanceof Refusal) return { waiting: 0 };
          throw error;
        },
      );
      if (waiting === 0 || polls === pollsMax) return { connection, sinceMs };
      await parts.wait();
    }
  },
});

export const ignoreFolderFile = act({
  ...ofFolder,
  name: "bank.ignore-file",
  summary: "a refused file in the folder needs nothing: it is read again only if it changes",
  input: input({
    id,
    file: required(Type.String()),
    reason: required(
      Type.String({ maxLength: 500, pattern: line, description: "why, for the audit log" }),
    ),
  }),
  async run({ tx, atMs }, { id, file, reason }) {
    const ignored = await setFileIgnored(tx, { connectionId: id, name: file, atMs });
    if (!ignored) throw new Refusal("BANK455");
    const { code, message } = ignored;
    return { result: ignored, id, before: { file, code, message }, after: { reason } };
  },
});
