// Says in the approval queue that users wait for another admin. They are confirmed on the Users page.

import { Paper, Text } from "@mantine/core";
import type { UserList } from "@server/doors/console/users/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { PageLink } from "../parts/page-link.tsx";

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
  const unused = waiting.filter(({ link_expires_at }) => link_expires_at !== null);
  return (
    <Paper p="sm" component="section" aria-label="Users to confirm">
      <Text size="sm">
        {`${waiting.length} ${waiting.length === 1 ? "user waits" : "users wait"} for another admin to confirm them.`}{" "}
        {unused.length > 0 &&
          `${unused.length} of them can't be confirmed yet: the link that sets the password has not been used. `}
        <PageLink to="/users" underline="always">
          Open Users
        </PageLink>
      </Text>
    </Paper>
  );
}
