// The users of the console and their roles.

import { Button, Stack, Text } from "@mantine/core";
import type { ListedUser, UserList } from "@server/doors/console/users/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { UserRoundPlus } from "../parts/icons.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { whoText } from "../state/who.ts";
import { usersTexts } from "../texts/users.ts";
import { FinanceApproval } from "./finance-approval.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { roleName } from "./roles.ts";
import { UserActions } from "./user-actions.tsx";
import styles from "./users.module.css";

export function UsersScreen() {
  const client = useQueryClient();
  const [isInviting, setInviting] = useAskedDialog("invite");
  const list = useQuery({
    queryKey: ["users"],
    queryFn: ({ signal }) => get<UserList>("/users", {}, signal),
  });
  const renew = () => client.invalidateQueries({ queryKey: ["users"] });
  const { data } = list;
  const page = onePageOf(list);
  const mayWrite = useMay("users.write");
  const columns: Column<ListedUser>[] = [
    { key: "name", phone: "lead", title: "User", cell: (row) => <Who row={row} /> },
    { key: "role", phone: "sub", title: usersTexts.role, cell: ({ role }) => roleName(role) },
    {
      key: "sees",
      phone: "sub-middle",
      title: usersTexts.subaccounts,
      cell: (row) => <Sees row={row} />,
    },
    {
      key: "status",
      phone: "lead-end",
      title: "Status",
      cell: (row) => <UserStatus row={row} />,
    },
    { key: "ways", title: "Sign-in method", cell: waysOf, wideOnly: true },
    {
      key: "logged_in",
      phone: "sub-end",
      title: "Last sign-in",
      cell: ({ logged_in_at }) => (logged_in_at ? <When ms={logged_in_at} /> : "Never"),
    },
    {
      key: "sessions",
      title: "Sessions",
      align: "right",
      cell: ({ sessions }) => sessions,
    },
  ];
  const menu: Column<ListedUser> = {
    key: "menu",
    phone: "menu",
    title: "More",
    align: "right",
    width: 56,
    cell: (row) => <UserActions user={row} onChanged={renew} />,
  };
  return (
    <Screen
      actions={
        mayWrite && (
          <Button
            leftSection={<UserRoundPlus size={16} aria-hidden />}
            onClick={() => setInviting(true)}
          >
            {usersTexts.inviteUser}
          </Button>
        )
      }
    >
      <PageTable
        label={usersTexts.users}
        columns={mayWrite ? [...columns, menu] : columns}
        page={page}
        rowKey={({ id }) => id}
        empty={null}
      />
      {data && <FinanceApproval finance={data.finance} onChanged={renew} />}
      <InviteDialog
        opened={isInviting && mayWrite}
        onClose={() => setInviting(false)}
        onInvited={renew}
      />
    </Screen>
  );
}

function Who({ row: { name, email, is_you } }: { row: ListedUser }) {
  return (
    <Stack gap={0} miw={0} className={styles.who as string}>
      <Text size="sm" fw={500} truncate>
        {name}
        {is_you && " (you)"}
      </Text>
      {name !== email && (
        <Text size="xs" c="dimmed" truncate>
          {email}
        </Text>
      )}
    </Stack>
  );
}

function Sees({ row: { subaccount_ids } }: { row: ListedUser }) {
  if (subaccount_ids.length === 0) return usersTexts.all;
  return (
    <Stack gap={0}>
      {subaccount_ids.map((id) => (
        <SubaccountName key={id} id={id} none={usersTexts.all} />
      ))}
    </Stack>
  );
}

function UserStatus({
  row: { status, link_expires_at, granted_by, set_up_confirmed_by },
}: {
  row: ListedUser;
}) {
  const isLate = status === "invited" && link_expires_at === null;
  const title = isLate ? "The link has expired. Reset the sign-in to create a new one" : undefined;
  return (
    <div>
      <Status of="user" value={status} title={title} />
      {granted_by.length > 0 && (
        <Text size="xs" c="dimmed">
          {`Counts as ${granted_by.map(whoText).join(", ")} until another admin confirms.`}{" "}
          {link_expires_at === null
            ? "Before you confirm, ask the user whether they signed in themselves."
            : "Can't be confirmed yet: the link that sets the password has not been used."}
        </Text>
      )}
      {set_up_confirmed_by !== null && (
        <Text size="xs" c="dimmed">
          {`First admin. ${whoText(set_up_confirmed_by)} used the second set-up link and confirmed them.`}
        </Text>
      )}
      {link_expires_at !== null && (
        <Text size="xs" c="dimmed">
          The link works until <When ms={link_expires_at} isDeadline />.
          {granted_by.length > 0 && " From then on the user can be confirmed in any case."}
        </Text>
      )}
    </div>
  );
}

function waysOf({ has_password, passkeys }: ListedUser): string {
  const ways = [
    has_password && "Password",
    passkeys > 0 && (passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`),
  ];
  return ways.filter(Boolean).join(", ") || "–";
}
