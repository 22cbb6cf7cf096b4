// Chooses what a report or a statement line is about, found by amount, name or reference. Each option says why it may fit.

import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { MatchOption, MatchOptions } from "@server/doors/console/statements/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../api/call.ts";
import { moneyText, readMoney } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { partsTexts } from "../texts/parts.ts";
import { reasonsText } from "../texts/statements.ts";

const groups = { payout: "Payouts", batch: "Bank files", line: "Other lines of the same match" };

export function MatchPicker({
  path,
  currency,
  chosen,
  onChange,
  max,
}: {
  /** Of the read that has the options. */
  path: string;
  currency: string;
  chosen: readonly MatchOption[];
  onChange: (chosen: MatchOption[]) => void;
  max?: number;
}) {
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed, 200);
  const amount = readMoney(text, currency);
  const query = { text, amount: amount === undefined ? undefined : String(amount) };
  const { data } = useQuery({
    queryKey: ["banks", "match-options", path, query],
    queryFn: ({ signal }) => get<MatchOptions>(path, query, signal),
    placeholderData: keepPreviousData,
  });
  const found = [...chosen, ...(data?.rows ?? [])];
  const byId = new Map(found.map((one) => [one.id, one]));
  const all = [...byId.values()];
  const kinds = Object.keys(groups) as (keyof typeof groups)[];
  return (
    <MultiSelect
      label="What it is about"
      description="Find it by amount, name or reference."
      data={kinds.flatMap((kind) => {
        const items = all
          .filter((one) => one.kind === kind)
          .map((one) => ({ value: one.id, label: optionText(one) }));
        return items.length === 0 ? [] : [{ group: groups[kind], items }];
      })}
      value={chosen.map(({ id }) => id)}
      onChange={(ids) => onChange(ids.flatMap((id) => byId.get(id) ?? []))}
      searchable
      // Already found by the server.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={partsTexts.noMatch}
      hidePickedOptions
      {...(max && { maxValues: max })}
    />
  );
}

function optionText({ amount, currency, name, reference, day, reasons }: MatchOption): string {
  const facts = [moneyText(amount, currency), name, reference, calendarDayText(day)];
  const why = reasons.length > 0 ? ` (${reasonsText(reasons)})` : "";
  return facts.filter((fact) => fact !== "").join(" · ") + why;
}
