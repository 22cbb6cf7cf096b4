// Signs in: with a code that the user confirms at the console, or with an operator token or an API key from the standard input.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes, Problem } from "./problem.ts";
import { type ByToken, saveProfile } from "./profiles.ts";
import { ask, codeOf, refusal } from "./service.ts";
import { localTime } from "./terminal.ts";

type Asked = {
  device_code: string;
  code: string;
  url: string;
  expires_at: number;
  poll_ms: number;
};
type Outcome = { status: string; token: string; email: string; expires_at: number };

/** A token must not travel unencrypted, except to this machine. */
export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isHere)) return url.origin;
  throw new Problem("Give the address of the service, such as https://payouts.example.com.");
}

export async function logIn(
  url: string,
  name: string,
  say: (text: string) => void,
): Promise<ByToken> {
  const client =
    hostname()
      .replace(/[^A-Za-z0-9._-]/g, "-")
      .slice(0, 60) || "computer";
  const answered = await ask({ url, path: "/login", body: { client } });
  if (answered.status !== 200) throw refusal(answered);
  const { device_code, code, expires_at, poll_ms, url: page } = answered.json as unknown as Asked;
  say(`Open  ${page}\nand type the code  ${code}\n`);
  say(`It works until ${localTime(expires_at).slice(11)}. Waiting …\n`);
  for (;;) {
    await sleep(poll_ms);
    const told = await ask({ url, path: "/login/token", body: { device_code } });
    if (codeOf(told.json) === "OPER108") {
      throw new Problem("The sign-in was declined, or the code has expired.", exitCodes.refused);
    }
    if (told.status !== 200) throw refusal(told);
    const { status, token, email, expires_at } = told.json as unknown as Outcome;
    if (status === "waiting") continue;
    const profile = { url, token, email, expires_at };
    saveProfile(name, profile);
    return profile;
  }
}

/** For callers of the API. */
export async function keepApiKey(url: string, name: string): Promise<void> {
  const [api_key = "", api_secret = "", ...more] = readFileSync(0, "utf8").trim().split(/\s+/);
  if (!/^ak_/.test(api_key) || !/^sk_/.test(api_secret) || more.length > 0) {
    throw new Problem("Give the API key (ak_…) and its secret (sk_…) on the standard input.");
  }
  const profile = { url, api_key, api_secret };
  const answered = await ask({ ...profile, path: "/api/subaccount" });
  if (answered.status !== 200) throw refusal(answered);
  saveProfile(name, profile);
}

/** For programs. */
export function keepToken(url: string, name: string): ByToken {
  const token = readFileSync(0, "utf8").trim();
  if (!/^ot_[\w-]{43}$/.test(token)) {
    throw new Problem("Give an operator token (ot_…) on the standard input.");
  }
  const profile = { url, token };
  saveProfile(name, profile);
  return profile;
}
