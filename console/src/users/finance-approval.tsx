// Whether the role finance may approve, which takes two admins.

import { Group, Text } from "@mantine/core";
import type { PersonList } from "@server/console/users/schema.ts";
import { send } from "../api/call.ts";
import { useMay, useMe } from "../api/me.ts";
import { Act } from "../parts/act.tsx";

export function FinanceApproval({
  finance: { may_approve, asked_by },
  onChanged,
}: {
  finance: PersonList["finance"];
  onChanged: () => void;
}) {
  const mayWrite = useMay("people.write");
  const { email } = useMe();
  const asker = asked_by?.replace(/^operator:/, "");
  const set = (allowed: boolean) => async () => {
    await send("PUT", "/people/finance-approval", { allowed });
    onChanged();
  };
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {may_approve
          ? "Finance may approve payouts and bank details."
          : asker
            ? `${asker} asks that finance may approve payouts and bank details. Another admin has to agree.`
            : "Finance may not approve. Two admins can allow it."}
      </Text>
      {mayWrite && (may_approve || asker) && (
        <Act label={may_approve ? "Stop it" : "Withdraw"} size="compact-sm" onAct={set(false)} />
      )}
      {mayWrite && !may_approve && asker !== email && (
        <Act label={asker ? "Agree" : "Allow it"} size="compact-sm" onAct={set(true)} />
      )}
    </Group>
  );
}
