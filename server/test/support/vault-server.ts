// The transit engine of HashiCorp Vault on this machine: an HTTP server that answers as its documentation says. Its keys
// have versions, and a ciphertext names the version that it is under.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type VaultServer = {
  baseUrl: string;
  token: string;
  namespace: string;
  mount: string;
  keyName: string;
  /** The settings of a service that uses it. */
  environment(): Record<string, string>;
  /** Each call as `<path> <status>`. */
  calls: string[];
  /** Answers 503 to all calls, as after a restart. */
  isSealed: boolean;
  /** Answers this many calls with 500, as after the loss of its storage. */
  failures: number;
  /** Adds a version to the key; new ciphertexts are under it. */
  rotate(): void;
  /** Versions below it can't decrypt any more (min_decryption_version). */
  minDecryptionVersion: number;
  close(): Promise<void>;
};

const nonceBytes = 12;
const tagBytes = 16;

type Answer = { status: number; body: object };
const refused = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } });

export async function startVault(): Promise<VaultServer> {
  const versions = [randomBytes(32)];
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const vault: VaultServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: `hvs.${randomBytes(16).toString("hex")}`,
    namespace: "payments/",
    mount: "transit",
    keyName: "disburse",
    environment: () => ({
      VAULT_ADDR: vault.baseUrl,
      VAULT_TOKEN: vault.token,
      VAULT_NAMESPACE: vault.namespace,
      VAULT_TRANSIT_KEY: vault.keyName,
    }),
    calls: [],
    isSealed: false,
    failures: 0,
    minDecryptionVersion: 1,
    rotate: () => void versions.push(randomBytes(32)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, body } = answer(request, Buffer.concat(chunks).toString());
    vault.calls.push(`${request.url} ${status}`);
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(body));
  }

  function answer({ url = "", method, headers }: IncomingMessage, text: string): Answer {
    if (vault.isSealed) return refused(503, "Vault is sealed");
    if (vault.failures > 0) {
      vault.failures -= 1;
      return refused(500, "internal error");
    }
    // A namespace may be written with or without the slash at its end.
    const namespace = `${headers["x-vault-namespace"] ?? ""}`.replace(/\/?$/, "/");
    if (namespace !== vault.namespace) return refused(404, "namespace not found");
    if (headers["x-vault-token"] !== vault.token) {
      return refused(403, "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n");
    }
    const [, mount, operation, name] = /^\/v1\/(.+)\/(encrypt|decrypt)\/([^/]+)$/.exec(url) ?? [];
    if (mount !== vault.mount) {
      return refused(404, `no handler for route "${url.slice(4)}". route entry not found.`);
    }
    if (method !== "POST" && method !== "PUT") return refused(405, "unsupported operation");
    const body = JSON.parse(text) as { plaintext?: string; ciphertext?: string };
    if (operation === "encrypt") return encrypt(name as string, body.plaintext);
    return decrypt(name as string, body.ciphertext);
  }

  function encrypt(name: string, plaintext: string | undefined): Answer {
    // With the right to create, Vault would make the key. The policy in our documentation does not give it.
    if (name !== vault.keyName) return refused(403, "1 error occurred:\n\t* permission denied\n\n");
    if (plaintext === undefined) return refused(400, "missing plaintext to encrypt");
    if (!isBase64(plaintext)) return refused(400, "failed to base64-decode plaintext");
    const version = versions.length;
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv("aes-256-gcm", versions[version - 1] as Buffer, nonce);
    const sealed = [cipher.update(Buffer.from(plaintext, "base64")), cipher.final()];
    const bytes = Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
    const ciphertext = `vault:v${version}:${bytes.toString("base64")}`;
    return answered({ ciphertext, key_version: version });
  }

  function decrypt(name: string, ciphertext: string | undefined): Answer {
    if (name !== vault.keyName) return refused(400, "encryption key not found");
    if (!ciphertext) return refused(400, "missing ciphertext to decrypt");
    const [, number, text = ""] = /^vault:v(\d+):(.*)$/.exec(ciphertext) ?? [];
    if (number === undefined) return refused(400, "invalid ciphertext: no prefix");
    const key = versions[Number(number) - 1];
    if (!key) return refused(400, "invalid ciphertext: version is too new");
    if (Number(number) < vault.minDecryptionVersion) {
      return refused(400, "ciphertext or signature version is disallowed by policy (too old)");
    }
    const bytes = Buffer.from(text, "base64");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    try {
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const plain = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      const plaintext = Buffer.concat([plain, decipher.final()]).toString("base64");
      return answered({ plaintext });
    } catch {
      return refused(400, "cipher: message authentication failed");
    }
  }

  return vault;
}

function answered(data: object): Answer {
  const lease = { lease_id: "", renewable: false, lease_duration: 0 };
  const nothing = { wrap_info: null, warnings: null, auth: null };
  return { status: 200, body: { request_id: "", ...lease, data, ...nothing } };
}

function isBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}
