// The logins of this user of the system, in a file that only they can read. Shells that complete --profile find the names of
// profiles at the beginnings of its lines.

import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Problem } from "./problem.ts";

/** A login of a user, an operator token, or an API key. */
export type Profile = ByToken | ByKey;
export type ByToken = { url: string; token: string; email?: string; expires_at?: number };
export type ByKey = { url: string; api_key: string; api_secret: string };
type Profiles = Record<string, Profile>;

export const usualProfile = "default";

export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(folder, "disburse", "profiles.json");
}

export function readProfiles(): Profiles {
  let text: string;
  try {
    text = readFileSync(profilesFile(), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  try {
    return JSON.parse(text) as Profiles;
  } catch {
    throw new Problem(`${profilesFile()} is no JSON. Delete it and sign in again.`);
  }
}

export function profileNamed(name: string): Profile {
  const found = readProfiles()[name];
  if (found) return found;
  const known = Object.keys(readProfiles());
  const others = known.length > 0 ? ` There are: ${known.join(", ")}.` : "";
  throw new Problem(`You are not signed in as ${name}.${others} Run disburse login <url>.`);
}

/** Undefined removes it. */
export function saveProfile(name: string, profile: Profile | undefined): void {
  const { [name]: _, ...others } = readProfiles();
  const all = profile ? { ...others, [name]: profile } : others;
  const file = profilesFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Written aside and renamed, so that an interruption leaves a whole file.
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  chmodSync(aside, 0o600);
  renameSync(aside, file);
}
