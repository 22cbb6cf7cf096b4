// Keeps what is shown up to date: the server tells which kinds of things have changed, and these are asked anew.
// While it can't tell, they are asked every few seconds.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addressOf } from "../api/call.ts";

export type Liveness = "connecting" | "live" | "polling";

const pollMs = 5_000;
/** A page that asks anew more often than this would never be done with it. */
const gapMs = 1_000;

/** Keys of queries begin with the subaccount's id and a kind. What concerns all kinds has `all` there. */
function refresh(client: QueryClient, subaccountId: string, kinds?: ReadonlySet<string>): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [id, kind] }) =>
      id === subaccountId && (!kinds || kind === "all" || kinds.has(String(kind))),
  });
}

/** At once, and again only after a while: what comes in between is asked for together. */
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
  const [liveness, setLiveness] = useState<Liveness>("connecting");
  useEffect(() => {
    if (!subaccountId) return;
    setLiveness("connecting");
    let wasBroken = false;
    const changed = gathering(client, subaccountId);
    const source = new EventSource(addressOf(`/s/${subaccountId}/live`));
    source.addEventListener("open", () => {
      setLiveness("live");
      // What happened in between was told to nobody.
      if (wasBroken) refresh(client, subaccountId);
      wasBroken = false;
    });
    source.addEventListener("error", () => {
      wasBroken = true;
      setLiveness("polling");
    });
    source.addEventListener("changed", ({ data }) => {
      const { kinds } = JSON.parse(data) as { kinds: string[] };
      changed.add(kinds);
    });
    return () => {
      source.close();
      changed.stop();
    };
  }, [client, subaccountId]);

  useEffect(() => {
    if (!subaccountId || liveness !== "polling") return;
    const polling = setInterval(() => {
      if (document.visibilityState === "visible") refresh(client, subaccountId);
    }, pollMs);
    return () => clearInterval(polling);
  }, [client, subaccountId, liveness]);
  return liveness;
}
