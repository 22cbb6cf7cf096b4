// Processor time of a process and its children, as Linux counts it. Other systems have no figure.

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Linux reports processor time in hundredths of a second. */
const tickUs = 10_000;

type Stat = { parent: number; ownTicks: number; endedChildrenTicks: number };

/** Microseconds that the process has used, optionally with its children. Undefined when not on Linux. */
export function processorTimeUs(
  pid: number,
  { withChildren = false }: { withChildren?: boolean } = {},
): number | undefined {
  if (!existsSync("/proc/self/stat")) return undefined;
  const { ownTicks, endedChildrenTicks } = readStat(pid);
  if (!withChildren) return ownTicks * tickUs;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter(({ parent }) => parent === pid);
  const childrenTicks = children.reduce((sum, child) => sum + child.ownTicks, 0);
  return (ownTicks + endedChildrenTicks + childrenTicks) * tickUs;
}

export function parentOf(pid: number): number {
  return readStat(pid).parent;
}

function readStat(pid: number): Stat {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name in brackets, which may hold spaces: the others are counted from its end.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const at = (index: number) => Number(fields[index]);
    return { parent: at(1), ownTicks: at(11) + at(12), endedChildrenTicks: at(13) + at(14) };
  } catch {
    // The process ended after it was listed.
    return { parent: 0, ownTicks: 0, endedChildrenTicks: 0 };
  }
}
