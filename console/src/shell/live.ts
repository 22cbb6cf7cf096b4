// Keeps what is shown up to date: the server tells which kinds of things have changed, and these are asked anew.
// While it can't tell, they are asked every few seconds.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addressOf } from "../api/call.ts";

export type Liveness = "connecting" | "live" | "polling";

const pollMs = 5_000;

/** Keys of queries begin with the subaccount's id and a kind. */
function refresh(client: QueryClient, subaccountId: string, kinds?: readonly string[]): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [id, kind] }) =>
      id === subaccountId && (!kinds || kinds.includes(String(kind))),
  });
}

export function useLive(subaccountId: string | undefined): Liveness {
  const client = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>("connecting");
  useEffect(() => {
    if (!subaccountId) return;
    setLiveness("connecting");
    let wasBroken = false;
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
      refresh(client, subaccountId, kinds);
    });
    return () => source.close();
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
