// The sanctions lists: their age, versions that wait for a second user, embargoed countries, and every version.

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { FileUp } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { calendarDayText, spanText } from "../state/time.ts";
import { listText, screeningTexts } from "../texts/screening.ts";
import { Embargoes } from "./embargoes.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { type SanctionsList, useLists, useRenewLists } from "./lists.ts";
import { ListVersions } from "./versions.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";

const columns: readonly Column<SanctionsList>[] = [
  {
    key: "list",
    phone: "lead",
    title: screeningTexts.list,
    cell: ({ list, title, publisher }) => (
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500} component="span">
          {listText(list)}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {`${publisher}: ${title}`}
        </Text>
      </Stack>
    ),
  },
  {
    key: "age",
    phone: "lead-end",
    title: "Age",
    cell: (row) => <Age row={row} />,
  },
  {
    key: "published",
    phone: "sub",
    title: screeningTexts.published,
    cell: ({ active }) => active && calendarDayText(active.published_day),
  },
  {
    key: "imported",
    phone: "sub-end",
    title: screeningTexts.imported,
    cell: ({ active }) => active && <When ms={active.made_at} />,
  },
  {
    key: "entries",
    title: screeningTexts.entries,
    align: "right",
    cell: ({ active }) => active && countText(active.entries),
  },
  {
    key: "names",
    title: screeningTexts.names,
    align: "right",
    cell: ({ active }) => active && countText(active.names),
  },
];

const dayMs = 86_400_000;

function Age({ row: { age_ms, is_old } }: { row: SanctionsList }) {
  if (age_ms === null) {
    return (
      <Text size="sm" c="dimmed" span>
        Never imported
      </Text>
    );
  }
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      {age_ms < dayMs ? "Less than a day" : spanText(age_ms)}
      {is_old && <Status of="list" value="old" />}
    </Group>
  );
}

export function ScreeningScreen() {
  const mayChange = useMay("receivers.review");
  const renew = useRenewLists();
  const [isOpen, setOpen] = useState(false);
  const lists = useLists();
  const { data } = lists;
  // Embargoed countries have a panel of their own.
  const rows = data?.lists.filter(({ list }) => list !== "embargo");
  const missing = rows?.filter(({ active }) => active === null) ?? [];
  const old = data?.lists.filter(({ is_old }) => is_old) ?? [];
  return (
    <Screen
      title={screeningTexts.title}
      actions={
        mayChange && (
          <Button leftSection={<FileUp size={16} aria-hidden />} onClick={() => setOpen(true)}>
            {screeningTexts.importList}
          </Button>
        )
      }
    >
      {missing.length > 0 && (
        <Alert color="yellow" variant="light">
          <Text size="sm">
            {`Never imported: ${missing.map(({ list }) => listText(list)).join(", ")}. Receivers are not compared with ${missing.length === 1 ? "it" : "them"}. Download the files and import them.`}
          </Text>
        </Alert>
      )}
      {data && old.length > 0 && (
        <Alert color="yellow" variant="light">
          <Text size="sm">
            {`Older than ${spanText(data.old_after_ms)}: ${old.map(({ list }) => listText(list)).join(", ")}. Publishers change their lists several times a week. Download the newest files and import them.`}
          </Text>
        </Alert>
      )}
      {data?.lists.map(
        ({ waiting }) =>
          waiting && (
            <WaitingPanel
              key={waiting.id}
              version={waiting}
              onDecided={renew}
              more={
                <PageLink to={`/screening/versions/${waiting.id}`} fz="sm">
                  Show its changes
                </PageLink>
              }
            />
          ),
      )}
      <PageTable
        label={screeningTexts.title}
        columns={columns}
        page={onePageOf({ ...lists, data: rows && { rows } })}
        rowKey={({ list }) => list}
        rowHref={({ active }) => active && `/screening/versions/${active.id}`}
        empty={null}
      />
      {data && <Embargoes lists={data} onChanged={renew} />}
      <ListVersions />
      {mayChange && <ImportDialog opened={isOpen} onClose={() => setOpen(false)} />}
    </Screen>
  );
}
