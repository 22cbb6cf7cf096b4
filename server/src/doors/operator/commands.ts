// POST /operator/v1/commands: a command of the command line, run here for the user of the token. It prints what it prints on
// the server.

import Type from "typebox";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, required } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { type ConsoleAccess, partsFor } from "../console/index.ts";

type CommandParts = { db: Db; seal: Seal; clock: Clock };
type Printed = { exit_code: number; stdout: string; stderr: string };

export type RunCommand = (
  parts: CommandParts,
  access: ConsoleAccess,
  words: readonly string[],
) => Promise<Printed>;

const Words = input({
  words: required(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 200 })),
});
const Outcome = Type.Object({
  exit_code: Type.Number(),
  stdout: Type.String(),
  stderr: Type.String(),
});

export function commandRoutes(api: Api, parts: CommandParts, run: RunCommand): void {
  api.post(
    "/operator/v1/commands",
    { config: { may: "read" }, schema: { body: Words, response: { 200: Outcome } } },
    ({ access, body }) => run(partsFor(parts, access), access, body.words),
  );
}
