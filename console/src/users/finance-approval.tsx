// Whether the finance role may approve. Two admins have to agree.

import { Group, Text } from "@mantine/core";
import type { UserList } from "@server/console/users/schema.ts";
import { send } from "../api/call.ts";
import { useMay, useMe } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { usersTexts } from "../texts/users.ts";

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
          ? usersTexts.theFinanceRoleCanApprovePayouts
          : requester
            ? usersTexts.requestedThatTheFinanceRoleCan(requester)
            : usersTexts.theFinanceRoleCantApprovePayouts}
      </Text>
      {mayWrite && (may_approve || requester) && (
        <Act
          label={may_approve ? usersTexts.disallow : usersTexts.withdraw}
          size="compact-sm"
          onAct={set(false)}
        />
      )}
      {mayWrite && !may_approve && requester !== email && (
        <Act
          label={requester ? usersTexts.agree : usersTexts.allow}
          size="compact-sm"
          onAct={set(true)}
        />
      )}
    </Group>
  );
}
