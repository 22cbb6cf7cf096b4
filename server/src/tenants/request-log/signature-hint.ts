// Explains why a signature of a test subaccount does not match: the expected text, the received header, and the part that
// differs, if it can be found. Pure.

import { hash } from "node:crypto";
import {
  type HmacKey,
  matches,
  parseSignature,
  type Signature,
  type SignedRequest,
  stringToSign,
} from "../../platform/signatures/index.ts";

export type SignatureHint = {
  /** The exact text to sign, apart from hidden parts of the path. */
  expected?: string;
  /** The header, with only the start of its signature. */
  received?: string;
  /** The part that is wrong. */
  part: Part;
  hint: string;
};

type Part = "header" | "time" | "key" | "method" | "path" | "body" | "text" | "secret";

type FailedRequest = SignedRequest & {
  header: string | undefined;
  host: string | undefined;
  /** The path without personal data. */
  shownPath: string;
};

const codeCharsShown = 8;

/** `secrets`: the secrets that are valid. */
export function signatureHint(
  request: FailedRequest,
  secrets: readonly HmacKey[],
): SignatureHint | undefined {
  const { header, shownPath } = request;
  if (!header)
    return { part: "header", hint: "There is no signature header: a proxy may drop it." };
  const signature = parseSignature(header);
  if (!signature) return { part: "header", hint: malformed(header) };
  const fits = (text: string) => secrets.some((secret) => matches(signature.hex, secret, text));
  if (fits(stringToSign(signature, request))) return undefined;
  const shown = {
    expected: stringToSign(signature, { ...request, path: shownPath }),
    received: `${header.slice(0, -signature.hex.length + codeCharsShown)}…`,
  };
  for (const [part, hint, text] of mistakes(signature, request)) {
    if (fits(text)) return { ...shown, part, hint };
  }
  return { ...shown, part: "secret", hint: unexplained(signature) };
}

/** Texts that programs often sign by mistake, with a hint for each. */
function mistakes(signature: Signature, request: FailedRequest): [Part, string, string][] {
  const { ms } = signature;
  const { key, host = "" } = request;
  const seconds = String(Math.floor(ms / 1000));
  const expected = stringToSign(signature, request);
  const all: [Part, string, string][] = [
    ["text", "A line feed was signed after the text: leave it out.", `${expected}\n`],
    [
      "text",
      "The lines were joined by CR LF: join them by LF alone.",
      expected.replaceAll("\n", "\r\n"),
    ],
    [
      "time",
      "The time was signed in seconds: sign the milliseconds that you send.",
      expected.replace(String(ms), seconds),
    ],
  ];
  if (signature.version === 1) {
    const { method, path } = request;
    return [
      ...all,
      [
        "text",
        "Time and key were signed in the other order: it is <ms>.<api key>.",
        `${key}.${ms}`,
      ],
      ["text", "The full stop between time and key is missing.", `${ms}${key}`],
      ["key", "Only the time was signed: the key belongs to it, as <ms>.<api key>.", String(ms)],
      [
        "text",
        "More was signed than version 1 has: it is <ms>.<api key> and nothing else.",
        `${ms}.${key}.${method}.${path}`,
      ],
    ];
  }
  const { nonce } = signature;
  const with_ = (changes: Partial<SignedRequest>) =>
    stringToSign(signature, { ...request, ...changes });
  const { method, path, body } = request;
  const bytes = body ?? Buffer.alloc(0);
  const [bare = ""] = path.split("?");
  const bodyAs = (line: string) => expected.replace(/[0-9a-f]{64}$/, line);
  return [
    ...all,
    ["text", "Version 1's text was signed: version 2 signs seven lines.", `${ms}.${key}`],
    ["method", "The method was signed in small letters.", with_({ method: method.toLowerCase() })],
    ["path", "The path was signed without its query.", with_({ path: bare })],
    ["path", "The path was signed decoded: sign it as it is sent.", with_({ path: decoded(path) })],
    [
      "path",
      "The whole address was signed: sign the path alone.",
      with_({ path: `http://${host}${path}` }),
    ],
    [
      "path",
      "The whole address was signed: sign the path alone.",
      with_({ path: `https://${host}${path}` }),
    ],
    ["path", "The path was signed without /api.", with_({ path: path.replace(/^\/api/, "") })],
    [
      "body",
      "The body was left out: sign the SHA-256 of what you send.",
      with_({ body: undefined }),
    ],
    [
      "body",
      "The body was signed with a line feed at its end, or sent without it.",
      with_({ body: Buffer.concat([bytes, Buffer.from("\n")]) }),
    ],
    [
      "body",
      "The body was sent with white space around it that was not signed.",
      with_({ body: Buffer.from(bytes.toString("latin1").trim(), "latin1") }),
    ],
    [
      "body",
      "The hash of the body was signed in capitals.",
      bodyAs(hash("sha256", bytes).toUpperCase()),
    ],
    [
      "body",
      "The hash of the body was signed as base64: it is hex.",
      bodyAs(hash("sha256", bytes, "base64")),
    ],
    ["body", "The body itself was signed: sign its SHA-256.", bodyAs(bytes.toString())],
    ["text", "The nonce was not signed.", expected.replace(`${nonce}\n`, "")],
    ["text", "The first line, v2, was not signed.", expected.replace("v2\n", "")],
  ];
}

function unexplained({ version }: Signature): string {
  const secret = "The secret is wrong: it belongs to another key, or it was rotated";
  return version === 1
    ? `${secret}. Version 1 signs only the time and the key.`
    : `${secret}; or the body was serialised again after it was signed: sign exactly the bytes that you send.`;
}

/** Never quotes the header: it may be a secret in the wrong place. */
function malformed(header: string): string {
  const code = header.split(".").at(-1) ?? "";
  const time = /^(?:v2\.)?(\d+)\./.exec(header)?.[1];
  if (header.startsWith("sk_"))
    return "It is a secret: it is never sent. Sign with it, and send the code.";
  if (time && time.length !== 13)
    return `The time has ${time.length} digits: milliseconds have 13.`;
  if (/^[0-9a-fA-F]{64}$/.test(code) && /[A-F]/.test(code))
    return "The code is in capitals: write its hex in small letters.";
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(code)) return "The code looks like base64: write it as hex.";
  if (/^[0-9a-f]+$/.test(code) && code.length !== 64)
    return `The code has ${code.length} hex digits: there are 64.`;
  return "It is neither <ms>.<hex> nor v2.<ms>.<nonce>.<hex>.";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
