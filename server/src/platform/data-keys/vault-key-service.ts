// Wraps data keys with the transit API of HashiCorp Vault. Vault's key never leaves Vault.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeyService, KeyServiceError } from "./key-service.ts";

export type VaultSettings = {
  /** Such as https://vault.example.com:8200. */
  address: string;
  /** One of the two. The file is read for each call, because Vault Agent renews its content. */
  token: string;
  tokenFile: string;
  /** Empty: the root namespace. */
  namespace: string;
  /** Where the transit engine is mounted. */
  mount: string;
  keyName: string;
};

const timeoutMs = 10_000;
/** Pauses before the next tries: Vault restarts, or elects another leader. */
const retryPausesMs = [200, 1_000, 3_000];
const answerCharsMax = 100_000;

export function vaultKeyService(settings: VaultSettings): { prefix: string; service: KeyService } {
  const { mount, keyName } = settings;
  const path = (operation: "encrypt" | "decrypt") =>
    `${mount.split("/").map(encodeURIComponent).join("/")}/${operation}/${encodeURIComponent(keyName)}`;
  const service: KeyService = {
    async wrap(key) {
      const body = { plaintext: key.toString("base64") };
      const { ciphertext } = await callVault(settings, path("encrypt"), body);
      if (typeof ciphertext !== "string" || !ciphertext.startsWith("vault:")) {
        throw new KeyServiceError("Vault answered without a ciphertext.");
      }
      return ciphertext;
    },
    async unwrap(wrapped) {
      const { plaintext } = await callVault(settings, path("decrypt"), { ciphertext: wrapped });
      if (typeof plaintext !== "string") {
        throw new KeyServiceError("Vault answered without a plaintext.");
      }
      return Buffer.from(plaintext, "base64");
    },
  };
  return { prefix: "vault:", service };
}

type VaultAnswer = { status: number; data?: Record<string, unknown>; errors?: unknown };

async function callVault(
  settings: VaultSettings,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  for (let tries = 0; ; tries += 1) {
    const answer = await postToVault(settings, path, body);
    if (answer.status === 200 && answer.data) return answer.data;
    const pauseMs = retryPausesMs[tries];
    if (!isTemporary(answer.status) || pauseMs === undefined) {
      throw new KeyServiceError(failureText(path, answer));
    }
    await sleep(pauseMs);
  }
}

/** No answer, a standby, a sealed node, or too many calls. */
function isTemporary(status: number): boolean {
  return [0, 412, 429, 472, 473].includes(status) || status >= 500;
}

async function postToVault(
  { address, namespace, ...settings }: VaultSettings,
  path: string,
  body: object,
): Promise<VaultAnswer> {
  const token = tokenOf(settings);
  try {
    const response = await fetch(`${address}/v1/${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-vault-request": "true",
        "x-vault-token": token,
        ...(namespace && { "x-vault-namespace": namespace }),
      },
      body: JSON.stringify(body),
      // A redirect would send the token and the key to an address that is not configured.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { ...readAnswer(text), status: response.status };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    return { status: 0, errors: [cause?.code ?? name] };
  }
}

function readAnswer(text: string): Omit<VaultAnswer, "status"> {
  if (text.length > answerCharsMax) return {};
  try {
    return (JSON.parse(text) as VaultAnswer | null) ?? {};
  } catch {
    return {};
  }
}

function tokenOf({ token, tokenFile }: Pick<VaultSettings, "token" | "tokenFile">): string {
  if (!tokenFile) return token;
  try {
    return readFileSync(tokenFile, "utf8").trim();
  } catch {
    throw new KeyServiceError("VAULT_TOKEN_FILE names a file that can't be read.");
  }
}

const cures: Record<number, string> = {
  0: "Is it running, and is VAULT_ADDR right?",
  400: "Check VAULT_TRANSIT_KEY: it must name the key that wrapped the data keys.",
  403: "Check VAULT_TOKEN and its policy: it needs update on the encrypt and decrypt paths of the key.",
  404: "Check VAULT_TRANSIT_MOUNT and VAULT_NAMESPACE: is the transit engine enabled there?",
  503: "It is sealed or down for maintenance: unseal it.",
};

/** The words of Vault, without its line breaks. They name paths and reasons, never a key. */
function failureText(path: string, { status, errors }: VaultAnswer): string {
  const words = Array.isArray(errors) ? errors.join("; ").replaceAll(/\s+/g, " ").trim() : "";
  const said = words && ` (${words.slice(0, 300)})`;
  const what = status === 0 ? "gave no answer" : `answered ${status}`;
  return `Vault ${what} to ${path}${said}. ${cures[status] ?? "See its log."}`;
}
