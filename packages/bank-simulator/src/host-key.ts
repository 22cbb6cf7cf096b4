// The host key of the simulator's SFTP server. It is created once and kept in a folder, so its fingerprint stays.

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type HostKey = {
  /** PEM. */
  privateKey: string;
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string;
};

/** Begins with a dot: neither taken as a file of payments nor served. */
const fileName = ".sftp-host-key";

export function keptHostKey(folder: string): HostKey {
  const path = join(folder, fileName);
  try {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const pem = privateKey.export({ type: "sec1", format: "pem" });
    // Fails where it is there, so that two simulators on one folder use one key.
    writeFileSync(path, pem, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const privateKey = readFileSync(path, "utf8");
  return { privateKey, fingerprint: fingerprintOf(publicKeyIn(privateKey, path)) };
}

function publicKeyIn(pem: string, path: string): KeyObject {
  try {
    return createPublicKey(createPrivateKey(pem));
  } catch {
    // As errors of the file system are: the caller names the path and the code.
    throw Object.assign(new Error("no private key"), { code: "no private key", path });
  }
}

/** The public key as SSH writes it: the type, the curve and the point, each after its length (RFC 5656, section 3.1). */
function fingerprintOf(key: KeyObject): string {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  const fields = [
    Buffer.from("ecdsa-sha2-nistp256"),
    Buffer.from("nistp256"),
    Buffer.concat(point),
  ];
  const hash = createHash("sha256");
  for (const field of fields) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    hash.update(length).update(field);
  }
  return `SHA256:${hash.digest("base64").replace(/=+$/, "")}`;
}
