// Says in the approval queue that users wait for another admin. They are confirmed on the Users page.

import { Paper, Text } from "@mantine/core";
import type { UserList } from "@server/console/users/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { PageLink } from "../parts/page-link.tsx";
import { approvalsTexts } from "../texts/approvals.ts";

export function UsersToConfirm() {
  const mayConfirm = useMay("users.write");
  const { data } = useQuery({
    queryKey: ["users"],
    queryFn: ({ signal }) => get<UserList>("/users", {}, signal),
    enabled: mayConfirm,
  });
  const waiting = (data?.rows ?? []).filter(
    ({ granted_by, status }) => granted_by.length > 0 && status !== "disabled",
  );
  if (waiting.length === 0) return null;
  return (
    <Paper p="sm" component="section" aria-label={approvalsTexts.usersToConfirm}>
      <Text size="sm">
        {approvalsTexts.usersWaitForAnotherAdmin(waiting.length)}{" "}
        <PageLink to="/users" underline="always">
          {approvalsTexts.openUsers}
        </PageLink>
      </Text>
    </Paper>
  );
}
