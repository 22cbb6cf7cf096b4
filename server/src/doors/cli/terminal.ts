// Where a command prints, and whose files it reads: those of the terminal, or, for a command that runs over HTTP, the
// response and those that the client sends.

import { AsyncLocalStorage } from "node:async_hooks";
import { ownTerminal, type Terminal } from "../../../../packages/command-line/src/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Caller } from "../../platform/base/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import type { Session, User } from "../../tenants/roles/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";

/** A command that a user or an API key runs over HTTP. */
export type RemoteRun = {
  stdout: string[];
  stderr: string[];
  exitCode: number;
  /** What the client prints on, unless it is a pipe or a file. */
  terminal: Terminal | undefined;
  /** A text without the names that the user may not see. */
  withoutHiddenNames: (text: string) => string;
  /** The files of the client, by the words of the command that name them. */
  files: ReadonlyMap<string, Buffer>;
  /** What the command reads and the client has not sent. */
  needsFile?: string;
  opened: Opened;
  rails: RailDirectory;
  providers: KycProviders;
  actor: Actor;
  session?: Session | undefined;
  user?: User | undefined;
  /** An API key: everything is in its subaccount. */
  caller?: Caller | undefined;
};

const runs = new AsyncLocalStorage<RemoteRun>();

/** Undefined: a user of the system runs it, on the server. */
export const remoteRun = (): RemoteRun | undefined => runs.getStore();

export function inRequest<Result>(run: RemoteRun, work: () => Promise<Result>): Promise<Result> {
  return runs.run(run, work);
}

function printer(name: "stdout" | "stderr") {
  return {
    write(text: string | Uint8Array): boolean {
      const run = remoteRun();
      if (!run) return process[name].write(text);
      run[name].push(String(text));
      return true;
    },
    get isTTY(): boolean {
      return remoteRun() === undefined && process[name].isTTY === true;
    },
  };
}
export const stdout = printer("stdout");
export const stderr = printer("stderr");

/** What the standard output is shown on. Undefined: a pipe or a file. */
export function terminal(): Terminal | undefined {
  const run = remoteRun();
  return run ? run.terminal : ownTerminal();
}

export const withoutHiddenNames = (text: string): string =>
  remoteRun()?.withoutHiddenNames(text) ?? text;

/** The exit code of a command that has printed its own message. */
export function setExitCode(code: number): void {
  const run = remoteRun();
  if (run) run.exitCode = code;
  else process.exitCode = code;
}

/** Before a file of the server is read or written. */
export function requireOwnFiles(): void {
  if (!remoteRun()) return;
  throw new CliError(
    "A command over HTTP writes no files: run it on the server, or let it print with -.",
    exitCodes.usage,
  );
}

/** A file of the client. Without it the command ends, and the client sends its words again with the file. */
export function fileOfClient(run: RemoteRun, path: string): Buffer {
  const bytes = run.files.get(path);
  if (bytes) return bytes;
  run.needsFile = path;
  throw new CliError(`The service needs the file ${path}.`, exitCodes.usage);
}
