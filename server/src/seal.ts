// Seals what must be readable again but never lie open in the database: API secrets, account numbers.
// AES-256-GCM. The identity of the row is bound in, so a sealed value moved to another row won't open.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
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
  /** For lists: undefined where one value can't be opened, so that it does not cost the others. */
  decryptIfReadable(sealed: Buffer, identity: string): string | undefined;
  /** Tells equal bytes from others. Without the master key, nobody can try out what the bytes were. */
  fingerprint(...parts: Buffer[]): string;
  /** Marks a text as ours: an HMAC, which nobody makes without the master key. `purpose` keeps two uses apart. */
  sign(purpose: string, text: string): string;
  /** A secret for one purpose, which tells nothing of the master key nor of the secrets for others. */
  derive(purpose: string): Buffer;
};

export function sealWith(masterKey: Buffer): Seal {
  if (masterKey.length !== masterKeyBytes) throw new Error("a master key has 32 bytes");
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", masterKey, "", purpose, 32));
  const fingerprintKey = derive("fingerprint");
  const markKey = derive("mark");
  const open: Seal["decrypt"] = (sealed, identity) => {
    if (sealed[0] !== versionByte) throw new Error("sealed value has an unknown version");
    const nonce = sealed.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", masterKey, nonce, {
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
      createHmac("sha256", markKey).update(`${purpose}\0${text}`).digest("base64url"),
    // One hash over key and bytes, which is quicker than HMAC. What HMAC adds is that nobody can lengthen the
    // bytes under a hash they know, and here nobody is shown one.
    fingerprint: (...parts) =>
      hash("sha256", Buffer.concat([fingerprintKey, ...parts]), "base64url"),
    encrypt(plaintext, identity) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", masterKey, nonce);
      cipher.setAAD(Buffer.from(identity));
      const body = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(versionByte), nonce, body, cipher.getAuthTag()]);
    },
    decrypt: open,
    decryptIfReadable(sealed, identity) {
      try {
        return open(sealed, identity);
      } catch {
        return undefined;
      }
    },
  };
}
