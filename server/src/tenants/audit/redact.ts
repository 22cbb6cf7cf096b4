// Removes the content of audit entries. Number, time, action, object and hash stay, so the chain can still be verified.

import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { redactionMarkOf } from "./entry.ts";
import type { ChainedEntry } from "./queries.ts";
import { updateRedacted } from "./redact-queries.ts";

type Redaction = {
  /** Also removes the actor and its address: for entries that are old enough. */
  withActor?: boolean;
};

export async function redactEntries(
  { tx, seal }: { tx: Tx; seal: Seal },
  entries: readonly ChainedEntry[],
  { withActor = false }: Redaction = {},
): Promise<void> {
  const noActor = withActor ? { who: "", ip: "", requestId: "" } : {};
  const redacted = entries.map((entry) => {
    const rest: ChainedEntry = { ...entry, ...noActor, before: {}, after: {} };
    return { ...rest, redactionMark: redactionMarkOf(seal, rest, entry) };
  });
  if (redacted.length > 0) await updateRedacted(tx, redacted, { withActor });
}
