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

export function childrenOf(parent: number): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)) ?? [])
    .filter((process) => process.parent === parent);
}
