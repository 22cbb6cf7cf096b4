// POST /operator/v1/commands: a command of the command line, run here for the user of the token. It prints what it prints on
// the server.

import Type from "typebox";
import {
  columnsMax,
  columnsMin,
  type Terminal,
} from "../../../../packages/command-line/src/index.ts";
import { importLimits } from "../../money/imports/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Caller, Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, optional, required } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import { type ConsoleAccess, partsFor } from "../console/index.ts";

/** With the rails and providers of this process: they know the banks that are connected. */
export type CommandParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  rails: RailDirectory;
  providers: KycProviders;
};
type Printed = { exit_code: number; stdout: string; stderr: string; needs_file?: string };
/** `files`: in base64, by the words that name them. */
type Given = {
  words: readonly string[];
  files: Readonly<Record<string, string>>;
  terminal: Terminal | undefined;
};

/** A user, or an API key. */
type By = Pick<ConsoleAccess, "session" | "user" | "actor"> | { caller: Caller; actor: Actor };

export type RunCommand = (parts: CommandParts, by: By, given: Given) => Promise<Printed>;

/** With files in base64. */
export const commandBodyBytesMax = importLimits.bodyBytesMax;

/** What POST /api/commands has, too. */
export const Words = input({
  words: required(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 200 })),
  files: optional(
    Type.Record(Type.String(), Type.String(), {
      description: "The files that the words name, in base64",
    }),
  ),
  terminal: optional(
    Type.Object(
      {
        columns: Type.Integer({ minimum: columnsMin, maximum: columnsMax }),
        colour: Type.Boolean(),
      },
      { description: "What the text is printed on, to fit it: its width, and whether to colour" },
    ),
  ),
});
export const Outcome = Type.Object({
  exit_code: Type.Number(),
  stdout: Type.String(),
  stderr: Type.String(),
  needs_file: Type.Optional(
    Type.String({ description: "Send the words again, with the file that this word names" }),
  ),
});

export function commandRoutes(api: Api, parts: CommandParts, run: RunCommand): void {
  api.post(
    "/operator/v1/commands",
    {
      config: { may: "read" },
      bodyLimit: commandBodyBytesMax,
      schema: { body: Words, response: { 200: Outcome } },
    },
    ({ access, body: { words, files = {}, terminal } }) => {
      const { session, user, actor } = access;
      return run(partsFor(parts, access), { session, user, actor }, { words, files, terminal });
    },
  );
}
