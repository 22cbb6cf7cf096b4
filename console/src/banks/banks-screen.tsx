// Bank connections with their files of the day, how many changes of them wait for another admin, and bank files.

import { Alert, Button, Stack, Text } from "@mantine/core";
import type {
  BankBatchLine,
  BankList,
  ConnectionLine,
} from "@server/doors/console/banks/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { onePageOf, usePage } from "../api/page.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Empty } from "../parts/empty.tsx";
import { Plus } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useAskedDialog } from "../state/asked-dialog.ts";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { banksTexts } from "../texts/banks.ts";
import { BankTabs } from "./bank-tabs.tsx";
import styles from "./banks.module.css";
import { ConnectionActions } from "./connection-actions.tsx";
import { ConnectionDialog } from "./connection-dialog.tsx";
import { LateMark } from "./late-mark.tsx";
import { OpenOrAll } from "./open-or-all.tsx";
import { TestMark } from "./test-mark.tsx";

/** Files are frozen and settled by the worker, so the lists are reloaded. */
const everyMs = 10_000;

export function BanksScreen() {
  const client = useQueryClient();
  const mayWrite = useMay("banks.write");
  const [isAdding, setAdding] = useAskedDialog("connection");
  const list = useQuery({
    queryKey: ["banks"],
    queryFn: ({ signal }) => get<BankList>("/banks", {}, signal),
    refetchInterval: everyMs,
  });
  const renew = () => client.invalidateQueries({ queryKey: ["banks"] });
  const { data } = list;
  const page = onePageOf(list);
  const add = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add connection
    </Button>
  );
  return (
    <Screen actions={mayWrite && add}>
      <BankTabs />
      {data && data.requested > 0 && (
        <Alert color="yellow">
          <Text size="sm">
            {banksTexts.requestsWait(data.requested)} <ApprovalsLink kind="bank_connection" />
          </Text>
        </Alert>
      )}
      <PageTable
        label="Connections"
        columns={connectionColumns(renew)}
        page={page}
        rowKey={({ id }) => id}
        empty={
          <Empty
            title="No bank connections yet"
            hint="A bank connection is one of your accounts at a bank, with the format of its files. Live payouts need one."
          />
        }
      />
      <Batches />
      {mayWrite && (
        <ConnectionDialog
          opened={isAdding}
          id={undefined}
          title="Add a bank connection"
          onClose={() => setAdding(false)}
          onRequested={renew}
        />
      )}
    </Screen>
  );
}

function connectionColumns(renew: () => void): Column<ConnectionLine>[] {
  return [
    {
      key: "name",
      title: banksTexts.name,
      cell: ({ name, mode, format, currency }) => (
        <Two
          first={
            <span className={styles.marks}>
              <strong>{name}</strong>
              <TestMark mode={mode} />
            </span>
          }
          second={`${format} · ${currency}`}
        />
      ),
    },
    {
      key: "account",
      title: banksTexts.account,
      cell: ({ account, fee }) => <Two first={account} second={fee !== "none" && `fee: ${fee}`} />,
    },
    {
      key: "date",
      title: "Next file",
      cell: ({ next }) => (next ? calendarDayText(next.process_date) : "–"),
    },
    {
      key: "freezes",
      title: "Freezes",
      cell: ({ next, freeze_at, time_zone }) =>
        next && <Due ms={next.freezes_at} clock={banksTexts.at(freeze_at, time_zone)} />,
    },
    {
      key: "cutoff",
      title: banksTexts.bankCutoff,
      cell: ({ next, closing, bank_cutoff, time_zone }) =>
        next && (
          <Due
            ms={(closing ?? next).cutoff}
            clock={
              closing
                ? `file of ${calendarDayText(closing.process_date)}`
                : banksTexts.at(bank_cutoff, time_zone)
            }
          />
        ),
    },
    {
      key: "payouts",
      title: banksTexts.payouts,
      align: "right",
      cell: ({ waiting, has_more_waiting }) => {
        const count = countText(waiting);
        return has_more_waiting ? `${count}+` : count;
      },
    },
    { key: "status", title: banksTexts.status, cell: statusCell },
    {
      key: "actions",
      title: "Actions",
      align: "right",
      cell: (row) => <ConnectionActions connection={row} onChanged={renew} />,
    },
  ];
}

function statusCell({ disabled_at, next }: ConnectionLine) {
  if (next === null)
    return (
      <Status
        of="connection"
        value="unreadable"
        title="The settings can't be decrypted. Check the master key of this process."
      />
    );
  return <Status of="connection" value={disabled_at === null ? "enabled" : "disabled"} />;
}

/** The time left, and the time on the bank's clock. */
function Due({ ms, clock }: { ms: number; clock: string }) {
  return <Two first={<When ms={ms} isPlanned />} second={clock} />;
}

function Two({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <Stack gap={0}>
      <span>{first}</span>
      {second && (
        <Text span size="xs" c="dimmed">
          {second}
        </Text>
      )}
    </Stack>
  );
}

const batchColumns: Column<BankBatchLine>[] = [
  {
    key: "file",
    phone: "lead",
    title: "File",
    isLink: true,
    cell: ({ file_name }) => <span className={styles.file}>{file_name}</span>,
  },
  {
    key: "bank",
    phone: "sub-middle",
    title: banksTexts.bank,
    cell: ({ connection_name, mode }) => (
      <span className={styles.marks}>
        {connection_name}
        <TestMark mode={mode} />
      </span>
    ),
  },
  {
    key: "status",
    phone: "sub-end",
    title: banksTexts.status,
    cell: ({ status, is_late }) => (
      <span className={styles.marks}>
        <Status of="batch" value={status} />
        {is_late && <LateMark />}
      </span>
    ),
  },
  {
    key: "date",
    phone: "sub",
    title: banksTexts.processDate,
    cell: ({ process_date }) => calendarDayText(process_date),
  },
  {
    key: "payouts",
    title: banksTexts.payouts,
    align: "right",
    cell: ({ payouts }) => countText(payouts),
  },
  {
    key: "total",
    phone: "lead-end",
    title: banksTexts.total,
    align: "right",
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  },
  {
    key: "frozen",
    title: "Frozen",
    align: "right",
    cell: ({ frozen_at }) => <When ms={frozen_at} isDate />,
  },
];

function Batches() {
  const [{ state = "open" }] = useFilters();
  const page = usePage<BankBatchLine>(["banks"], "/banks/batches", { state }, { everyMs });
  return (
    <section aria-label={banksTexts.batches}>
      <Stack gap="xs">
        <div className={styles.head}>
          <Text component="h2" fw={600} fz="sm" m={0}>
            {banksTexts.batches}
          </Text>
          <OpenOrAll />
        </div>
        {page.rows?.some(({ is_late }) => is_late) && (
          <Alert color="red" variant="light">
            Files marked Late were not sent before the bank's cut-off. Discard them: their payouts
            go with the next file.
          </Alert>
        )}
        <PageTable
          label={banksTexts.batches}
          columns={batchColumns}
          page={page}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/banks/batches/${id}`}
          empty={
            <Empty
              title={state === "open" ? "No open files" : "No files yet"}
              hint="Files are written at the time to freeze, or with Freeze now."
            />
          }
        />
      </Stack>
    </section>
  );
}
