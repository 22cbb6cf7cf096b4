// The versions of the rules, newest first: who proposed each, who decided, and what it changed.

import { Button, Modal, Stack, Text } from "@mantine/core";
import type { RuleVersion } from "@server/doors/console/rules/schema.ts";
import { useState } from "react";
import { onePageOf, usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { whoText } from "../state/who.ts";
import { rulesTexts } from "../texts/rules.ts";
import { RuleChanges } from "./rule-changes.tsx";
import { ruleColumns } from "./rule-columns.tsx";

export function Versions() {
  const [shown, setShown] = useState<RuleVersion>();
  const page = usePage<RuleVersion>(["rules"], "/rules/versions");
  return (
    <section aria-label={rulesTexts.history}>
      <Stack gap="xs">
        <Text component="h2" fw={600} fz="sm" m={0}>
          {rulesTexts.history}
        </Text>
        <PageTable
          label={rulesTexts.history}
          columns={columnsOf(setShown)}
          page={page}
          rowKey={({ version }) => String(version)}
          empty={<Empty title="No version yet" />}
        />
      </Stack>
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        size="lg"
        title={shown && rulesTexts.rulesOf(shown.version)}
      >
        {shown && (
          <PageTable
            label={rulesTexts.rulesOf(shown.version)}
            columns={ruleColumns}
            page={onePageOf({ data: { rows: shown.rules } })}
            rowKey={({ rule }) => rule.id}
            empty={<Empty title={rulesTexts.draftEmpty} />}
          />
        )}
      </Modal>
    </section>
  );
}

function columnsOf(onShow: (version: RuleVersion) => void): Column<RuleVersion>[] {
  return [
    {
      key: "version",
      title: "Version",
      cell: (row) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Show the rules of version ${row.version}`}
          onClick={() => onShow(row)}
        >
          {row.version}
        </Button>
      ),
    },
    {
      key: "status",
      title: "Status",
      cell: ({ status }) => <Status of="ruleSet" value={status} />,
    },
    {
      key: "changes",
      title: "Changes",
      cell: ({ changes, note }) => (
        <>
          <RuleChanges changes={changes} />
          {note && (
            <Text size="xs" c="dimmed" mt={4}>
              {note}
            </Text>
          )}
        </>
      ),
    },
    {
      key: "made",
      title: "Proposed",
      cell: ({ made_by, made_at }) => <By who={made_by} ms={made_at} />,
    },
    {
      key: "decided",
      title: "Decided",
      cell: ({ decided_by, decided_at, decided_why }) =>
        decided_by === null || decided_at === null ? (
          "–"
        ) : (
          <By who={decided_by} ms={decided_at} why={decided_why} />
        ),
    },
  ];
}

function By({ who, ms, why = "" }: { who: string; ms: number; why?: string }) {
  return (
    <Stack gap={0}>
      <span>{whoText(who)}</span>
      <Text size="xs" c="dimmed" component="span">
        <When ms={ms} />
        {why && ` · ${why}`}
      </Text>
    </Stack>
  );
}
