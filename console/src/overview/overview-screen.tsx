// The overview of a subaccount: five tiles, the things that need attention, six plots.

import { Group, Loader, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense, useId } from "react";
import { CurrencyChoice } from "../parts/currency-choice.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { When } from "../parts/when.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { NeedsAttention } from "./attention.tsx";
import { type Overview, ranges, useOverview } from "./overview.ts";
import { Plots } from "./plots.tsx";
import { Tiles } from "./tiles.tsx";

/** Only new subaccounts need them. */
const FirstSteps = lazy(async () => ({
  default: (await import("../quickstart/quickstart-steps.tsx")).OwnSteps,
}));

export function OverviewScreen() {
  const { data: overview, error, refetch } = useOverview();
  return (
    <Screen actions={<Choices currencies={overview?.currencies ?? []} />}>
      <Problem error={error} onRetry={() => void refetch()} />
      {overview ? <Shown overview={overview} /> : !error && <PageLoading />}
    </Screen>
  );
}

function Choices({ currencies }: { currencies: readonly string[] }) {
  const [{ range = "7d" }, setFilters] = useFilters();
  return (
    <>
      <SegmentedControl
        aria-label="Range"
        data={[...ranges]}
        value={range}
        onChange={(chosen) => setFilters({ range: chosen })}
      />
      <CurrencyChoice currencies={currencies} />
    </>
  );
}

function Shown({ overview }: { overview: Overview }) {
  const headingId = useId();
  return (
    <>
      {!overview.has_payouts && (
        <Suspense fallback={<PageLoading />}>
          <section aria-labelledby={headingId}>
            <Stack gap="sm">
              <Title order={2} fz="md" id={headingId}>
                The first steps
              </Title>
              <FirstSteps />
            </Stack>
          </section>
        </Suspense>
      )}
      <Tiles overview={overview} />
      <NeedsAttention items={overview.attention} />
      {overview.has_payouts ? (
        <Plots overview={overview} />
      ) : (
        <Text size="sm" c="dimmed">
          The charts appear here with the first payout.
        </Text>
      )}
      <AsOf overview={overview} />
    </>
  );
}

function AsOf({ overview: { as_of, behind } }: { overview: Overview }) {
  return (
    <Group gap="xs">
      {behind > 0 && <Loader size={14} aria-hidden />}
      <Text size="xs" c="dimmed" role="status">
        <Sentence
          text={
            behind > 0 ? "As of {time}. {count} more transfers are being added." : "As of {time}"
          }
          parts={{ time: <When ms={as_of} withSeconds />, count: countText(behind) }}
        />
      </Text>
    </Group>
  );
}
