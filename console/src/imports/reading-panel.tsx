// How a file is read: which column is which field, and how it writes decimals. Found by the server, confirmed by the user.

import { Alert, Button, Group, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import type { FileReading } from "@server/doors/console/imports/schema.ts";
import { useId, useState } from "react";
import { Panel } from "../parts/panel.tsx";
import { usualCurrencies } from "../state/money.ts";
import { fieldLabel } from "../texts/imports.ts";
import { ColumnsTable } from "./columns-table.tsx";
import type { ToldReading } from "./use-import.ts";

export function ReadingPanel({
  reading,
  isBusy,
  onTell,
}: {
  reading: FileReading;
  isBusy: boolean;
  onTell: (told: ToldReading) => void;
}) {
  const { header, columns, missing, decimals, notes } = reading;
  const isOpenQuestion = missing.length > 0 || decimals.mark === "undecided";
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || isOpenQuestion;
  const read = Object.keys(columns).length;
  return (
    <Panel
      title={`Columns: ${read} of ${header.length} are read`}
      actions={
        !isOpenQuestion && (
          <Button
            size="compact-sm"
            variant="default"
            aria-expanded={isOpened}
            onClick={() => setOpened(!isOpened)}
          >
            {isOpened ? "Hide columns" : "Change columns"}
          </Button>
        )
      }
    >
      <Stack gap="md">
        {notes.map((note) => (
          <Alert key={note} color="yellow" variant="light">
            {note}
          </Alert>
        ))}
        {missing.length > 0 && (
          <Alert color="yellow" variant="light">
            {`Say which column has ${missing.map(whatOf).join(", ")}.`}
          </Alert>
        )}
        {"amount" in columns && <Decimals {...decimals} isBusy={isBusy} onTell={onTell} />}
        {isOpen && <Columns reading={reading} isBusy={isBusy} onTell={onTell} />}
      </Stack>
    </Panel>
  );
}

/** The first of the fields that name a receiver stands for all of them. */
const whatOf = (field: string) =>
  field === "receiver_id" ? "the receiver" : `the ${fieldLabel(field).toLowerCase()}`;

function Decimals({
  mark,
  is_told,
  example,
  isBusy,
  onTell,
}: FileReading["decimals"] & { isBusy: boolean; onTell: (told: ToldReading) => void }) {
  const id = useId();
  const why =
    mark === "undecided"
      ? `The file has ${example || "amounts"}, which can be read in two ways.`
      : is_told || example === ""
        ? ""
        : `Found by ${example}.`;
  return (
    <Group gap="sm">
      <Text size="sm" id={id}>
        Amounts are written like
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        size="xs"
        disabled={isBusy}
        data={[
          { value: ".", label: "1,234.56" },
          { value: ",", label: "1.234,56" },
        ]}
        value={mark}
        onChange={(decimal) => onTell({ decimal })}
      />
      <Text size="sm" c="dimmed">
        {why}
      </Text>
    </Group>
  );
}

function Columns({
  reading: { header, samples, fields, columns, fixed },
  isBusy,
  onTell,
}: {
  reading: FileReading;
  isBusy: boolean;
  onTell: (told: ToldReading) => void;
}) {
  const choose = (place: number, field: string | undefined) => {
    const others = Object.entries(columns).filter(([name, at]) => at !== place && name !== field);
    const chosen = field === undefined ? [] : [[field, place]];
    onTell({ columns: Object.fromEntries([...others, ...chosen]) });
  };
  const needsCurrency = fields.some(({ name }) => name === "currency") && !("currency" in columns);
  return (
    <>
      <ColumnsTable
        header={header}
        samples={samples}
        choices={fields.map(({ name }) => ({ value: name, label: fieldLabel(name) }))}
        choiceAt={(place) => Object.keys(columns).find((field) => columns[field] === place)}
        isBusy={isBusy}
        onChoose={choose}
      />
      {needsCurrency && (
        <Select
          label="Currency of every row"
          description="The file has no column for it"
          maw={240}
          searchable
          data={[...new Set([...(fixed.currency ? [fixed.currency] : []), ...usualCurrencies])]}
          value={fixed.currency ?? null}
          disabled={isBusy}
          onChange={(currency) => onTell({ columns, fixed: currency ? { currency } : {} })}
        />
      )}
    </>
  );
}
