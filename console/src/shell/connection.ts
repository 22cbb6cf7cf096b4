// What a user should know about the connection. Nothing while updates arrive as they happen.

import { useIsReachable } from "../api/reachable.ts";
import type { Liveness } from "./live.ts";

type Connection = { kind: "polling" | "offline"; word: string; meaning: string };

const polling: Connection = {
  kind: "polling",
  word: "Reconnecting",
  meaning: "Live updates are interrupted. The page refreshes every 5 seconds.",
};
const offline: Connection = {
  kind: "offline",
  word: "Offline",
  meaning: "The server can't be reached. Data may be out of date.",
};

export function useConnection(liveness: Liveness | undefined): Connection | undefined {
  if (!useIsReachable()) return offline;
  return liveness === "polling" ? polling : undefined;
}
