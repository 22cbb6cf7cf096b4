// The columns of a file with their first values, and what each is read as.

import { Select, Table } from "@mantine/core";
import styles from "./import.module.css";
import { stackedTable } from "./rows-table.tsx";

const notRead = "-";

export function ColumnsTable({
  header,
  samples,
  choices,
  choiceAt,
  isBusy,
  onChoose,
}: {
  header: readonly string[];
  /** The first values of each column. */
  samples: readonly (readonly string[])[];
  choices: { value: string; label: string }[];
  /** What the column at this place is read as. Undefined: it is not read. */
  choiceAt: (place: number) => string | undefined;
  isBusy: boolean;
  onChoose: (place: number, choice: string | undefined) => void;
}) {
  const data = [{ value: notRead, label: "Not read" }, ...choices];
  return (
    <Table fz={13} className={stackedTable}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Column in the file</Table.Th>
          <Table.Th>First values</Table.Th>
          <Table.Th>Read as</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {header.map((name, place) => (
          // Two columns may have one name.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a column is known by
          <Table.Tr key={place}>
            <Table.Td fw={600} data-title="Column in the file">
              {name || `Column ${place + 1}`}
            </Table.Td>
            <Table.Td c="dimmed" data-title="First values" className={styles.samples ?? ""}>
              {samples[place]?.join(" · ") || "–"}
            </Table.Td>
            <Table.Td data-title="Read as">
              <Select
                aria-label={`Read ${name || `column ${place + 1}`} as`}
                size="xs"
                maw={240}
                data={data}
                value={choiceAt(place) ?? notRead}
                disabled={isBusy}
                searchable
                allowDeselect={false}
                onChange={(choice) =>
                  onChoose(place, choice === notRead ? undefined : (choice ?? undefined))
                }
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
