// A recorded call as code: signed with curl, and with the client of each language. It runs as shown, with the secret in the
// environment.

import type { Sample } from "../samples/sample.ts";
import { clientCall, clientFaces } from "./client-calls.ts";

export type CodeSample = { title: string; language: string; text: string };

/** What the samples show until the reader has their own. */
export const shownKey = "ak_test_7Qm2WZxkT4nB";
export const shownBaseUrl = "http://127.0.0.1:4000";

type Call = Pick<Sample, "operationId" | "method" | "path" | "headers" | "body">;

export function codeSamples(call: Call): CodeSample[] {
  return [
    { title: "curl", language: "sh", text: curl(call) },
    { title: "TypeScript", language: "ts", text: typescript(call) },
    { title: "Python", language: "python", text: python(call) },
    { title: "PHP", language: "php", text: php(call) },
  ];
}

const secretNote = "The secret comes from the environment: DISBURSE_API_SECRET.";

function curl({ operationId, method, path, headers = {}, body }: Call): string {
  if (!(operationId in clientFaces)) return `curl -sS ${shownBaseUrl}${path}`;
  const json = body === undefined ? "" : literal(body, json5).replaceAll("'", "'\\''");
  const more = Object.entries(headers).map(([name, value]) => ` \\\n  -H '${name}: ${value}'`);
  if (json) more.push(` \\\n  -H 'content-type: application/json' -d "$BODY"`);
  return `# ${secretNote}
KEY=${shownKey} BASE=${shownBaseUrl}
METHOD=${method} TARGET='${path}'
BODY='${json}'

MS=$(date +%s)000 NONCE=$(openssl rand -hex 16)
DIGEST=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
HEX=$(printf 'v2\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s' "$MS" "$NONCE" "$KEY" "$METHOD" "$TARGET" "$DIGEST" |
  openssl dgst -sha256 -hmac "$DISBURSE_API_SECRET" -r | cut -d' ' -f1)

curl -${operationId === "listenToEvents" ? "N" : ""}sS -X "$METHOD" "$BASE$TARGET" \\
  -H "x-api-key: $KEY" -H "signature: v2.$MS.$NONCE.$HEX"${more.join("")}`;
}

function typescript(call: Call): string {
  const known = clientCall(call.operationId);
  if (!known)
    return `const response = await fetch("${shownBaseUrl}${call.path}");
console.log(await response.json());`;
  const { values, idempotencyKey } = argumentsOf(call);
  const given = values.map((value) => literal(value, typescriptStyle));
  if (idempotencyKey) given.push(literal({ idempotencyKey }, typescriptStyle));
  const expression = `disburse.${known.resource}.${known.method}(${given.join(", ")})`;
  return `import { Disburse } from "@disburse/client";

// ${secretNote}
const disburse = new Disburse({ apiKey: "${shownKey}", baseUrl: "${shownBaseUrl}" });

${known.isList ? `for await (const item of ${expression}) console.log(item);` : `console.log(await ${expression});`}`;
}

function python(call: Call): string {
  const known = clientCall(call.operationId);
  if (!known)
    return `from urllib.request import urlopen

print(urlopen("${shownBaseUrl}${call.path}").read().decode())`;
  const { values, idempotencyKey } = argumentsOf(call);
  const given = values.map((value) => named(value, pythonStyle, "last_event_id="));
  if (idempotencyKey) given.push(`idempotency_key=${literal(idempotencyKey, pythonStyle)}`);
  const [resource, method] = [known.resource, known.method].map(snakeCase);
  const expression = `disburse.${resource}.${method}(${given.join(", ")})`;
  return `from disburse import Disburse

# ${secretNote}
disburse = Disburse(api_key="${shownKey}", base_url="${shownBaseUrl}")

${known.isList ? `for item in ${expression}:\n    print(item)` : `print(${expression})`}`;
}

function php(call: Call): string {
  const known = clientCall(call.operationId);
  if (!known) return `<?php\necho file_get_contents('${shownBaseUrl}${call.path}');`;
  const { values, idempotencyKey } = argumentsOf(call);
  const given = values.map((value) => named(value, phpStyle, "lastEventId: "));
  if (idempotencyKey) given.push(`idempotencyKey: ${literal(idempotencyKey, phpStyle)}`);
  const expression = `$disburse->${known.resource}->${known.method}(${given.join(", ")})`;
  return `<?php
require 'vendor/autoload.php';

// ${secretNote}
$disburse = new Disburse\\Disburse(apiKey: '${shownKey}', baseUrl: '${shownBaseUrl}');

${known.isList ? `foreach (${expression} as $item) {\n    print_r($item);\n}` : `print_r(${expression});`}`;
}

const idInPath = /^(evt_)?[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** What the method is called with, in order: ids of the path, then the query or the body. */
function argumentsOf({ operationId, path, headers, body }: Call) {
  const { only } = clientCall(operationId) ?? {};
  const { pathname, searchParams } = new URL(path, shownBaseUrl);
  const values: unknown[] = pathname.split("/").filter((part) => idInPath.test(part));
  const query = Object.fromEntries(
    [...searchParams].map(([name, value]) => [name, name === "limit" ? Number(value) : value]),
  );
  for (const given of [query, body as Record<string, unknown> | undefined]) {
    if (!given || Object.keys(given).length === 0) continue;
    values.push(only ? given[only] : given);
  }
  return { values, idempotencyKey: headers?.["idempotency-key"] };
}

/** The place in the feed is an argument with a name; a filter of lists is an object. */
function named(value: unknown, style: Style, name: string): string {
  const { last_event_id: place } = Object(value) as { last_event_id?: string };
  return place === undefined ? literal(value, style) : `${name}${literal(place, style)}`;
}

type Style = {
  object: readonly [open: string, close: string];
  key: (name: string) => string;
  text: (text: string) => string;
  words: Readonly<Record<string, string>>;
  indent: string;
  /** The last entry on a line of its own ends with a comma, too. */
  endsWithComma: boolean;
};

const json5: Style = {
  object: ["{", "}"],
  key: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  words: {},
  indent: "  ",
  endsWithComma: false,
};
const typescriptStyle: Style = {
  ...json5,
  key: (name) => `${name === "last_event_id" ? "lastEventId" : name}: `,
  endsWithComma: true,
};
const pythonStyle: Style = {
  ...json5,
  words: { true: "True", false: "False", null: "None" },
  indent: "    ",
  endsWithComma: true,
};
const phpText = (text: string) => `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
const phpStyle: Style = {
  ...pythonStyle,
  object: ["[", "]"],
  key: (name) => `${phpText(name)} => `,
  text: phpText,
  words: {},
};

const widthMax = 80;

function literal(value: unknown, style: Style, indent = ""): string {
  if (typeof value === "string") return style.text(value);
  if (typeof value !== "object" || value === null) {
    return style.words[String(value)] ?? String(value);
  }
  const inner = `${indent}${style.indent}`;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([name, one]) => `${isList ? "" : style.key(name)}${literal(one, style, inner)}`,
  );
  const [open, close] = isList ? ["[", "]"] : style.object;
  const pad = open === "{" ? " " : "";
  const short = `${open}${pad}${parts.join(", ")}${pad}${close}`;
  if (indent.length + short.length <= widthMax && !short.includes("\n")) return short;
  const comma = style.endsWithComma ? "," : "";
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}${comma}\n${indent}${close}`;
}

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
