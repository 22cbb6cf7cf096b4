// The outcome of the payouts of one currency, as a bar and in words.

import { Group, Progress, Text } from "@mantine/core";
import { countText } from "../state/locale.ts";
import { batchOutcomes, type CurrencySum } from "./batch.ts";

export function OutcomeBar({ sum: { currency, payouts, parts } }: { sum: CurrencySum }) {
  return (
    <div>
      <Progress.Root size="sm" aria-label={`Progress in ${currency}`}>
        {parts.map(({ outcome, payouts: some }) => (
          <Progress.Section
            key={outcome}
            value={(some * 100) / payouts}
            color={batchOutcomes[outcome].color}
            aria-label={`${batchOutcomes[outcome].label} ${some}`}
          />
        ))}
      </Progress.Root>
      <Group gap="2px 10px" mt={4}>
        {parts.map(({ outcome, payouts: some }) => (
          <Text key={outcome} size="xs" component="span">
            {batchOutcomes[outcome].label} {countText(some)}
          </Text>
        ))}
      </Group>
    </div>
  );
}
