// The subaccount's API keys: permissions, allowed IP addresses, last use and expiry.

import { Badge, Button, Group, Text } from "@mantine/core";
import type { KeyLine } from "@server/doors/console/keys/schema.ts";
import { useState } from "react";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { Plus } from "../parts/icons.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { useFilters } from "../state/filters.ts";
import { whoText } from "../state/who.ts";
import { keysTexts } from "../texts/keys.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyMenu } from "./key-menu.tsx";

const filters: readonly Filter[] = [
  {
    name: "status",
    label: "Show",
    kind: "choice",
    options: [
      { value: "active", label: "Active" },
      { value: "all", label: "Include inactive keys" },
    ],
  },
];

export function KeysScreen() {
  const { id, mode, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const [values, setValues] = useFilters();
  const [isCreating, setCreating] = useAskedDialog("create");
  const [secret, setSecret] = useState<Secret>();
  const mayMoney = useMay("keys.money");
  const mayWrite = useMay("keys.write") && (mode === "test" || mayMoney) && !is_closed;
  const mayChange = ({ scopes }: KeyLine) =>
    mayWrite && (mayMoney || scopes.every((scope) => scope === "read" || scope === "write"));
  const query = { status: values.status };
  const page = usePage<KeyLine>([id, "keys"], apiOf("/keys"), query);
  const actions: readonly Column<KeyLine>[] = [
    {
      key: "menu",
      title: "Actions",
      align: "right",
      cell: (row) => <KeyMenu line={row} onSecret={setSecret} mayWrite={mayChange(row)} />,
    },
  ];
  return (
    <Screen
      actions={
        <>
          <ExportButton path={apiOf("/keys.csv")} query={query} />
          {mayWrite && (
            <Button leftSection={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
              {keysTexts.createApiKey}
            </Button>
          )}
        </>
      }
    >
      <FilterBar filters={filters} value={values} onChange={setValues} />
      <PageTable
        label={keysTexts.apiKeys}
        columns={[...columns, ...actions]}
        page={page}
        rowKey={(row) => row.key}
        empty={
          <Empty
            title="No active keys"
            hint="Your program sends an API key and signs each request with its secret."
          />
        }
      />
      <Text size="sm" c="dimmed">
        A revoked key stops working immediately.
      </Text>
      <CreateKeyDialog
        opened={isCreating && mayWrite}
        onSecret={setSecret}
        onClose={() => setCreating(false)}
      />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </Screen>
  );
}

const soonMs = 7 * 24 * 3_600_000;

const columns: readonly Column<KeyLine>[] = [
  {
    key: "name",
    title: keysTexts.name,
    cell: (row) => (
      <div>
        <Text size="sm" fw={500} mb={3}>
          {row.name}
        </Text>
        <IdChip id={row.key} short />
      </div>
    ),
  },
  {
    key: "status",
    title: "Status",
    cell: (row) => <Status of="key" value={lookOf(row)} />,
  },
  {
    key: "scopes",
    title: keysTexts.permissions,
    cell: (row) => (
      <Group gap={4}>
        {row.scopes.map((scope) => (
          <Badge key={scope} color="gray">
            {scope}
          </Badge>
        ))}
        {row.version2_only && <Badge>version 2 only</Badge>}
      </Group>
    ),
  },
  {
    key: "addresses",
    title: keysTexts.allowedIpAddresses,
    cell: (row) => (row.addresses.length === 0 ? "Any" : row.addresses.join(", ")),
  },
  {
    key: "used",
    title: "Last used",
    cell: (row) => (row.last_used_at === null ? keysTexts.never : <When ms={row.last_used_at} />),
  },
  { key: "secrets", title: "Secrets", cell: (row) => <SecretsOf line={row} /> },
  {
    key: "expires",
    title: "Expires",
    cell: (row) => (row.expires_at === null ? keysTexts.never : <When ms={row.expires_at} />),
  },
  {
    key: "created",
    title: "Created",
    cell: (row) => (
      <div>
        <When ms={row.created_at} />
        <Text size="xs" c="dimmed">
          {row.created_by ? whoText(row.created_by) : "Created via CLI"}
        </Text>
      </div>
    ),
  },
];

function lookOf({ status, expires_at }: KeyLine): string {
  if (status !== "active") return status;
  return expires_at !== null && expires_at - Date.now() < soonMs ? "expiring" : "active";
}

function SecretsOf({ line }: { line: KeyLine }) {
  const { secrets, status, secret_awaits_approval } = line;
  if (status !== "active") return "–";
  const ending = secrets.filter(({ expires_at }) => expires_at !== null);
  return (
    <div>
      {secrets.length}
      {secret_awaits_approval && (
        <Text size="xs" c="dimmed">
          new secret awaits approval
        </Text>
      )}
      {ending.map(({ created_at, expires_at }) => (
        <Text key={created_at} size="xs" c="dimmed">
          old secret until <When ms={expires_at ?? 0} isDeadline />
        </Text>
      ))}
    </div>
  );
}
