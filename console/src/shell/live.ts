// Live updates: the server streams which kinds of objects have changed, and their queries are reloaded. Without the
// stream, they are reloaded every few seconds. A hidden page loads nothing.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addressOf, checkReachable } from "../api/call.ts";

export type Liveness = "connecting" | "live" | "polling";

const pollMs = 5_000;
/** A browser stops reconnecting after a refusal; we don't. */
const reopenMs = 15_000;
/** The shortest time between two reloads of a page. */
const gapMs = 1_000;

/** Query keys begin with the subaccount's ID and a kind. `all` is reloaded with every kind. */
function refresh(client: QueryClient, subaccountId: string, kinds?: ReadonlySet<string>): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [id, kind] }) =>
      id === subaccountId && (!kinds || kind === "all" || kinds.has(String(kind))),
  });
}

/** Reloads immediately, then at most once per gap: changes in between are reloaded together. */
function gathering(client: QueryClient, subaccountId: string) {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    refresh(client, subaccountId, new Set(waiting));
    waiting.clear();
    timer = setTimeout(ask, gapMs);
  };
  return {
    add(kinds: readonly string[]): void {
      for (const kind of kinds) waiting.add(kind);
      if (timer === undefined) ask();
    },
    stop: () => clearTimeout(timer),
  };
}

export function useLive(subaccountId: string | undefined): Liveness {
  const client = useQueryClient();
  const isSeen = useIsSeen();
  const [liveness, setLiveness] = useState<Liveness>("connecting");

  // Only while the page is visible: a browser has few connections to one server, and each tab would take one.
  useEffect(() => {
    if (!subaccountId || !isSeen) return;
    setLiveness("connecting");
    const changed = gathering(client, subaccountId);
    const leave = follow(subaccountId, {
      onLiveness: setLiveness,
      onChanged: (kinds) => (kinds ? changed.add(kinds) : refresh(client, subaccountId)),
    });
    return () => {
      leave();
      changed.stop();
    };
  }, [client, subaccountId, isSeen]);

  useEffect(() => {
    if (!subaccountId || !isSeen || liveness !== "polling") return;
    const polling = setInterval(() => refresh(client, subaccountId), pollMs);
    return () => clearInterval(polling);
  }, [client, subaccountId, isSeen, liveness]);
  return liveness;
}

type Handlers = {
  onLiveness: (liveness: Liveness) => void;
  /** Without kinds: anything may have changed. */
  onChanged: (kinds?: readonly string[]) => void;
};

function follow(subaccountId: string, { onLiveness, onChanged }: Handlers): () => void {
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(addressOf(`/s/${subaccountId}/live`));
    source.addEventListener("open", () => {
      onLiveness("live");
      // Changes from before, or from while the stream was interrupted, were missed.
      onChanged();
    });
    source.addEventListener("error", () => {
      onLiveness("polling");
      checkReachable();
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, reopenMs);
    });
    source.addEventListener("changed", ({ data }) => {
      const { kinds } = JSON.parse(data) as { kinds: string[] };
      onChanged(kinds);
    });
  };
  open();
  return () => {
    clearTimeout(again);
    source.close();
  };
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(() => document.visibilityState === "visible");
  useEffect(() => {
    const look = () => setSeen(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isSeen;
}
