// What a person needs after a start, ready to copy.

import { version } from "../version.ts";

export type Facts = {
  address: string;
  docs: string;
  key: string | undefined;
  secret: string | undefined;
};

export function welcome({ address, docs, key, secret }: Facts): string {
  const lines = [
    "",
    `  Disburse ${version} is ready.`,
    "",
    `  Base address   ${address}`,
    `  Documentation  ${docs}`,
  ];
  if (key) {
    lines.push(
      `  x-api-key      ${key}`,
      secret
        ? `  Secret         ${secret}   (shown this once: keep it)`
        : `  Secret         shown on the first start; a new one: npx disburse keys rotate ${key}`,
      "",
      secret
        ? "  Paste this for a first signed call:"
        : "  Paste this, with your secret, for a signed call:",
      "",
      `  ${signedCurl({ address, key, secret: secret ?? "$DISBURSE_API_SECRET" })}`,
    );
  } else {
    lines.push("", "  No key yet: npx disburse subaccount create --name NAME --mode test");
  }
  return `${lines.join("\n")}\n\n`;
}

/** Needs nothing but a shell, curl and openssl. */
export function signedCurl({ address, key, secret }: Record<"address" | "key" | "secret", string>) {
  return (
    `ms=$(date +%s)000; curl -s ${address}/api/receiver -H "x-api-key: ${key}" -H "signature: ` +
    `$ms.$(printf %s "$ms.${key}" | openssl dgst -sha256 -hmac "${secret}" -r | cut -d' ' -f1)"`
  );
}
