// The open lines of a bank connection. A suggestion is confirmed with one click; bank charges, many at once.

import { Checkbox, Group, Stack, Text } from "@mantine/core";
import type { OpenLine } from "@server/doors/console/statements/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Act } from "../parts/act.tsx";
import { decideAtBank } from "../parts/decide-at-bank.ts";
import { Empty } from "../parts/empty.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { lineColumns, lineText } from "./line-columns.tsx";
import { ConfirmSuggestion, SuggestionText } from "./suggestion.tsx";

const isCharge = ({ suggestions }: OpenLine) => suggestions[0]?.kind === "company";

export function OpenLineTable({ connectionId }: { connectionId: string }) {
  const client = useQueryClient();
  const mayDecide = useMay("banks.release");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const path = `/reconcile/banks/${connectionId}/lines`;
  const page = usePage<OpenLine>(["banks", "reconcile"], path);
  const charges = page.rows?.filter(isCharge).map(({ id }) => id) ?? [];
  const selected = chosen.filter((id) => charges.includes(id));
  const select = (id: string, isSelected: boolean) =>
    setChosen(isSelected ? [...chosen, id] : chosen.filter((one) => one !== id));
  const confirmCharges = async () => {
    const body = { line_ids: selected, reason: "Bank charge confirmed" };
    const done =
      selected.length === 1
        ? "1 bank charge confirmed"
        : `${selected.length} bank charges confirmed`;
    await decideAtBank("/reconcile/lines/company", body, done);
    setChosen([]);
    await client.invalidateQueries({ queryKey: ["banks"] });
  };
  return (
    <Stack gap="xs">
      {mayDecide && charges.length > 0 && (
        <Group gap="sm">
          <Checkbox
            label="Select all bank charges on this page"
            checked={selected.length === charges.length}
            indeterminate={selected.length > 0 && selected.length < charges.length}
            onChange={({ currentTarget: { checked } }) => setChosen(checked ? charges : [])}
          />
          {selected.length > 0 && (
            <Act
              label={
                selected.length === 1
                  ? "Confirm 1 bank charge"
                  : `Confirm ${selected.length} bank charges`
              }
              onAct={confirmCharges}
            />
          )}
        </Group>
      )}
      <PageTable
        label={statementsTexts.openLines}
        columns={columnsOf({ mayDecide, hasCharges: charges.length > 0, selected, select })}
        page={page}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/reconcile/lines/${id}`}
        empty={<Empty title="No open lines" hint="Every line of the statements is explained." />}
      />
    </Stack>
  );
}

function columnsOf({
  mayDecide,
  hasCharges,
  selected,
  select,
}: {
  mayDecide: boolean;
  hasCharges: boolean;
  selected: readonly string[];
  select: (id: string, isSelected: boolean) => void;
}): Column<OpenLine>[] {
  const checkbox: Column<OpenLine> = {
    key: "select",
    title: "Select",
    cell: (row) =>
      isCharge(row) && (
        <Checkbox
          aria-label={`Select ${lineText(row)}`}
          checked={selected.includes(row.id)}
          onChange={({ currentTarget: { checked } }) => select(row.id, checked)}
        />
      ),
  };
  const suggestion: Column<OpenLine> = {
    key: "suggestion",
    title: statementsTexts.suggestion,
    cell: ({ suggestions: [best] }) =>
      best ? (
        <SuggestionText suggestion={best} />
      ) : (
        <Text span size="sm" c="dimmed">
          None
        </Text>
      ),
  };
  const confirm: Column<OpenLine> = {
    key: "confirm",
    title: statementsTexts.confirm,
    align: "right",
    cell: ({ id, suggestions: [best] }) =>
      best ? <ConfirmSuggestion lineId={id} suggestion={best} /> : "–",
  };
  return [
    ...(mayDecide && hasCharges ? [checkbox] : []),
    ...(lineColumns as Column<OpenLine>[]),
    suggestion,
    ...(mayDecide ? [confirm] : []),
  ];
}
