// Proposes a change of the rules: edit them, see what they would have done to the last 90 days, and hand them to another
// user.

import { Button, Group, Stack, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ProposedRules, RuleLine, RulesInForce } from "@server/doors/console/rules/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { get, send } from "../api/call.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Plus } from "../parts/icons.tsx";
import { Missing } from "../parts/missing.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Restored } from "../parts/restored.tsx";
import { Screen } from "../parts/screen.tsx";
import { useDraft } from "../state/drafts.ts";
import { rulesTexts } from "../texts/rules.ts";
import { BacktestPanel } from "./backtest-panel.tsx";
import { textOfRules } from "./backtest-run.ts";
import { ruleColumns } from "./rule-columns.tsx";
import { RuleDialog } from "./rule-dialog.tsx";

export function ChangeScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: ["rules"],
    queryFn: ({ signal }) => get<RulesInForce>("/rules", {}, signal),
    // The draft starts from what was shown; the server refuses it if the rules changed meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
  });
  return (
    <Screen above={<PageLink to="/rules">Rules</PageLink>}>
      <Problem error={data ? undefined : error} onRetry={() => void refetch()} />
      {data && (
        <Draft
          key={data.active?.version ?? 0}
          inForce={data.active?.rules ?? []}
          baseVersion={data.active?.version ?? null}
        />
      )}
    </Screen>
  );
}

const rulesOf = (lines: readonly RuleLine[]) => lines.map(({ rule }) => rule);

function Draft({
  inForce,
  baseVersion,
}: {
  inForce: readonly RuleLine[];
  baseVersion: number | null;
}) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const draft = useDraft(`rules-${baseVersion ?? 0}`, { lines: "", note: "" });
  const { note } = draft.fields;
  const lines = useMemo(
    () => (draft.fields.lines === "" ? inForce : (JSON.parse(draft.fields.lines) as RuleLine[])),
    [draft.fields.lines, inForce],
  );
  const setLines = (after: readonly RuleLine[]) =>
    draft.change({ lines: after === inForce ? "" : JSON.stringify(after) });
  const [edited, setEdited] = useState<RuleLine | "new">();
  const isChanged = textOfRules(rulesOf(lines)) !== textOfRules(rulesOf(inForce));
  const propose = useMutation({
    mutationFn: () =>
      send<ProposedRules>("POST", "/rules/versions", {
        rules: rulesOf(lines),
        base_version: baseVersion,
        note: note.trim(),
      }),
    onSuccess: async () => {
      draft.forget();
      notifications.show({ message: "Proposed. Another user has to approve it.", color: "teal" });
      await client.invalidateQueries({ queryKey: ["rules"] });
      await navigate({ to: "/rules" });
    },
  });
  const take = (line: RuleLine) => {
    const isKnown = lines.some(({ rule }) => rule.id === line.rule.id);
    setLines(
      isKnown ? lines.map((one) => (one.rule.id === line.rule.id ? line : one)) : [...lines, line],
    );
  };
  return (
    <>
      <Restored draft={draft} />
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Button
            variant="default"
            leftSection={<Plus size={16} aria-hidden />}
            onClick={() => setEdited("new")}
          >
            {rulesTexts.addRule}
          </Button>
          {isChanged && (
            <Button variant="subtle" color="gray" onClick={() => setLines(inForce)}>
              Start again from the rules in force
            </Button>
          )}
        </Group>
        <PageTable
          label="Rules after the change"
          columns={[
            ...ruleColumns,
            actionColumn({
              onEdit: setEdited,
              onRemove: ({ rule: { id } }) => setLines(lines.filter(({ rule }) => rule.id !== id)),
            }),
          ]}
          page={onePageOf({ data: { rows: lines } })}
          rowKey={({ rule }) => rule.id}
          empty={<Empty title={rulesTexts.draftEmpty} hint={rulesTexts.draftEmptyHint} />}
        />
      </Stack>
      <BacktestPanel rules={rulesOf(lines)} />
      <Panel title={rulesTexts.propose}>
        <Stack gap="sm" maw={560}>
          <Textarea
            label="Why"
            description="For the user who approves."
            value={note}
            maxLength={500}
            autosize
            minRows={2}
            onChange={(event) => draft.change({ note: event.currentTarget.value })}
          />
          <Problem error={propose.error} />
          <Group>
            <Button
              disabled={!isChanged || note.trim() === ""}
              loading={propose.isPending}
              onClick={() => propose.mutate()}
            >
              {rulesTexts.propose}
            </Button>
            <Missing
              text={!isChanged ? "Change a rule first." : note.trim() === "" && "Say why first."}
            />
          </Group>
        </Stack>
      </Panel>
      <RuleDialog
        opened={edited !== undefined}
        rule={edited === "new" ? undefined : edited?.rule}
        newId={() => crypto.randomUUID()}
        onRule={(rule, sentence) => take({ rule, sentence })}
        onClose={() => setEdited(undefined)}
      />
    </>
  );
}

function actionColumn({
  onEdit,
  onRemove,
}: Record<"onEdit" | "onRemove", (line: RuleLine) => void>): Column<RuleLine> {
  return {
    key: "actions",
    title: "Actions",
    align: "right",
    cell: (line) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={rulesTexts.editRule(line.rule.name)}
          onClick={() => onEdit(line)}
        >
          Edit
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          c="var(--mantine-color-error)"
          aria-label={`Remove rule ${line.rule.name}`}
          onClick={() => onRemove(line)}
        >
          Remove
        </Button>
      </Group>
    ),
  };
}
