// The pages of one subaccount, for those who see it.

import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSubaccountOf } from "../api/subaccounts.ts";
import { Empty } from "../parts/empty.tsx";
import { Screen } from "../parts/screen.tsx";
import { remembered } from "../state/remembered.ts";

export function SubaccountPages() {
  const { subaccountId } = useParams({ from: "/inside/s/$subaccountId" });
  // The route has asked for it before this is shown.
  const isSeen = useSubaccountOf(subaccountId) !== undefined;
  useEffect(() => {
    if (isSeen) remembered.set("subaccount", subaccountId);
  }, [isSeen, subaccountId]);
  if (isSeen) return <Outlet />;
  return (
    <Screen title="There is no such subaccount">
      <Empty title="Choose one of those that you see" hint="The address may be of another one." />
    </Screen>
  );
}
