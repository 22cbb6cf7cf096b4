// Where a command prints: to the terminal, or, for a command that runs over HTTP, into the response.

import { AsyncLocalStorage } from "node:async_hooks";
import { ownTerminal, type Terminal } from "../../../../packages/command-line/src/index.ts";
import type { RailDirectory } from "../../money/rails/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import type { Caller, Clock } from "../../platform/base/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";
import type { Session, User } from "../../tenants/roles/index.ts";
import type { Opened } from "../database/index.ts";

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
  /** The words that name a file which the client has, whether it has sent it or not. */
  existing: ReadonlySet<string>;
  /** What the command reads and the client has not sent. */
  needsFile?: string;
  /** What the client writes when the command has ended. Null: it removes the file. */
  written: Map<string, Buffer | null>;
  opened: Opened;
  clock: Clock;
  rails: RailDirectory;
  providers: KycProviders;
  screener: Screener;
  isDraining: () => boolean;
  actor: Actor;
  session?: Session | undefined;
  user?: User | undefined;
  /** Whether the user still may what the request needs. */
  stillMay?: (() => Promise<boolean>) | undefined;
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
