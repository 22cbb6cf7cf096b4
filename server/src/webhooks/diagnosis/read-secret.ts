// Reads a webhook secret as users paste it: what is wrong with its form, and which key is meant. Pure.

import { decodeSecret, secretPrefix } from "../webhook-signature/index.ts";

type SecretReading = {
  bytes: Buffer | undefined;
  /** Empty if the form is right. Never quotes the secret. */
  problems: string[];
};

export function readSecret(given: string): SecretReading {
  const problems: string[] = [];
  const strip = (text: string, pattern: RegExp, problem: string) => {
    const rest = text.replace(pattern, "");
    if (rest !== text) problems.push(problem);
    return rest;
  };
  let secret = strip(given, /^\s+|\s+$/g, "has white space around it");
  secret = strip(secret, /^\w+=(?=["']?whsec_)/, "has a name and = before it");
  secret = strip(secret, /^["'`]+|["'`]+$/g, "has quotes around it");

  const kind = /^(sk|ak)_/.exec(secret)?.[1];
  if (kind) {
    const what = kind === "sk" ? "the secret of an API key (sk_…)" : "an API key (ak_…)";
    return { bytes: undefined, problems: [...problems, `is ${what}, not of an endpoint`] };
  }
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  // Before base64, because hex is valid base64, too.
  if (/^([0-9a-f]{2}){24,64}$/i.test(text)) {
    return { bytes: Buffer.from(text, "hex"), problems: [...problems, "is in hex, not in base64"] };
  }
  const bytes = decodeSecret(text);
  if (bytes) return { bytes, problems };

  const loose = Buffer.from(text, "base64");
  const repaired = loose.toString("base64");
  if (decodeSecret(repaired)) {
    if (repaired.replace(/=+$/, "") === text) problems.push("lacks the = at its end");
    else if (loose.toString("base64url") === text.replace(/=+$/, "")) {
      problems.push("is in base64url, with - and _ for + and /");
    } else problems.push("has characters in it that are not base64");
    return { bytes: loose, problems };
  }
  problems.push("is not base64 of 32 bytes: something is missing, or it is no secret");
  return { bytes: undefined, problems };
}
