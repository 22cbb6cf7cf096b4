// A bank connection as a card of Reconcile.

import { Group, Skeleton, Stack, Text } from "@mantine/core";
import type { BankStanding } from "@server/doors/console/statements/schema.ts";
import { TestMark } from "../banks/test-mark.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { FirstSteps } from "./first-steps.tsx";
import { usePosition } from "./position.ts";
import { ClosingState, PositionActions, PositionFigures } from "./position-figures.tsx";

/** The server counts no further. */
const countedMax = 500;

export function ConnectionCard({ standing }: { standing: BankStanding }) {
  const { id, name, mode, account, currency, open_lines, suspended } = standing;
  const { data, error, refetch } = usePosition(id);
  const page = `/reconcile/banks/${id}`;
  return (
    <Panel
      title={name}
      actions={
        <>
          <TestMark mode={mode} />
          <PageLink to={page}>Open</PageLink>
        </>
      }
    >
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {account} · {currency}
        </Text>
        <Problem error={error} onRetry={() => void refetch()} />
        {data && <FirstSteps position={data} />}
        {data ? <PositionFigures position={data} /> : !error && <Skeleton height={72} />}
        <Group gap="md">
          <Count label={statementsTexts.openLines} count={open_lines} to={page} />
          <Count label="In suspense" count={suspended} to="/banks/suspense" />
          {data && (
            <Count
              label={statementsTexts.exceptions}
              count={data.exceptions}
              to={`${page}?tab=exceptions`}
            />
          )}
        </Group>
        {data && <ClosingState position={data} />}
        {data && <PositionActions position={data} />}
      </Stack>
    </Panel>
  );
}

function Count({ label, count, to }: { label: string; count: number; to: string }) {
  return (
    <Text size="sm" component="span">
      <Text span c="dimmed">
        {label}
      </Text>{" "}
      {count === 0 ? (
        0
      ) : (
        <PageLink to={to}>{count >= countedMax ? `${countedMax}+` : String(count)}</PageLink>
      )}
    </Text>
  );
}
