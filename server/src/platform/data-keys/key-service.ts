// The port to what protects the data keys. A key service wraps (encrypts) them for the database and unwraps them when a
// process starts. Each wrapped text begins with a prefix that names its service.

export type KeyService = {
  wrap(key: Buffer): Promise<string>;
  unwrap(wrapped: string): Promise<Buffer>;
};

/** A key could not be wrapped or unwrapped. The message says what to do, and holds no key. */
export class KeyServiceError extends Error {}

type PrefixedService = { prefix: string; service: KeyService };

export type KeyServices = KeyService & {
  /** The first one of a kind. Undefined: none is configured. */
  ofKind(kind: "local" | "vault"): KeyService | undefined;
};

/** Wraps with the first service; unwraps with the one that the text names. */
export function keyServices(all: readonly PrefixedService[]): KeyServices {
  const [first] = all;
  if (!first) throw new Error("a key service is required");
  return {
    wrap: (key) => first.service.wrap(key),
    ofKind: (kind) => all.find(({ prefix }) => prefix.startsWith(`${kind}:`))?.service,
    unwrap(wrapped) {
      const found = all.find(({ prefix }) => wrapped.startsWith(prefix));
      if (!found) throw new KeyServiceError(missingService(wrapped));
      return found.service.unwrap(wrapped);
    },
  };
}

function missingService(wrapped: string): string {
  const [kind, fingerprint] = wrapped.split(":");
  if (kind === "vault") {
    return "The data keys of this database are wrapped by Vault. Set VAULT_TRANSIT_KEY, VAULT_ADDR and VAULT_TOKEN.";
  }
  return (
    `The data keys of this database are wrapped by the master key ${fingerprint}.\n` +
    "Set DISBURSE_MASTER_KEY to it. To replace it, set it as DISBURSE_MASTER_KEY_BEFORE and run disburse master-key rewrap."
  );
}
