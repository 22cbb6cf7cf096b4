// The cluster of deploy/patroni/try: three PostgreSQL nodes under Patroni, etcd and HAProxy on this machine.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const tryIt = join(import.meta.dirname, "..", "..", "..", "deploy", "patroni", "try");

/** Offsets from TRY_PORT of the ports that are used. */
const offsets = [0, 1, 2, 11, 12, 13, 21, 22, 23];

/** How long the script may take to start, or to answer a command. */
const answerMs = 150_000;

/** What this machine lacks, or undefined. */
export function missingPatroni(): string | undefined {
  const { status, stderr, error } = spawnSync(tryIt, ["check"], { encoding: "utf8" });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().replace(/^try: /, "");
}

export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>;

type Member = { name: string; role: string; state: string };

export async function startPatroni() {
  // The script creates the folder itself, and refuses one that exists.
  const folder = mkdtempSync(join(tmpdir(), "disburse-patroni-"));
  rmdirSync(folder);
  const child = spawn(tryIt, {
    env: { ...process.env, TRY_FOLDER: folder, TRY_PORT: String(await freePorts()) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += chunk;
    });
  }
  child.stdin.on("error", () => {});
  const ended = once(child, "close");
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });

  /** Waits for a line after the first `from` characters of the output. */
  async function untilSaid(line: RegExp, from = 0): Promise<RegExpExecArray> {
    const endMs = Date.now() + answerMs;
    for (;;) {
      const found = line.exec(said.slice(from));
      if (found) return found;
      if (hasEnded) throw new Error(`deploy/patroni/try has ended:\n${said}`);
      if (Date.now() > endMs) throw new Error(`no ${line}, but:\n${said.slice(from)}`);
      await sleep(20);
    }
  }

  async function command(text: string, answer: RegExp): Promise<RegExpExecArray> {
    const from = said.length;
    child.stdin.write(`${text}\n`);
    return await untilSaid(answer, from);
  }

  await untilSaid(/^Commands here/m);
  const [, url = ""] = await untilSaid(/DATABASE_URL=(\S+)/);
  const [, hostsUrl = ""] = await untilSaid(/or all nodes: (\S+)/);
  const apis = [...said.matchAll(/Patroni (http:\S+)/g)].map(([, api]) => api as string);

  /** The members as the first node that answers sees them. */
  async function members(): Promise<Member[]> {
    for (const api of apis) {
      const answer = await fetch(`${api}/cluster`).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  return {
    /** DATABASE_URL through HAProxy, and with all nodes. */
    haproxyUrl: url,
    hostsUrl,
    /** A leader and two standbys that follow it, one of them synchronous. */
    async untilWhole(timeoutMs = 120_000): Promise<void> {
      const endMs = Date.now() + timeoutMs;
      const isFollowing = ({ state }: Member) => state === "running" || state === "streaming";
      for (;;) {
        const all = await members();
        const roles = all.filter(isFollowing).map(({ role }) => role);
        if (roles.toSorted().join() === "leader,replica,sync_standby") return;
        if (Date.now() > endMs) throw new Error(`no whole cluster: ${JSON.stringify(all)}`);
        await sleep(100);
      }
    },
    /** kill -9 of Patroni and PostgreSQL of the leader. They stay down. Returns its name. */
    async killLeader(): Promise<string> {
      return (await command("kill", /^killed (\w+)$/m))[1] as string;
    },
    async startKilled(): Promise<void> {
      await command("start", /^started \w+$/m);
    },
    async switchOver(): Promise<void> {
      await command("switchover", /Successfully switched over/);
    },
    /** Ends all of it. */
    async close(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}

/** The first of ports that are all free. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const taken = await Promise.all(offsets.map((offset) => isTaken(first + offset)));
    if (!taken.includes(true)) return first;
  }
}

async function isTaken(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, "listening").then(
    () => true,
    () => false,
  );
  server.listen(port, "127.0.0.1");
  if (!(await listening)) return true;
  server.close();
  await once(server, "close");
  return false;
}
