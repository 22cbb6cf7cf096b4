// The pages of one subaccount, for users who can see it.

import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSubaccountOf } from "../api/subaccounts.ts";
import { Empty } from "../parts/empty.tsx";
import { Screen } from "../parts/screen.tsx";
import { remembered } from "../state/remembered.ts";

export function SubaccountPages() {
  const { subaccountId } = useParams({ from: "/inside/s/$subaccountId" });
  // The route has loaded it already.
  const isSeen = useSubaccountOf(subaccountId) !== undefined;
  useEffect(() => {
    if (isSeen) remembered.set("subaccount", subaccountId);
  }, [isSeen, subaccountId]);
  if (isSeen) return <Outlet />;
  return (
    <Screen title="Subaccount not found">
      <Empty title="Pick a subaccount" hint="It doesn't exist, or you don't have access to it." />
    </Screen>
  );
}
