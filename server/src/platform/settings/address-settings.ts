// Reads the settings that are addresses, or says what each must be.

import { type AddressPolicy, isAddressOrRange, readNetwork } from "../addresses/index.ts";
import { readDatabaseUrl } from "./database-url.ts";

export class InvalidSetting extends Error {}

export const postgresUrl = (text: string) => {
  if (text && !readDatabaseUrl(text)) {
    throw new InvalidSetting(
      "must be an address such as postgres://user:password@host:5432/database",
    );
  }
  return text;
};

/** Calls carry secrets, so plain http is only allowed to this machine. */
export const httpsUrl = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal)) {
    throw new InvalidSetting("must be an address that begins with https://");
  }
  return text.replace(/\/+$/, "");
};

/** Also without TLS, for a server of the own network. */
export const httpUrl = (text: string) => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidSetting("must be an address that begins with http:// or https://");
  }
  return text.replace(/\/+$/, "");
};

/** Undefined: localhost. Browsers allow passkeys and secure cookies only on https and localhost. */
export const consoleUrl = (text: string): string | undefined => {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && url.hostname === "localhost";
  if (!url || (url.protocol !== "https:" && !isLocal)) {
    throw new InvalidSetting(
      "must be an address that begins with https:// (plain http only for localhost)",
    );
  }
  if (url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new InvalidSetting("must be an address without a path, such as https://pay.example.com");
  }
  return url.origin;
};

export const addressList = (text: string): string[] => {
  const list = text.split(",").flatMap((part) => part.trim() || []);
  for (const entry of list) {
    if (!isAddressOrRange(entry)) {
      throw new InvalidSetting("must list IP addresses or CIDR ranges, separated by commas");
    }
  }
  return list;
};

export const postbackAddresses = (text: string): Exclude<AddressPolicy, string> => {
  const parts = text.split(",").map((part) => part.trim());
  const networks = parts.map(readNetwork).filter((network) => network !== undefined);
  const words = parts.filter((part) => part === "public" || part === "loopback");
  if (words.length === 0 || words.length + networks.length < parts.length) {
    throw new InvalidSetting(
      "must be public or loopback, and perhaps private networks, such as public,10.1.0.0/16",
    );
  }
  return { base: words.includes("loopback") ? "loopback" : "public", networks };
};
