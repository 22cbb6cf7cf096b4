// Who uses the console, and what each may do.

import { Button, Stack, Text } from "@mantine/core";
import type { PersonList, PersonRow } from "@server/console/users/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { UserRoundPlus } from "lucide-react";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import type { ListPage } from "../api/page.ts";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { FinanceApproval } from "./finance-approval.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import styles from "./people.module.css";
import { PersonMenu } from "./person-menu.tsx";
import { roleName } from "./roles.ts";

export function PeopleScreen() {
  const client = useQueryClient();
  const [isInviting, setInviting] = useState(false);
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ["people"],
    queryFn: ({ signal }) => get<PersonList>("/people", {}, signal),
  });
  const renew = () => client.invalidateQueries({ queryKey: ["people"] });
  const page: ListPage<PersonRow> = {
    ...{ rows: data?.rows, error, isLoading, isStale: false },
    ...{ onNext: undefined, onPrevious: undefined, retry: () => void refetch() },
  };
  const mayWrite = useMay("people.write");
  const columns: Column<PersonRow>[] = [
    { key: "name", title: "Person", cell: (row) => <Who row={row} /> },
    { key: "role", title: "Role", cell: ({ role }) => roleName(role) },
    { key: "sees", title: "Subaccounts", cell: (row) => <Sees row={row} /> },
    { key: "status", title: "Status", cell: (row) => <PersonStatus row={row} /> },
    { key: "ways", title: "Logs in by", cell: waysOf, wideOnly: true },
    {
      key: "logged_in",
      title: "Last log-in",
      cell: ({ logged_in_at }) => (logged_in_at ? <When ms={logged_in_at} /> : "Never"),
    },
    { key: "sessions", title: "Sessions", align: "right", cell: ({ sessions }) => sessions },
  ];
  const menu: Column<PersonRow> = {
    key: "menu",
    title: "More",
    align: "right",
    width: 56,
    cell: (row) => <PersonMenu person={row} onChanged={renew} />,
  };
  return (
    <Screen
      title="People"
      actions={
        mayWrite && (
          <Button
            leftSection={<UserRoundPlus size={16} aria-hidden />}
            onClick={() => setInviting(true)}
          >
            Invite
          </Button>
        )
      }
    >
      <PageTable
        label="People"
        columns={mayWrite ? [...columns, menu] : columns}
        page={page}
        rowKey={({ id }) => id}
        empty={null}
      />
      {data && <FinanceApproval finance={data.finance} onChanged={renew} />}
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} onInvited={renew} />
    </Screen>
  );
}

function Who({ row: { name, email, is_you } }: { row: PersonRow }) {
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

function Sees({ row: { subaccount_ids } }: { row: PersonRow }) {
  if (subaccount_ids.length === 0) return "All";
  return (
    <Stack gap={0}>
      {subaccount_ids.map((id) => (
        <SubaccountName key={id} id={id} none="All" />
      ))}
    </Stack>
  );
}

function PersonStatus({ row: { status, link_expires_at } }: { row: PersonRow }) {
  const isLate = status === "invited" && link_expires_at === null;
  const title = isLate ? "The link has expired. Reset the log-in for a new one" : undefined;
  return <Status of="person" value={status} title={title} />;
}

function waysOf({ has_password, passkeys }: PersonRow): string {
  const ways = [
    has_password && "Password",
    passkeys === 1 && "1 passkey",
    passkeys > 1 && `${passkeys} passkeys`,
  ];
  return ways.filter(Boolean).join(", ") || "–";
}
