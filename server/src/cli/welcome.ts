// What a person needs after a start, ready to copy.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { version } from "../version.ts";

export type Facts = {
  /** Undefined: it only works in the background. */
  address: string | undefined;
  metrics: string;
  /** Where the console is opened; the link by which the first admin comes in, while there is none. */
  console: { url: string; setUp: string | undefined } | undefined;
  key: string | undefined;
  secret: string | undefined;
};

/** For programs. */
export function welcomeLine({ address, metrics, console, key, secret }: Facts): string {
  const call = address && {
    ...{ base_url: address, docs: docsOf(address) },
    ...(console && { console_url: console.url, set_up_url: console.setUp }),
  };
  const line = { version, ...call, metrics_url: metrics };
  return `${JSON.stringify(address ? { ...line, api_key: key, api_secret: secret } : line)}\n`;
}

const docsOf = (address: string) => `${address}/docs`;

export function welcome({ address, metrics, console, key, secret }: Facts): string {
  const ready = ["", `  Disburse ${version} is ready.`, ""];
  const metricsLine = `  Metrics        ${metrics}`;
  if (!address)
    return [...ready, "  It answers no calls: a worker.", metricsLine, "", ""].join("\n");
  const lines = [
    ...ready,
    `  Base address   ${address}`,
    `  Documentation  ${docsOf(address)}`,
    metricsLine,
  ];
  if (console?.setUp) {
    lines.push(`  Console        ${console.setUp}   (works once: open it and be the first admin)`);
  } else if (console) lines.push(`  Console        ${console.url}`);
  if (key) {
    lines.push(
      `  x-api-key      ${key}`,
      secret
        ? `  Secret         ${secret}   (shown this once: keep it)`
        : `  Secret         shown on the first start; a new one: npx disburse keys rotate ${key}`,
      "  Events         npx disburse events listen --forward-to http://localhost:3000/events",
      "",
      secret
        ? "  Paste this for a first signed call:"
        : "  Paste this, with your secret, for a signed call:",
      "",
      `  ${signedCall({ address, key, secret })}`,
    );
  } else {
    lines.push("", "  No key yet: npx disburse subaccount create --name NAME --mode test");
  }
  return `${lines.join("\n")}\n\n`;
}

type Call = { address: string; key: string; secret: string | undefined };

/** With curl and openssl where the machine has them, and otherwise with Node, which it has. */
function signedCall(call: Call): string {
  return isOnPath("curl") && isOnPath("openssl") ? byCurl(call) : byNode(call);
}

export function byCurl({ address, key, secret = "$DISBURSE_API_SECRET" }: Call): string {
  return (
    `ms=$(date +%s)000; curl -s ${address}/api/receiver -H "x-api-key: ${key}" -H "signature: ` +
    `$ms.$(printf %s "$ms.${key}" | openssl dgst -sha256 -hmac "${secret}" -r | cut -d' ' -f1)"`
  );
}

export function byNode({ address, key, secret }: Call): string {
  const secretText = secret ? `"${secret}"` : "process.env.DISBURSE_API_SECRET";
  return (
    `node -e 'const key = "${key}", secret = ${secretText}, ms = Date.now(); ` +
    'const hex = require("crypto").createHmac("sha256", secret).update(ms + "." + key).digest("hex"); ' +
    `fetch("${address}/api/receiver", { headers: { "x-api-key": key, signature: ms + "." + hex } })` +
    ".then((answer) => answer.text()).then(console.log)'"
  );
}

function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
