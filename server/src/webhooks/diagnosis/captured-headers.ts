// Reads the three headers of a captured delivery: their original values, as far as they can be restored, and what is
// wrong with them. Pure.

type Value<T> = {
  name: string;
  value: T | undefined;
  found: string;
  problem?: {
    cause: "missing_header" | "malformed_timestamp" | "malformed_signature";
    text: string;
  };
};

/** `signature`: every `v1,<base64>` in the header. */
export type HeaderValues = {
  id: Value<string>;
  timestamp: Value<number>;
  signature: Value<string[]>;
};

export function readHeaderValues(headers: [name: string, value: string][]): HeaderValues {
  const read = <T>(name: string, interpret: (text: string) => Omit<Value<T>, "name">): Value<T> => {
    const own = headers.filter(([other]) => other.toLowerCase() === name);
    const text = own.map(([, value]) => value.trim()).join(", ");
    if (text !== "") return { name, ...interpret(text) };
    const missing = own.length > 0 ? "is empty" : "is missing";
    const similar = headers.find(([other]) => lettersOf(other).endsWith(lettersOf(name)));
    const instead = similar && own.length === 0 ? `; there is ${similar[0]} instead` : "";
    const problem = { cause: "missing_header", text: `${name} ${missing}${instead}.` } as const;
    return { name, value: undefined, found: `${missing}${instead}`, problem };
  };
  return {
    id: read("webhook-id", (text) => ({ value: text, found: text })),
    timestamp: read("webhook-timestamp", readTimestamp),
    signature: read("webhook-signature", readSignature),
  };
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function readTimestamp(text: string): Omit<Value<number>, "name"> {
  const problem = (what: string) => ({
    cause: "malformed_timestamp" as const,
    text: `webhook-timestamp ${what}.`,
  });
  if (/^\d{1,12}$/.test(text)) {
    const iso = new Date(Number(text) * 1000).toISOString();
    return { value: Number(text), found: `${text} (${iso})` };
  }
  const found = `${text}, which is not whole seconds`;
  if (/^\d{13}$/.test(text)) {
    const value = Math.floor(Number(text) / 1000);
    return { value, found, problem: problem("is in milliseconds, not in seconds") };
  }
  const ms = /^\d+\.\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  const what = Number.isNaN(ms) ? "is no time" : "is written as something else than whole seconds";
  const value = Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
  return { value, found, problem: problem(what) };
}

const signaturePattern = /^v1,[A-Za-z0-9+/]{43}=$/;

function readSignature(text: string): Omit<Value<string[]>, "name"> {
  const value = text.split(/,?\s+/).filter((entry) => signaturePattern.test(entry));
  if (value.length > 0) return { value, found: `${value.length} of version 1` };

  // Common changes: form decoding, URL encoding, another comma, hex, a lost version.
  const plain = text.replaceAll(/%2B/gi, "+").replaceAll(/%2F/gi, "/").replaceAll(/%3D/gi, "=");
  const codes = plain.replaceAll(" ", "+").match(/[A-Za-z0-9+/]{43}=/g) ?? [];
  const hex = /(?:^|[^0-9a-f])([0-9a-f]{64})$/i.exec(plain)?.[1];
  const read = hex ? [Buffer.from(hex, "hex").toString("base64")] : codes;
  const what =
    read.length > 0 ? "but a signature can be read from it" : "and no signature is in it";
  return {
    value: read.length > 0 ? read.map((code) => `v1,${code}`) : undefined,
    found: "not v1,<base64>",
    problem: {
      cause: "malformed_signature",
      text: `webhook-signature is not v1,<base64>, ${what}.`,
    },
  };
}
