// Looks at processes through /proc, as bare machines have no ps.

import { readdirSync, readFileSync } from "node:fs";

type Process = { pid: number; parent: number; state: string; command: string };

function read(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, command = "", state = "", parent = ""] = /\((.*)\) (.) (\d+)/s.exec(stat) ?? [];
    return { pid, parent: Number(parent), state, command };
  } catch {
    return undefined;
  }
}

/** A process that has ended but was not waited for (Z) still has a number, and is not alive. */
export function isAlive(pid: number): boolean {
  const found = read(pid);
  return found !== undefined && found.state !== "Z";
}

/** The processes of the service under this supervisor. Its embedded PostgreSQL is its child too. */
export function supervisedBy(supervisor: number): number[] {
  return childrenOf(supervisor)
    .map(({ pid }) => pid)
    .filter((pid) => wordsOf(pid).includes("--process"));
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

export function childrenOf(parent: number): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)) ?? [])
    .filter((process) => process.parent === parent);
}
