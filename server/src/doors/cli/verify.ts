// disburse verify: explains why a captured event does not verify. Needs no database.

import { type Command, InvalidArgumentError } from "commander";
import type { CapturedRequest } from "../../webhooks/diagnosis/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { parseHeader, parseRequest } from "./captured-request.ts";
import { userWebhookSecrets } from "./environment.ts";
import { readFileSync } from "./local-files.ts";
import { readTime } from "./option-values.ts";
import { print } from "./output.ts";
import { setExitCode, stdout } from "./terminal.ts";

type VerifyOptions = {
  request?: string;
  body?: string;
  header: CapturedRequest["headers"];
  secretFile?: string;
  at?: number;
  json?: boolean;
};

export function verifyCommand(program: Command): void {
  program
    .command("verify")
    .description("explain why a captured event does not verify")
    .option("--request <file>", "the captured HTTP request; - for standard input")
    .option("--body <file>", "or only its body, with --header for each header")
    .option("--header <name: value>", "a header; may be repeated", addHeader, [])
    .option("--secret-file <file>", "secrets, one per line; or DISBURSE_WEBHOOK_SECRET")
    .option("--at <time>", "when it arrived; now when absent", readTime)
    .option("--json", "print JSON")
    .action(async (options: VerifyOptions) => {
      // It reads the schemas of all events, which no other command should wait for.
      const { diagnose } = await import("../../webhooks/diagnosis/index.ts");
      const captured = readCaptured(options);
      const { verifies, causes, findings } = diagnose(
        captured,
        readSecrets(options),
        options.at ?? Date.now(),
      );
      if (!verifies) setExitCode(exitCodes.refused);
      if (options.json) return print({ verifies, causes, findings }, options);
      print(Object.fromEntries(findings.map(({ what, found }) => [what, found])), options);
      stdout.write(`\n${verifies ? itVerifies : "It does not verify."}\n`);
      for (const { cause, text, cure } of causes) {
        stdout.write(`\n${text} (${cause})\n${cure}\n`);
      }
    });
}

const itVerifies = `It verifies. A program that refuses it uses another text or another key. The text to sign is
<webhook-id>.<webhook-timestamp>.<body>, the body its raw bytes; the key is the base64 after whsec_, decoded.`;

function addHeader(line: string, before: CapturedRequest["headers"]): CapturedRequest["headers"] {
  const header = parseHeader(line);
  if (!header) throw new InvalidArgumentError('Write it as "name: value".');
  return [...before, ...header];
}

function readCaptured({ request, body, header }: VerifyOptions): CapturedRequest {
  if (request !== undefined && body === undefined && header.length === 0) {
    const captured = parseRequest(read(request));
    if (captured) return captured;
    throw new CliError(`${request} holds no HTTP request: it has no header.`, exitCodes.usage);
  }
  if (request === undefined && body !== undefined) return { headers: header, body: read(body) };
  throw new CliError("Give either --request, or --body and each --header.", exitCodes.usage);
}

function readSecrets({ secretFile }: VerifyOptions): string[] {
  const given = secretFile
    ? read(secretFile)
        .toString()
        .split(/\r?\n/)
        .filter((secret) => secret.trim() !== "")
    : userWebhookSecrets();
  if (given.length > 0) return given;
  throw new CliError("Give --secret-file (or DISBURSE_WEBHOOK_SECRET).", exitCodes.usage);
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${file} can't be read (${code}).`, exitCodes.usage);
  }
}
