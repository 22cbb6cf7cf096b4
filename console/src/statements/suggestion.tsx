// What a statement line may be, with its reasons, and a button that confirms it.

import { Stack, Text } from "@mantine/core";
import type { SuggestedMatch } from "@server/doors/console/statements/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Act } from "../parts/act.tsx";
import { decideAtBank } from "../parts/decide-at-bank.ts";
import { PageLink } from "../parts/page-link.tsx";
import { reasonsText, statementsTexts } from "../texts/statements.ts";

export function SuggestionText({ suggestion }: { suggestion: SuggestedMatch }) {
  const { kind, batch_id, batch_name, payout_id, subaccount_id, reasons } = suggestion;
  const label = statementsTexts.suggestions[kind];
  return (
    <Stack gap={0}>
      <span>
        {kind === "batch" && (
          <PageLink to={`/banks/batches/${batch_id}`}>{`${label} ${batch_name ?? ""}`}</PageLink>
        )}
        {kind === "payout" && (
          <PageLink to={`/s/${subaccount_id}/payouts/${payout_id}`}>
            {`${label} ${payout_id?.slice(-6) ?? ""}`}
          </PageLink>
        )}
        {kind === "company" && label}
      </span>
      <Text span size="xs" c="dimmed">
        {reasonsText(reasons)}
      </Text>
    </Stack>
  );
}

export function ConfirmSuggestion({
  lineId,
  suggestion,
}: {
  lineId: string;
  suggestion: SuggestedMatch;
}) {
  const client = useQueryClient();
  const { kind, batch_id, payout_id, reasons } = suggestion;
  const confirm = async () => {
    const reason = `Suggestion confirmed: ${reasons.join(", ")}`.slice(0, 500);
    const body = { line_ids: [lineId], reason };
    const paid = payout_id !== null ? { payout_ids: [payout_id] } : { batch_ids: [batch_id] };
    const done = "Line matched";
    if (kind === "company") await decideAtBank("/reconcile/lines/company", body, done);
    else await decideAtBank("/reconcile/lines/match", { ...body, ...paid }, done);
    await client.invalidateQueries({ queryKey: ["banks"] });
  };
  return <Act label={statementsTexts.confirm} size="compact-xs" onAct={confirm} />;
}
