// The form of a mapping for CSV statements: the columns of the sample, and how the file writes days, amounts and currencies.

import { Alert, Group, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import type { CsvMappingPreview } from "@server/doors/console/csv-mapping/schema.ts";
import { useState } from "react";
import { ColumnsTable } from "../imports/columns-table.tsx";
import { usualCurrencies } from "../state/money.ts";
import {
  type ColumnUse,
  type CsvMapping,
  columnUseAt,
  columnUses,
  openUses,
  withUse,
} from "./csv-mapping-draft.ts";

const choices = Object.entries(columnUses).map(([value, label]) => ({ value, label }));

type Fields = {
  mapping: CsvMapping;
  preview: Pick<CsvMappingPreview, "columns" | "samples">;
  /** Of every line, where no column has it. */
  currency: string;
  isBusy: boolean;
  onChange: (mapping: CsvMapping) => void;
};

export function CsvMappingFields(props: Fields) {
  const { mapping, preview, currency, isBusy, onChange } = props;
  const { columns: header, samples } = preview;
  const missing = openUses(mapping);
  return (
    <Stack gap="md">
      {missing.length > 0 && (
        <Alert color="yellow" variant="light">
          {`Say which column has: ${missing.map((use) => columnUses[use].toLowerCase()).join(", ")}.`}
        </Alert>
      )}
      <ColumnsTable
        header={header}
        samples={samples}
        choices={choices}
        choiceAt={(place) => columnUseAt(mapping, header, place)}
        isBusy={isBusy}
        onChoose={(place, use) =>
          onChange(withUse(mapping, { header, place, currency }, use as ColumnUse | undefined))
        }
      />
      <Days {...props} />
      <Amounts {...props} />
      <Words {...props} />
    </Stack>
  );
}

function Days({ mapping, isBusy, onChange }: Fields) {
  const { date, value_date, order } = mapping;
  return (
    <Group gap="md" align="flex-start">
      <Format
        label="Days are written like"
        value={date.format}
        isBusy={isBusy}
        onChange={(format) => onChange({ ...mapping, date: { ...date, format } })}
      />
      {value_date && (
        <Format
          label="Value dates are written like"
          value={value_date.format}
          isBusy={isBusy}
          onChange={(format) => onChange({ ...mapping, value_date: { ...value_date, format } })}
        />
      )}
      <Select
        label="Order of the lines"
        data={[
          { value: "oldest_first", label: "Oldest first" },
          { value: "newest_first", label: "Newest first" },
        ]}
        value={order}
        disabled={isBusy}
        allowDeselect={false}
        onChange={(next) => next && onChange({ ...mapping, order: next })}
      />
    </Group>
  );
}

/** Read when the field is left: half a format is none. */
function Format({
  label,
  value,
  isBusy,
  onChange,
}: {
  label: string;
  value: string;
  isBusy: boolean;
  onChange: (format: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const leave = () => {
    if (typed !== undefined && typed !== value) onChange(typed);
    setTyped(undefined);
  };
  return (
    <TextInput
      label={label}
      placeholder="DD.MM.YYYY"
      value={typed ?? value}
      disabled={isBusy}
      maxLength={20}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}

const groups = [
  { value: "none", label: "No mark" },
  { value: ",", label: "Comma: 1,234" },
  { value: ".", label: "Point: 1.234" },
  { value: " ", label: "Space: 1 234" },
  { value: "'", label: "Apostrophe: 1'234" },
];

function Amounts({ mapping, currency, isBusy, onChange }: Fields) {
  const { amount, decimal, group, currency: given } = mapping;
  const isNegative =
    "debit" in amount
      ? amount.debits_negative === true
      : !("indicator" in amount) && amount.debits_positive !== true;
  const setNegative = (isBelowZero: boolean) => {
    if ("debit" in amount) {
      const { debits_negative: _, ...kept } = amount;
      onChange({ ...mapping, amount: { ...kept, ...(isBelowZero && { debits_negative: true }) } });
    } else if (!("indicator" in amount)) {
      const { debits_positive: _, ...kept } = amount;
      onChange({ ...mapping, amount: { ...kept, ...(!isBelowZero && { debits_positive: true }) } });
    }
  };
  return (
    <Group gap="md" align="flex-start">
      <Select
        label="Before decimals"
        data={[
          { value: ".", label: "Point: 12.50" },
          { value: ",", label: "Comma: 12,50" },
        ]}
        value={decimal}
        disabled={isBusy}
        allowDeselect={false}
        onChange={(mark) => {
          // The same mark can't stand for both.
          if (mark) onChange({ ...mapping, decimal: mark, group: group === mark ? "" : group });
        }}
      />
      <Select
        label="Between thousands"
        data={groups.filter(({ value }) => value !== decimal)}
        value={group === "" ? "none" : group}
        disabled={isBusy}
        allowDeselect={false}
        onChange={(mark) => mark && onChange({ ...mapping, group: mark === "none" ? "" : mark })}
      />
      {!("indicator" in amount) && (
        <Select
          label="Debits are"
          data={[
            { value: "negative", label: "Below zero" },
            { value: "positive", label: "Above zero" },
          ]}
          value={isNegative ? "negative" : "positive"}
          disabled={isBusy}
          allowDeselect={false}
          onChange={(sign) => setNegative(sign === "negative")}
        />
      )}
      {"fixed" in given && (
        <Select
          label="Currency of every line"
          searchable
          data={[...new Set([given.fixed, currency, ...usualCurrencies])]}
          value={given.fixed}
          disabled={isBusy}
          allowDeselect={false}
          onChange={(fixed) => fixed && onChange({ ...mapping, currency: { fixed } })}
        />
      )}
    </Group>
  );
}

function Words({ mapping, isBusy, onChange }: Fields) {
  const { amount, status } = mapping;
  return (
    <>
      {"indicator" in amount && (
        <>
          <TagsInput
            label="Words for a debit"
            value={amount.debit_words}
            disabled={isBusy}
            onChange={(debit_words) => onChange({ ...mapping, amount: { ...amount, debit_words } })}
          />
          <TagsInput
            label="Words for a credit"
            value={amount.credit_words}
            disabled={isBusy}
            onChange={(credit_words) =>
              onChange({ ...mapping, amount: { ...amount, credit_words } })
            }
          />
        </>
      )}
      {status && (
        <TagsInput
          label="Words of lines that are booked"
          description="Lines with another word are left out"
          value={status.booked_words}
          disabled={isBusy}
          onChange={(booked_words) => onChange({ ...mapping, status: { ...status, booked_words } })}
        />
      )}
    </>
  );
}
