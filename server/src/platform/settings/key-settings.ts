// The settings of the master key and of Vault, and what must be set together.

import { readFileSync } from "node:fs";
import { httpsUrl, InvalidSetting } from "./address-settings.ts";

const keyBytes = 32;
const asIs = (text: string) => text;

const masterKey = (text: string): Buffer | undefined => {
  if (!text) return undefined;
  const key = Buffer.from(text, "base64");
  if (key.length !== keyBytes) {
    throw new InvalidSetting(`must be ${keyBytes} bytes in base64 (openssl rand -base64 32)`);
  }
  return key;
};

const masterKeyFile = (path: string): Buffer | undefined => {
  if (!path) return undefined;
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch {
    throw new InvalidSetting("names a file that can't be read");
  }
  return masterKey(text);
};

export const keySettings = {
  DISBURSE_MASTER_KEY: {
    fallback: "",
    meaning: "32 bytes in base64 that encrypt secrets and account numbers",
    read: masterKey,
  },
  DISBURSE_MASTER_KEY_FILE: {
    fallback: "",
    meaning: "File that holds the master key, instead of the variable",
    read: masterKeyFile,
  },
  DISBURSE_MASTER_KEY_BEFORE: {
    fallback: "",
    meaning: "The previous master key, until `disburse master-key rewrap` has replaced it",
    read: masterKey,
  },
  DISBURSE_MASTER_KEY_BEFORE_FILE: {
    fallback: "",
    meaning: "File that holds the previous master key, instead of the variable",
    read: masterKeyFile,
  },
  VAULT_TRANSIT_KEY: {
    fallback: "",
    meaning:
      "HashiCorp Vault: name of the transit key that wraps the data keys, instead of a master key",
    read: asIs,
  },
  VAULT_TRANSIT_MOUNT: {
    fallback: "transit",
    meaning: "Vault: path at which the transit engine is mounted",
    read: (text: string) => text.replaceAll(/^\/+|\/+$/g, ""),
  },
  VAULT_ADDR: {
    fallback: "https://127.0.0.1:8200",
    meaning: "Vault: its address",
    // Checked only where our Vault is used: other programs read this variable too.
    read: asIs,
  },
  VAULT_NAMESPACE: { fallback: "", meaning: "Vault: namespace; empty for the root", read: asIs },
  VAULT_TOKEN: { fallback: "", meaning: "Vault: token", read: asIs },
  VAULT_TOKEN_FILE: {
    fallback: "",
    meaning:
      "Vault: file that holds the token, read for each call, so that Vault Agent can renew it",
    read: asIs,
  },
};

type KeyValues = {
  [Name in keyof typeof keySettings]: ReturnType<(typeof keySettings)[Name]["read"]>;
};

export type KeySettings = {
  /** Undefined with Vault, and with the embedded database, which creates one next to its data. */
  masterKey: Buffer | undefined;
  masterKeyBefore: Buffer | undefined;
  vault:
    | Record<"address" | "token" | "tokenFile" | "namespace" | "mount" | "keyName", string>
    | undefined;
};

/** `problems` gets what can't be set together, or is missing. */
export function readKeySettings(read: KeyValues, problems: string[]): KeySettings {
  for (const name of ["DISBURSE_MASTER_KEY", "DISBURSE_MASTER_KEY_BEFORE"] as const) {
    if (read[name] && read[`${name}_FILE`]) {
      problems.push(`${name} and ${name}_FILE are both set: keep one`);
    }
  }
  if (read.VAULT_TRANSIT_KEY && !read.VAULT_TOKEN === !read.VAULT_TOKEN_FILE) {
    problems.push(
      "VAULT_TOKEN or VAULT_TOKEN_FILE, one of them, must be set when VAULT_TRANSIT_KEY is",
    );
  }
  let address = read.VAULT_ADDR;
  try {
    if (read.VAULT_TRANSIT_KEY) address = httpsUrl(address);
  } catch (error) {
    problems.push(`VAULT_ADDR ${(error as InvalidSetting).message}`);
  }
  return {
    masterKey: read.DISBURSE_MASTER_KEY ?? read.DISBURSE_MASTER_KEY_FILE,
    masterKeyBefore: read.DISBURSE_MASTER_KEY_BEFORE ?? read.DISBURSE_MASTER_KEY_BEFORE_FILE,
    vault: read.VAULT_TRANSIT_KEY
      ? {
          address,
          token: read.VAULT_TOKEN,
          tokenFile: read.VAULT_TOKEN_FILE,
          namespace: read.VAULT_NAMESPACE,
          mount: read.VAULT_TRANSIT_MOUNT,
          keyName: read.VAULT_TRANSIT_KEY,
        }
      : undefined,
  };
}
