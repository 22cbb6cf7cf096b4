// POST /operator/v1/commands: a command of the command line, run here for the user of the token. It prints what it prints on
// the server.

import Type, { type Static } from "typebox";
import { columnsMax, columnsMin } from "../../../../packages/command-line/src/index.ts";
import { importLimits } from "../../money/imports/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import type { Caller, Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, optional, required } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import { type ConsoleAccess, partsFor } from "../console/index.ts";

/** With the rails, providers and lists of this process: they know the banks that are connected. */
export type CommandParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  rails: RailDirectory;
  providers: KycProviders;
  screener: Screener;
  /** This process closes its connections: what can be continued later ends. */
  isDraining: () => boolean;
};

/** A user, or an API key. */
type By =
  | Pick<ConsoleAccess, "session" | "user" | "actor" | "stillMay">
  | { caller: Caller; actor: Actor };

export type RunCommand = (
  parts: CommandParts,
  by: By,
  given: Static<typeof Words>,
) => Promise<Static<typeof Outcome>>;

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
  existing_files: optional(
    Type.Array(Type.String({ maxLength: 4096 }), {
      maxItems: 200,
      description: "The words that name a file which is there: no other is written over it",
    }),
  ),
});
export const Outcome = Type.Object({
  exit_code: Type.Number(),
  stdout: Type.String(),
  stderr: Type.String(),
  needs_file: Type.Optional(
    Type.String({ description: "Send the words again, with the file that this word names" }),
  ),
  files: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.Null(), Type.String()]), {
      description: "The files to write, in base64; - is the standard output. Null: none is left",
    }),
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
    ({ access, body }) => {
      const { session, user, actor, stillMay } = access;
      return run(partsFor(parts, access), { session, user, actor, stillMay }, body);
    },
  );
}
