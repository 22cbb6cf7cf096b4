// Operator tokens: the programs of the company that call /operator/v1, and what each may do.

import { ActionIcon, Button, Menu, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { OperatorToken, OperatorTokens } from "@server/doors/console/tokens/schema.ts";
import type { Role } from "@server/tenants/roles/user.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { useSubaccountsOf } from "../api/subaccounts.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { Ban, Ellipsis, Plus } from "../parts/icons.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { When } from "../parts/when.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { useFilters } from "../state/filters.ts";
import { whoText } from "../state/who.ts";
import { tokensTexts } from "../texts/tokens.ts";
import { roleName } from "../users/roles.ts";
import { NewTokenDialog } from "./new-token-dialog.tsx";

const key = ["across", "tokens"];

const filters: readonly Filter[] = [
  {
    name: "status",
    label: "Show",
    kind: "choice",
    options: [{ value: "all", label: "Include tokens that have ended" }],
  },
];

export function TokensScreen() {
  const client = useQueryClient();
  const [values, setValues] = useFilters();
  const [isCreating, setCreating] = useAskedDialog("new");
  const [secret, setSecret] = useState<Secret>();
  const [revoked, setRevoked] = useState<OperatorToken>();
  const mayWrite = useMay("users.write");
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<OperatorTokens>("/tokens", {}, signal),
    refetchInterval: 15_000,
  });
  const { data, ...state } = list;
  const rows = data?.rows.filter(({ status }) => values.status === "all" || status !== "ended");
  const renew = () => client.invalidateQueries({ queryKey: key });
  const revoke = async (token: OperatorToken) => {
    await send("POST", `/tokens/${token.id}/revoke`);
    await renew();
    notifications.show({ message: `“${token.name}” revoked`, color: "teal" });
  };
  const menu: Column<OperatorToken> = {
    key: "menu",
    phone: "menu",
    title: "Actions",
    align: "right",
    width: 56,
    cell: (row) =>
      row.status !== "ended" && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${row.name}`}>
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              color="red"
              leftSection={<Ban size={15} aria-hidden />}
              onClick={() => setRevoked(row)}
            >
              Revoke…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
  };
  return (
    <Screen
      actions={
        mayWrite && (
          <Button leftSection={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
            {tokensTexts.newToken}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed">
        With a token a program of your company calls <code>/operator/v1</code>. It may do what its
        role may do, counts as the admin who made it, and never approves.
      </Text>
      <FilterBar filters={filters} value={values} onChange={setValues} />
      <PageTable
        label="Operator tokens"
        columns={mayWrite ? [...columns, menu] : columns}
        page={onePageOf({ ...state, data: rows && { rows } })}
        rowKey={({ id }) => id}
        empty={
          <Empty
            title="No active tokens"
            hint="A program sends a token with each request, as Authorization: Bearer."
          />
        }
      />
      <NewTokenDialog
        opened={isCreating && mayWrite}
        rolesThatWait={data?.roles_that_wait ?? []}
        onMade={(made) => {
          setSecret(made);
          void renew();
        }}
        onClose={() => setCreating(false)}
      />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
      <TypedConfirmation
        opened={revoked !== undefined}
        title={`Revoke “${revoked?.name}”`}
        word={revoked?.name ?? ""}
        label="Revoke token"
        onConfirm={() => (revoked ? revoke(revoked) : Promise.resolve())}
        onClose={() => setRevoked(undefined)}
      >
        <Text size="sm">
          The token is refused within a second. This can't be undone.
          {revoked?.last_used_at && (
            <>
              {" "}
              Last used <When ms={revoked.last_used_at} />.
            </>
          )}
        </Text>
      </TypedConfirmation>
    </Screen>
  );
}

const columns: readonly Column<OperatorToken>[] = [
  {
    key: "name",
    phone: "lead",
    title: tokensTexts.name,
    cell: ({ name, addresses }) => (
      <div>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        {addresses.length > 0 && (
          <Text size="xs" c="dimmed">
            {`only from ${addresses.join(", ")}`}
          </Text>
        )}
      </div>
    ),
  },
  { key: "status", phone: "lead-end", title: "Status", cell: (row) => <TokenStatus row={row} /> },
  {
    key: "role",
    phone: "sub",
    title: tokensTexts.role,
    cell: ({ role }) => roleName(role as Role),
  },
  {
    key: "subaccounts",
    phone: "sub-middle",
    title: tokensTexts.subaccounts,
    cell: ({ subaccount_ids }) => <Reach ids={subaccount_ids} />,
  },
  {
    key: "made",
    title: "Made by",
    cell: ({ made_by, created_at }) => (
      <div>
        {whoText(made_by)}
        <Text size="xs" c="dimmed">
          <When ms={created_at} />
        </Text>
      </div>
    ),
  },
  {
    key: "expires",
    phone: "sub-end",
    title: tokensTexts.expires,
    cell: ({ expires_at }) => <When ms={expires_at} />,
  },
  {
    key: "used",
    title: "Last used",
    cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <When ms={last_used_at} />),
  },
];

function Reach({ ids }: { ids: readonly string[] | null }) {
  const found = useSubaccountsOf(ids ?? []);
  if (ids === null) return tokensTexts.allSubaccounts;
  const names = found.map(({ name, mode }) => (mode === "live" ? name : `${name} (test mode)`));
  return names.join(", ");
}

function TokenStatus({ row: { status, ended_because } }: { row: OperatorToken }) {
  return (
    <div>
      <Status of="token" value={status} />
      {ended_because !== null && (
        <Text size="xs" c="dimmed">
          {ended_because}
        </Text>
      )}
      {status === "waiting" && (
        <Text size="xs">
          <ApprovalsLink kind="token" />
        </Text>
      )}
    </div>
  );
}
