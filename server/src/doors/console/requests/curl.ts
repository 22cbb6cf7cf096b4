// A shell script that repeats a request with openssl and curl. Pure.

import { redacted } from "../../request-list/index.ts";

type Repeated = {
  origin: string;
  key: string;
  method: string;
  path: string;
  body: string | null;
};

/** Signed with version 2, which every key may use. The script reads the secret of the user who runs it. */
export function curlOf({ origin, key, method, path, body }: Repeated): string {
  const hasBody = body !== null;
  const isRedacted = path.includes(redacted) || body?.includes(redacted);
  const lines = [
    "# DISBURSE_API_SECRET is the secret of the key.",
    ...(isRedacted ? [`# Put your own values in the place of ${redacted}.`] : []),
    `key=${quoted(key)}`,
    `path=${quoted(path)}`,
    `body=${hasBody ? quoted(compact(body)) : "''"}`,
    "ms=$(date +%s)000",
    "nonce=$(openssl rand -hex 16)",
    `hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)`,
    `text=$(printf 'v2\\n%s\\n%s\\n%s\\n${method}\\n%s\\n%s' "$ms" "$nonce" "$key" "$path" "$hash")`,
    `hex=$(printf '%s' "$text" | openssl dgst -sha256 -hmac "$DISBURSE_API_SECRET" -r | cut -d' ' -f1)`,
    `curl -g -X ${method} "${origin}$path" \\`,
    `  -H "x-api-key: $key" -H "signature: v2.$ms.$nonce.$hex"${hasBody ? " \\" : ""}`,
    ...(hasBody ? [`  -H "content-type: application/json" --data-raw "$body"`] : []),
  ];
  return lines.join("\n");
}

function compact(body: string): string {
  return JSON.stringify(JSON.parse(body));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
