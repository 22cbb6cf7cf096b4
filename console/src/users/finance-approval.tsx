// Whether the finance role may approve. Two admins have to agree.

import { Group, Text } from "@mantine/core";
import type { UserList } from "@server/doors/console/users/schema.ts";
import { send } from "../api/call.ts";
import { useMay, useMe } from "../api/me.ts";
import { Act } from "../parts/act.tsx";

export function FinanceApproval({
  finance: { may_approve, asked_by },
  onChanged,
}: {
  finance: UserList["finance"];
  onChanged: () => void;
}) {
  const mayWrite = useMay("users.write");
  const { email } = useMe();
  const requester = asked_by?.replace(/^operator:/, "");
  const set = (allowed: boolean) => async () => {
    await send("PUT", "/users/finance-approval", { allowed });
    onChanged();
  };
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {may_approve
          ? "The finance role can approve payouts and bank details."
          : requester
            ? `${requester} requested that the finance role can approve payouts and bank details. Another admin has to agree.`
            : "The finance role can't approve payouts and bank details. Two admins can allow it."}
      </Text>
      {mayWrite && (may_approve || requester) && (
        <Act label={may_approve ? "Disallow" : "Withdraw"} size="compact-sm" onAct={set(false)} />
      )}
      {mayWrite && !may_approve && requester !== email && (
        <Act label={requester ? "Agree" : "Allow"} size="compact-sm" onAct={set(true)} />
      )}
    </Group>
  );
}
