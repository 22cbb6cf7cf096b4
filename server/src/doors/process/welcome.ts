// The start-up message, with commands ready to copy. It goes to stderr: stdout is for the log.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { version } from "../../platform/base/index.ts";

type SetUpLinks = { first: string; second: string };

export type Facts = {
  /** Undefined for a worker. */
  address: string | undefined;
  metrics: string;
  /** `setUp`: the links for the first two admins, when they may be shown. */
  console: { url: string; setUp: SetUpLinks | undefined; hasAdmin: boolean } | undefined;
  /** The path for reports of the identity check provider. Undefined: it sends none. */
  kycWebhook?: string | undefined;
  /** Settings with which the printed commands find this service. */
  settings: CommandSettings;
  key: string | undefined;
  secret: string | undefined;
  /** Holds the secret where it may not be shown. */
  secretFile?: string | undefined;
  /** Absent: one. */
  processes?: number;
};

/** The same as one line of JSON, for --json. */
export function welcomeLine(facts: Facts): string {
  const { address, metrics, console, kycWebhook, key, secret, processes = 1 } = facts;
  const call = address && {
    base_url: address,
    docs: docsOf(address),
    ...(console && { console_url: console.url, set_up_url: console.setUp?.first }),
    ...(console?.setUp && { second_set_up_url: console.setUp.second }),
    ...(kycWebhook && { kyc_webhook: address + kycWebhook }),
  };
  const line = { version, ...call, metrics_url: metrics, ...(processes > 1 && { processes }) };
  return `${JSON.stringify(address ? { ...line, api_key: key, api_secret: secret } : line)}\n`;
}

const docsOf = (address: string) => `${address}/docs`;

export function welcome(facts: Facts): string {
  const { address, metrics, console, key, secret, secretFile, settings, processes = 1 } = facts;
  const command = (words: string) => commandLine(words, { dataDir: settings.dataDir });
  const ready = ["", `  Disburse ${version} is ready.`, ""];
  const several = processes > 1 ? [`  Processes      ${processes}`] : [];
  const metricsLine = `  Metrics        ${metrics}`;
  if (!address)
    return [
      ...ready,
      "  It is a worker: it runs background jobs and serves no API.",
      ...several,
      metricsLine,
      "",
      "",
    ].join("\n");
  const lines = [
    ...ready,
    `  Base address   ${address}`,
    `  Documentation  ${docsOf(address)}`,
    ...several,
    metricsLine,
  ];
  if (facts.kycWebhook) lines.push(`  KYC webhook    ${address}${facts.kycWebhook}`);
  if (console?.setUp) {
    lines.push(
      `  Console        ${console.setUp.first}   (works once, for 24 hours: open it to become the first admin)`,
      `  Second admin   ${console.setUp.second}   (works once, for 24 hours: give it to another person)`,
    );
  } else if (console) {
    lines.push(`  Console        ${console.url}`);
    if (!console.hasAdmin) lines.push(`  First admin    ${commandLine(setUpCommand, settings)}`);
  }
  if (key) {
    lines.push(
      `  x-api-key      ${key}`,
      `  Secret         ${secretText(facts, command(`keys rotate ${key}`))}`,
      `  Events         ${commandLine("events listen --forward-to http://localhost:3000/events", settings)}`,
      "",
      secret || secretFile
        ? "  Paste this for a first signed call:"
        : "  Paste this, with your secret, for a signed call:",
      "",
      `  ${signedCall({ address, key, secret, secretFile })}`,
    );
  } else {
    lines.push("", `  No key yet: ${command("subaccount create --name NAME --mode test")}`);
  }
  return `${lines.join("\n")}\n\n`;
}

function secretText({ secret, secretFile }: Facts, rotate: string): string {
  if (secret) return `${secret}   (shown only once: keep it)`;
  if (secretFile) return `in ${secretFile}, for your user only: keep it, and delete the file`;
  return `shown once, at a terminal; a new one: ${rotate}`;
}

export const setUpCommand = "users setup-link";

/** Undefined: the default is right. */
export type CommandSettings = { dataDir?: string | undefined; baseUrl?: string | undefined };

/** A command to type, with the settings for this service. */
export function commandLine(words: string, { dataDir, baseUrl }: CommandSettings): string {
  const data = dataDir === undefined ? "" : `DATA_DIR=${quoted(dataDir)} `;
  const base = baseUrl === undefined ? "" : `DISBURSE_BASE_URL=${baseUrl} `;
  return `${data}${base}./disburse ${words}`;
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

type Call = {
  address: string;
  key: string;
  secret?: string | undefined;
  secretFile?: string | undefined;
};

/** Uses curl and openssl when the machine has them, otherwise Node. */
function signedCall(call: Call): string {
  return isOnPath("curl") && isOnPath("openssl") ? byCurl(call) : byNode(call);
}

function byCurl({ address, key, secret, secretFile }: Call): string {
  const kept = secretFile ? `$(cat ${quoted(secretFile)})` : "$DISBURSE_API_SECRET";
  return (
    `ms=$(date +%s)000; curl -s ${address}/api/receiver -H "x-api-key: ${key}" -H "signature: ` +
    `$ms.$(printf %s "$ms.${key}" | openssl dgst -sha256 -hmac "${secret ?? kept}" -r | cut -d' ' -f1)"`
  );
}

export function byNode({ address, key, secret, secretFile }: Call): string {
  const value = secret ? `"${secret}"` : "process.env.DISBURSE_API_SECRET";
  const variable = secretFile ? `DISBURSE_API_SECRET="$(cat ${quoted(secretFile)})" ` : "";
  return (
    `${variable}node -e 'const key = "${key}", secret = ${value}, ms = Date.now(); ` +
    'const hex = require("crypto").createHmac("sha256", secret).update(ms + "." + key).digest("hex"); ' +
    `fetch("${address}/api/receiver", { headers: { "x-api-key": key, signature: ms + "." + hex } })` +
    ".then((answer) => answer.text()).then(console.log)'"
  );
}

function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
