// Encrypts values that the database must not hold in plain text: API secrets, account numbers.
// AES-256-GCM. The identity of the row is authenticated, so a value copied to another row does not decrypt.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from "node:crypto";

// Version 1: the byte 1, nonce, body, tag, always under the original key. Version 2 has the id of its key after the byte 2.
// Version 3 is as version 1, under the key of a person, which is stored elsewhere. Version 4 is the key of a person: the
// byte 4, the id of a data key, random bytes from which that data key derives the person's, and a check.
const originalVersion = 1;
const ringVersion = 2;
const personVersion = 3;
const derivedVersion = 4;
const idBytes = 4;
const seedBytes = 32;
const checkBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
/** Of the master key and of each data key. */
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
  /** `stored`: random bytes, from which only a data key derives the key. It is bound to an identity. */
  newPersonKey(identity: string): { key: PersonKey; stored: Buffer };
  openPersonKey(stored: Buffer, identity: string): PersonKey;
};

/** The key of one person. Once its stored form is destroyed, nothing opens what it encrypted. */
export class PersonKey {
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  encrypt(plaintext: string, identity: string): Buffer {
    return encryptWith(this.#key, personHead, plaintext, identity);
  }

  decrypt(sealed: Buffer, identity: string): string {
    if (!isUnderPersonKey(sealed)) throw new UnreadableValue(identity);
    return decryptWith(this.#key, sealed, 1, identity);
  }

  /** Recognises a text. Without the key, the text can't be guessed from it. */
  hash(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("hex");
  }
}

const personHead = Buffer.of(personVersion);

export function isUnderPersonKey(sealed: Buffer): boolean {
  return sealed[0] === personVersion;
}

/** A stored value was damaged, or is that of another row: its identity says of which. */
export class UnreadableValue extends Error {
  constructor(identity: string, options?: ErrorOptions) {
    super(`encrypted value of ${identity} can't be decrypted`, options);
    this.name = "UnreadableValue";
  }
}

/** A value is under a data key that is not in the ring. */
export class UnknownDataKey extends Error {
  /** The ring is being loaded again, so that the next attempt may succeed. */
  readonly isLoading: boolean;
  constructor(id: string, isLoading: boolean) {
    super(`encrypted value is under data key ${id}, which is not loaded`);
    this.name = "UnknownDataKey";
    this.isLoading = isLoading;
  }
}

/** Trying again does not help: the value is damaged, or its data key is missing. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadableValue || (error instanceof UnknownDataKey && !error.isLoading);
}

/** The id of a data key follows from its bytes, so it is the same in every database that has the key. */
export function dataKeyId(key: Buffer): string {
  return deriveFrom(key, "data key id").toString("hex", 0, idBytes);
}

/** `key` encrypts, `persons` derives the keys of persons. The heads are the first bytes of what they make. */
type DataKey = {
  id: string;
  key: KeyObject;
  head: Buffer;
  persons: Buffer;
  personsHead: Buffer;
};

/** The data keys of this process: all of them decrypt, the current one encrypts. */
export class KeyRing {
  /** The key of version 1. Derived secrets come from it, so it stays in the ring for ever. */
  readonly original: Buffer;
  readonly originalId: string;
  readonly #originalKey: DataKey;
  readonly #keys = new Map<number, DataKey>();
  readonly #absent = new Set<string>();
  #writing: DataKey;
  /** Called when a value names an unknown key, to load the ring again. Undefined: the ring never changes. */
  onUnknown: ((id: string) => void) | undefined;

  constructor(original: Buffer) {
    if (original.length !== masterKeyBytes) throw new Error("a master key has 32 bytes");
    this.original = original;
    this.originalId = dataKeyId(original);
    // Values of the original key have version 1, without a key id.
    this.#originalKey = { ...dataKey(original), head: Buffer.of(originalVersion) };
    this.#keys.set(numberOf(this.originalId), this.#originalKey);
    this.#writing = this.#originalKey;
  }

  get writing(): DataKey {
    return this.#writing;
  }

  has(id: string): boolean {
    return this.#keys.has(numberOf(id));
  }

  add(bytes: Buffer): void {
    const key = dataKey(bytes);
    if (key.id !== this.originalId) this.#keys.set(numberOf(key.id), key);
    this.#absent.delete(key.id);
  }

  /** The bytes of a key in the ring, to wrap them again. */
  bytesOf(id: string): Buffer | undefined {
    return this.#keys.get(numberOf(id))?.key.export();
  }

  /** New values are encrypted with this key. */
  writeWith(id: string): void {
    const key = this.#keys.get(numberOf(id));
    if (!key) throw new UnknownDataKey(id, false);
    this.#writing = key;
  }

  /** The database has no such key: values that name it can't be decrypted. */
  noteAbsent(id: string): void {
    // Ids come from stored values, so their number is limited only by what someone wrote there.
    if (this.#absent.size > 1_000) this.#absent.clear();
    this.#absent.add(id);
  }

  /** The key of a value. */
  keyOf(sealed: Buffer, identity: string): DataKey {
    if (sealed[0] === originalVersion) return this.#originalKey;
    if (!namesItsKey(sealed) || sealed.length <= idBytes) throw new UnreadableValue(identity);
    const number = sealed.readUInt32BE(1);
    return this.#keys.get(number) ?? this.#refuse(number);
  }

  #refuse(number: number): never {
    const id = number.toString(16).padStart(2 * idBytes, "0");
    const isLoading = this.onUnknown !== undefined && !this.#absent.has(id);
    if (isLoading) this.onUnknown?.(id);
    throw new UnknownDataKey(id, isLoading);
  }
}

function numberOf(id: string): number {
  return Number.parseInt(id, 16);
}

function dataKey(bytes: Buffer): DataKey {
  const id = dataKeyId(bytes);
  const headOf = (version: number) => Buffer.concat([Buffer.of(version), Buffer.from(id, "hex")]);
  return {
    id,
    // With a key object a value takes a quarter of the time: from bytes, OpenSSL would make one each time.
    key: createSecretKey(bytes),
    head: headOf(ringVersion),
    persons: Buffer.concat([firstBlock, deriveFrom(bytes, "keys of persons")]),
    personsHead: headOf(derivedVersion),
  };
}

/** The id of its data key follows its first byte. */
function namesItsKey(sealed: Buffer): boolean {
  return sealed[0] === ringVersion || sealed[0] === derivedVersion;
}

/** In place of an id: values under the keys of persons. A rotation encrypts those keys again, not the values. */
export const ofPersonKeys = "person";

/** The id of the key that a value is under, by its first bytes. */
export function keyIdOf(sealed: Buffer, originalId: string): string {
  if (sealed[0] === originalVersion) return originalId;
  if (isUnderPersonKey(sealed)) return ofPersonKeys;
  return namesItsKey(sealed) ? sealed.toString("hex", 1, 1 + idBytes) : "unknown";
}

/** Bytes from which the key of a value can be told, and by which it differs from every other value. */
export const sealedHeadBytes = 1 + idBytes + 8;

function deriveFrom(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
}

/** A ring of one key, the master key. */
export function sealWith(masterKey: Buffer): Seal {
  return sealOf(new KeyRing(masterKey));
}

export function sealOf(ring: KeyRing): Seal {
  const derive = (purpose: string) => deriveFrom(ring.original, purpose);
  const fingerprintKey = derive("fingerprint");
  const signingKey = derive("mark");
  const encrypt: Seal["encrypt"] = (plaintext, identity) => {
    const { head, key } = ring.writing;
    return encryptWith(key, head, plaintext, identity);
  };
  const decrypt: Seal["decrypt"] = (sealed, identity) => {
    // A rotation decrypts it like any other value. From then on the key is stored, and encrypted with a data key.
    if (sealed[0] === derivedVersion) return derivePersonKey(sealed, identity).toString("base64");
    const { key } = ring.keyOf(sealed, identity);
    return decryptWith(key, sealed, sealed[0] === originalVersion ? 1 : 1 + idBytes, identity);
  };
  const derivePersonKey = (stored: Buffer, identity: string) => {
    const seed = stored.subarray(1 + idBytes, -checkBytes);
    const key = keyFrom(ring.keyOf(stored, identity).persons, seed, identity);
    if (seed.length !== seedBytes || !checkOf(key).equals(stored.subarray(-checkBytes))) {
      throw new UnreadableValue(identity);
    }
    return key;
  };
  return {
    derive,
    sign: (purpose, text) =>
      createHmac("sha256", signingKey).update(`${purpose}\0${text}`).digest("base64url"),
    // One hash over key and bytes is faster than HMAC. HMAC would prevent length extension, which needs a known hash;
    // fingerprints are never shown.
    fingerprint: (...parts) =>
      hash("sha256", Buffer.concat([fingerprintKey, ...parts]), "base64url"),
    encrypt,
    decrypt,
    decryptIfReadable(sealed, identity) {
      try {
        return decrypt(sealed, identity);
      } catch (error) {
        // A key that is being loaded is no reason to call the value unreadable: the next attempt can read it.
        if (error instanceof UnknownDataKey && error.isLoading) throw error;
        return undefined;
      }
    },
    newPersonKey(identity) {
      const { persons, personsHead } = ring.writing;
      const seed = randomFromPool(seedBytes);
      const key = keyFrom(persons, seed, identity);
      const stored = Buffer.concat([personsHead, seed, checkOf(key)]);
      return { key: new PersonKey(key), stored };
    },
    openPersonKey: (stored, identity) =>
      new PersonKey(
        stored[0] === derivedVersion
          ? derivePersonKey(stored, identity)
          : Buffer.from(decrypt(stored, identity), "base64"),
      ),
  };
}

/**
 * The key of a person, by the one-step derivation of NIST SP 800-56C: a hash over the number of the block, the secret,
 * and what the key is for. It takes a third of the time that it takes to encrypt a random key.
 */
function keyFrom(persons: Buffer, seed: Buffer, identity: string): Buffer {
  return Buffer.from(hash("sha256", Buffer.concat([persons, seed, Buffer.from(identity)])), "hex");
}

/** A key needs one block. */
const firstBlock = Buffer.of(0, 0, 0, 1);
const checkLabel = Buffer.from("check of a person's key:");

/** By it a wrong key is noticed at once, and not by the values that it does not open. */
function checkOf(key: Buffer): Buffer {
  const hex = hash("sha256", Buffer.concat([checkLabel, key]));
  return Buffer.from(hex.slice(0, 2 * checkBytes), "hex");
}

function encryptWith(key: KeyObject, head: Buffer, plaintext: string, identity: string): Buffer {
  const nonce = randomFromPool(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(identity));
  const body = cipher.update(plaintext, "utf8");
  // In this mode the end adds no bytes.
  cipher.final();
  return Buffer.concat([head, nonce, body, cipher.getAuthTag()]);
}

/** The nonce is at `start`. */
function decryptWith(key: KeyObject, sealed: Buffer, start: number, identity: string): string {
  try {
    const nonce = sealed.subarray(start, start + nonceBytes);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(identity));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const body = decipher.update(sealed.subarray(start + nonceBytes, -tagBytes));
    decipher.final();
    // At once: a decoder for each value would take a quarter of the time.
    return body.toString("utf8");
  } catch (cause) {
    throw new UnreadableValue(identity, { cause });
  }
}

const pool = Buffer.alloc(4_096);
let poolAt = pool.length;

/** Random bytes, drawn in advance: one by one they would take a fifth of the time of a value. */
function randomFromPool(size: number): Buffer {
  if (poolAt + size > pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const bytes = Buffer.from(pool.subarray(poolAt, poolAt + size));
  // Nothing that was drawn stays here: it may become a key.
  pool.fill(0, poolAt, poolAt + size);
  poolAt += size;
  return bytes;
}

/** Shows operators whether two cells have the same original key. It reveals nothing else about the key. */
export function masterKeyFingerprint(seal: Seal): string {
  return seal.derive("master key fingerprint").toString("hex", 0, 8);
}
