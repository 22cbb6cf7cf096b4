// Encrypts values that the database must not hold in plain text: API secrets, account numbers.
// AES-256-GCM. The identity of the row is authenticated, so a value copied to another row does not decrypt.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from "node:crypto";

const versionByte = 1;
const nonceBytes = 12;
const tagBytes = 16;
export const masterKeyBytes = 32;

export type Seal = {
  /** `identity` names table, column and row, for example `api_secret:ak_test_…:<id>`. */
  encrypt(plaintext: string, identity: string): Buffer;
  decrypt(sealed: Buffer, identity: string): string;
  /** For lists: undefined when a value can't be decrypted, so that the others are still shown. */
  decryptIfReadable(sealed: Buffer, identity: string): string | undefined;
  /** A keyed hash, to compare bytes. Without the master key, the bytes can't be guessed from it. */
  fingerprint(...parts: Buffer[]): string;
  /** An HMAC that proves a text is ours. `purpose` separates different uses. */
  sign(purpose: string, text: string): string;
  /** Derives a secret for one purpose. It reveals nothing about the master key or other derived secrets. */
  derive(purpose: string): Buffer;
};

export function sealWith(masterKey: Buffer): Seal {
  if (masterKey.length !== masterKeyBytes) throw new Error("a master key has 32 bytes");
  // With a key object a value takes a quarter of the time: from bytes, OpenSSL would make one each time.
  const key = createSecretKey(masterKey);
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", masterKey, "", purpose, 32));
  const fingerprintKey = derive("fingerprint");
  const signingKey = derive("mark");
  const decrypt: Seal["decrypt"] = (sealed, identity) => {
    if (sealed[0] !== versionByte) throw new Error("encrypted value has an unknown version");
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(identity));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const body = sealed.subarray(1 + nonceBytes, -tagBytes);
    return decipher.update(body, undefined, "utf8") + decipher.final("utf8");
  };
  return {
    derive,
    sign: (purpose, text) =>
      createHmac("sha256", signingKey).update(`${purpose}\0${text}`).digest("base64url"),
    // One hash over key and bytes is faster than HMAC. HMAC would prevent length extension, which needs a known hash;
    // fingerprints are never shown.
    fingerprint: (...parts) =>
      hash("sha256", Buffer.concat([fingerprintKey, ...parts]), "base64url"),
    encrypt(plaintext, identity) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(Buffer.from(identity));
      const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(versionByte), nonce, body, cipher.getAuthTag()]);
    },
    decrypt,
    decryptIfReadable(sealed, identity) {
      try {
        return decrypt(sealed, identity);
      } catch {
        return undefined;
      }
    },
  };
}

/** Shows operators whether two cells have the same master key. It reveals nothing else about the key. */
export function masterKeyFingerprint(seal: Seal): string {
  return seal.derive("master key fingerprint").toString("hex", 0, 8);
}
