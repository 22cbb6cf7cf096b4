// disburse sign: prints the string to sign and the headers, to compare with those of your program.

import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import {
  hmacKey,
  type Signature,
  signatureHeader,
  stringToSign,
} from "../../platform/signatures/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { userEnv } from "./environment.ts";
import { readFileSync } from "./local-files.ts";
import { print } from "./output.ts";
import { stdout } from "./terminal.ts";

type SignOptions = {
  apiKey?: string;
  secretFile?: string;
  body?: string;
  bodyFile?: string;
  signatureVersion: "1" | "2";
  ms?: string;
  nonce?: string;
  json?: boolean;
};

export function signCommand(program: Command): void {
  program
    .command("sign <method> <path>")
    .description("print the string to sign and the headers of a call")
    .option("--api-key <key>", "the API key; or DISBURSE_API_KEY")
    .option("--secret-file <file>", "file that holds the secret; or DISBURSE_API_SECRET")
    .option("--body <text>", "the body, exactly as sent")
    .option("--body-file <file>", "file that holds the body")
    .addOption(
      new Option("--signature-version <version>", "version of the signature")
        .choices(["1", "2"])
        .default("2"),
    )
    .option("--ms <milliseconds>", "the time to sign; now when absent")
    .option("--nonce <nonce>", "16 to 64 letters, digits, _ or -; random when absent")
    .option("--json", "print JSON")
    .action((method: string, path: string, options: SignOptions) => {
      const key = options.apiKey ?? userEnv("DISBURSE_API_KEY");
      const secret = options.secretFile
        ? readFileSync(options.secretFile, "utf8").trim()
        : userEnv("DISBURSE_API_SECRET");
      if (!key || !secret) {
        throw new CliError(
          "Give --api-key (or DISBURSE_API_KEY) and --secret-file (or DISBURSE_API_SECRET).",
          exitCodes.usage,
        );
      }
      const body = options.bodyFile
        ? readFileSync(options.bodyFile)
        : Buffer.from(options.body ?? "");
      const ms = Number(options.ms ?? Date.now());
      const unsigned: Signature =
        options.signatureVersion === "1"
          ? { version: 1, ms, hex: "" }
          : { version: 2, ms, hex: "", nonce: options.nonce ?? randomUUID() };
      const text = stringToSign(unsigned, { key, method: method.toUpperCase(), path, body });
      const signature = signatureHeader(unsigned, hmacKey(secret), text);
      if (options.json) print({ string_to_sign: text, "x-api-key": key, signature }, options);
      else {
        stdout.write(
          `String to sign:\n${text}\n\nHeaders:\nx-api-key: ${key}\nsignature: ${signature}\n`,
        );
      }
    });
}
