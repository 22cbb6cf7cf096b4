// The progress of the quickstart. The navigation has it first until its steps are done.

import type { Quickstart } from "@server/doors/console/quickstart/schema.ts";
import { queryOptions, useIsFetching, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get } from "../api/call.ts";
import { type Me, useCurrentSubaccount, useMe } from "../api/me.ts";
import { remembered } from "../state/remembered.ts";

/** The steps of the user's role, or those of developers. */
export type Audience = "own" | "developers";

/** Whose steps a user sees first. */
export function audienceOf({ role }: Pick<Me, "role">): Audience {
  return role === "developer" ? "developers" : "own";
}

export const quickstartQuery = (subaccountId: string) =>
  queryOptions({
    queryKey: [subaccountId, "quickstart"],
    queryFn: ({ signal }) => get<Quickstart>(`/s/${subaccountId}/quickstart`, {}, signal),
  });

export function stepsOf({ steps, own_steps }: Quickstart, audience: Audience) {
  return audience === "own" ? own_steps : steps;
}

export const isAllDone = (steps: readonly { is_done: boolean }[]): boolean =>
  steps.every(({ is_done }) => is_done);

const quietMs = 500;
const keptMax = 50;

/** Whether the user has steps to do. Asked once the page has its own data, and not again once they are done. */
export function useIsQuickstartOpen(): boolean {
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  const id = subaccount?.id ?? "";
  const isDone = doneBefore().includes(id);
  // An auditor changes nothing.
  const hasSteps = me.role !== "auditor" && subaccount?.is_closed === false;
  const isQuiet = useIsQuiet();
  const { data } = useQuery({
    ...quickstartQuery(id),
    enabled: hasSteps && !isDone && isQuiet,
    staleTime: 30_000,
    retry: false,
  });
  const areDone = data && isAllDone(stepsOf(data, audienceOf(me)));
  useEffect(() => {
    if (areDone && !doneBefore().includes(id))
      remembered.set("quickstart", [id, ...doneBefore()].slice(0, keptMax).join(" "));
  }, [areDone, id]);
  return hasSteps && !isDone && areDone === false;
}

const doneBefore = () => remembered.get("quickstart")?.split(" ") ?? [];

/** Once nothing has been loading for a moment. */
function useIsQuiet(): boolean {
  const loading = useIsFetching();
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (loading > 0) return;
    const timer = setTimeout(() => setQuiet(true), quietMs);
    return () => clearTimeout(timer);
  }, [loading]);
  return isQuiet;
}
