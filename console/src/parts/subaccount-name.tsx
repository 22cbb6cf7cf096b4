// The name and mode of a subaccount, for pages across all subaccounts.

import { Group } from "@mantine/core";
import { useSubaccountOf } from "../api/subaccounts.ts";
import { Status } from "./status.tsx";

export function SubaccountName({ id, none = "–" }: { id: string | null; none?: string }) {
  const found = useSubaccountOf(id ?? undefined);
  if (id === null) return none;
  if (!found) return id;
  return (
    <Group gap={6} component="span" display="inline-flex">
      {found.name}
      <Status of="mode" value={found.mode} />
    </Group>
  );
}
