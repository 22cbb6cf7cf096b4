// Wraps data keys with the master key of this machine: from DISBURSE_MASTER_KEY or from a file.

import { masterKeyFingerprint, sealWith } from "../encryption/index.ts";
import { type KeyService, KeyServiceError } from "./key-service.ts";

const identity = "data_key.wrapped";

/** The prefix names the master key, so that several can be told apart. */
export function localKeyService(masterKey: Buffer): { prefix: string; service: KeyService } {
  const ofMaster = sealWith(masterKey);
  const prefix = `local:${masterKeyFingerprint(ofMaster)}:`;
  // Not the master key itself, because that may be a data key as well.
  const seal = sealWith(ofMaster.derive("data key wrapping"));
  const service: KeyService = {
    async wrap(key) {
      return prefix + seal.encrypt(key.toString("base64"), identity).toString("base64");
    },
    async unwrap(wrapped) {
      const sealed = Buffer.from(wrapped.slice(prefix.length), "base64");
      const text = seal.decryptIfReadable(sealed, identity);
      if (text === undefined) throw new KeyServiceError("A wrapped data key was changed.");
      return Buffer.from(text, "base64");
    },
  };
  return { prefix, service };
}
