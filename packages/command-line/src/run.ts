// Runs a command: login, logout, whoami, profiles, mcp and conformance here, all others on the service.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FilesOfCommand } from "./files.ts";
import { keepApiKey, keepToken, logIn, originOf } from "./login.ts";
import { exitCodes, Problem } from "./problem.ts";
import {
  type ByToken,
  type Profile,
  profileNamed,
  readProfiles,
  saveProfile,
  usualProfile,
} from "./profiles.ts";
import { ask, codeOf, refusal } from "./service.ts";
import { localTime, ownTerminal } from "./terminal.ts";

const own = ["login", "logout", "whoami", "profiles", "mcp"] as const;

const usage = `Usage: disburse [--profile <name>] <command>

  login <url>           sign in with a code that you confirm at the console
  login --token <url>   sign in with an operator token from the standard input
  login --api-key <url> sign in with an API key and its secret from the standard input
  logout                end this login
  whoami                the user or token of the profile, and until when
  profiles              the profiles on this computer
  mcp [--propose]       tools for agents, by the Model Context Protocol over stdio
  conformance <url>     check whether a server keeps the published interface

All other commands run on the service: disburse payouts --help
`;

type Read = { name: string; isNamed: boolean; words: readonly string[] };

/** The profile may be named before the command, or after it. */
function readProfile(given: readonly string[], env: NodeJS.ProcessEnv): Read {
  const words: string[] = [];
  let name = env.DISBURSE_PROFILE || undefined;
  for (let place = 0; place < given.length; place++) {
    const word = given[place] as string;
    if (word === "--profile") {
      place += 1;
      name = given[place];
      if (name === undefined) throw new Problem("--profile needs a name.");
    } else if (word.startsWith("--profile=")) name = word.slice("--profile=".length);
    else words.push(word);
  }
  if (name !== undefined && !/^[\w.-]{1,60}$/.test(name)) {
    throw new Problem("A profile is named with letters, digits, points and hyphens.");
  }
  return { name: name ?? usualProfile, isNamed: name !== undefined, words };
}

/** On the server: whether this package runs the command, instead of the server itself. */
export function isOfPackage(words: readonly string[], env = process.env): boolean {
  if (env.DISBURSE_PROFILE || (own as readonly string[]).includes(words[0] ?? "")) return true;
  return words.some((word) => word === "--profile" || word.startsWith("--profile="));
}

export async function runCommandLine(given: readonly string[], env = process.env): Promise<number> {
  try {
    const { name, words } = readProfile(given, env);
    const [command, ...rest] = words;
    const isHelp = (word: string | undefined) => word === "--help" || word === "-h";
    if (command === "--version" || command === "-V") return printVersion();
    if (command === "conformance") return await checkConformance(rest, env);
    const isOwn = own.some((name) => name === command);
    if (command === undefined || isHelp(command) || (isOwn && rest.some(isHelp))) {
      process.stdout.write(usage);
      return command === undefined ? exitCodes.usage : 0;
    }
    if (command === "login") return await login(name, rest);
    if (command === "logout") return await logout(name);
    if (command === "whoami") return whoami(name, profileNamed(name));
    if (command === "profiles") return listProfiles();
    if (command === "mcp") {
      const { serveMcp } = await import("./mcp.ts");
      return await serveMcp(() => userProfile(name), rest);
    }
    return await runOnService(profileNamed(name), words);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

type Kit = {
  runConformanceWords(
    words: readonly string[],
    context: Record<"stdout" | "stderr", NodeJS.WriteStream> & { env: NodeJS.ProcessEnv },
  ): Promise<number>;
};

/** The conformance kit: packed with this file, or beside this package. */
const kits = [
  "conformance/index.js",
  "../../conformance/src/index.ts",
  "../../conformance/src/index.js",
];

async function checkConformance(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [file = ""] = kits.map((kit) => join(import.meta.dirname, kit)).filter(existsSync);
  const { runConformanceWords } = (await import(pathToFileURL(file).href)) as Kit;
  return runConformanceWords(words, { env, stdout: process.stdout, stderr: process.stderr });
}

async function login(name: string, rest: readonly string[]): Promise<number> {
  const [option, ...others] = rest.filter((word) => word.startsWith("--"));
  const [address, ...more] = rest.filter((word) => !word.startsWith("--"));
  const isKnown = option === undefined || ["--token", "--api-key"].includes(option);
  if (!isKnown || others.length > 0 || address === undefined || more.length > 0) {
    throw new Problem(usage.trimEnd());
  }
  const url = originOf(address);
  if (option === "--token") keepToken(url, name);
  else if (option === "--api-key") await keepApiKey(url, name);
  else await logIn(url, name, (text) => process.stderr.write(text));
  return whoami(name, profileNamed(name));
}

async function logout(name: string): Promise<number> {
  const profile = profileNamed(name);
  // An operator token or an API key stays valid: an admin revokes it at the console.
  const isLogin = "token" in profile && profile.token.startsWith("lt_");
  const answered = isLogin && (await ask({ ...profile, path: "/logout", body: {} }));
  saveProfile(name, undefined);
  if (answered && answered.status >= 400 && answered.status !== 401) throw refusal(answered);
  return 0;
}

function printVersion(): number {
  const manifest = readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8");
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
  return 0;
}

function whoami(name: string, profile: Profile): number {
  const { email = "an operator token", expires_at } = "token" in profile ? profile : {};
  const until = expires_at === undefined ? "" : `, until ${localTime(expires_at)}`;
  const who = "token" in profile ? email : `API key ${profile.api_key}`;
  process.stdout.write(`${who} at ${profile.url} (${name})${until}\n`);
  return 0;
}

function userProfile(name: string): ByToken {
  const profile = profileNamed(name);
  if ("token" in profile) return profile;
  throw new Problem("An API key has no tools for agents. Sign in as a user, or with --token.");
}

function listProfiles(): number {
  for (const [name, profile] of Object.entries(readProfiles())) whoami(name, profile);
  return 0;
}

type Printed = {
  exit_code: number;
  stdout: string;
  stderr: string;
  needs_file?: string;
  files?: Record<string, string | null>;
};

/** Sends the words, and again with each file that the command reads. Then it writes what the command has made. */
async function runOnService(profile: Profile, words: readonly string[]): Promise<number> {
  const path = "token" in profile ? "/commands" : "/api/commands";
  const files = new FilesOfCommand(words);
  const terminal = ownTerminal();
  for (;;) {
    const body = { words, ...files.given(), ...(terminal && { terminal }) };
    const answered = await ask({ ...profile, path, body, key: randomUUID() });
    if (codeOf(answered.json) === "CONS109") {
      throw new Problem(
        "The service is older than this command line: install that of its version.",
      );
    }
    if (answered.status !== 200) throw refusal(answered);
    const { exit_code, stdout, stderr, needs_file, files: written } = answered.json as Printed;
    if (needs_file !== undefined) files.read(needs_file);
    else {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      files.write(written ?? {});
      return exit_code;
    }
  }
}
