// One of the currencies of a page, where it has several.

import { Select } from "@mantine/core";
import { useFilters } from "../state/filters.ts";

export function CurrencyChoice({ currencies }: { currencies: readonly string[] }) {
  const [{ currency }, setFilters] = useFilters();
  if (currencies.length < 2 && !currency) return null;
  return (
    <Select
      aria-label="Currency"
      size="xs"
      w={130}
      placeholder="All currencies"
      data={[...new Set([...currencies, ...(currency ? [currency] : [])])]}
      value={currency ?? null}
      clearable
      onChange={(chosen) => setFilters({ currency: chosen ?? undefined })}
    />
  );
}
