// What the columns of a bank's CSV statements mean: proposed from a sample with reasons, corrected by a user, and saved.

import { Alert, Button, FileInput, Group, List, Stack, Table, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type {
  CsvMappingOutcome,
  CsvMappingPreview,
  SavedCsvMapping,
} from "@server/doors/console/csv-mapping/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { Money } from "../parts/money.tsx";
import { Problem } from "../parts/problem.tsx";
import { base64Of } from "../state/base64.ts";
import { partsTexts } from "../texts/parts.ts";
import styles from "./banks.module.css";
import { type CsvMapping, openUses } from "./csv-mapping-draft.ts";
import { CsvMappingFields } from "./csv-mapping-fields.tsx";

const confidenceTexts = { proven: "proven", likely: "likely", unsure: "unsure" } as Record<
  string,
  string
>;

const bytesMax = 3 * 1024 * 1024;

export function CsvMappingDialog({
  opened,
  id,
  name,
  onClose,
}: {
  opened: boolean;
  id: string;
  name: string;
  onClose: () => void;
}) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`CSV statements of ${name}`} size="xl">
      {opened && <MappingForm id={id} onClose={onClose} />}
    </FormDialog>
  );
}

/** On the page of a connection. Only admins save a mapping. */
export function CsvMappingButton(connection: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay("banks.write")) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        CSV statements
      </Button>
      <CsvMappingDialog opened={isOpen} {...connection} onClose={() => setOpen(false)} />
    </>
  );
}

function MappingForm({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/banks/connections/${id}/csv-mapping`;
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState<CsvMapping>();
  const { data: saved } = useQuery({
    queryKey: ["bank-connection", id, "csv-mapping"],
    queryFn: ({ signal }) => get<SavedCsvMapping>(path, {}, signal),
    gcTime: 0,
  });
  const [read, setRead] = useState<CsvMappingPreview>();
  const preview = useMutation({
    mutationFn: async ({ sample, given }: { sample: File; given?: object }) =>
      send<CsvMappingPreview>("POST", `${path}/preview`, {
        content: base64Of(new Uint8Array(await sample.arrayBuffer())),
        ...(given && { mapping: given }),
      }),
    onSuccess: (tried) => {
      setRead(tried);
      setMapping(tried.mapping ?? undefined);
    },
  });
  const save = useMutation({
    mutationFn: async () => send<CsvMappingOutcome>("PUT", path, { mapping }),
    onSuccess: ({ request_id }) => {
      onClose();
      notifications.show(
        request_id === null
          ? { message: "Mapping saved", color: "teal" }
          : {
              message:
                "The mapping is not in force yet: another admin has to confirm it in Approvals.",
              color: "yellow",
            },
      );
    },
  });
  const isTooLarge = file !== null && file.size > bytesMax;
  const choose = (sample: File | null) => {
    setFile(sample);
    setRead(undefined);
    setMapping(undefined);
    preview.reset();
    if (sample && sample.size <= bytesMax) preview.mutate({ sample });
  };
  const change = (given: CsvMapping) => {
    setMapping(given);
    if (file && openUses(given).length === 0) preview.mutate({ sample: file, given });
  };
  const isWhole = mapping !== undefined && openUses(mapping).length === 0;
  return (
    <DialogForm
      act={save}
      label="Save mapping"
      isReady={isWhole && !preview.isPending && !preview.isError}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Upload a sample of the bank's CSV statements. What its columns mean is proposed, with
        reasons. Nothing is booked.
      </Text>
      {saved && (
        <Text size="sm" c="dimmed">
          {saved.mapping
            ? `A mapping is saved (version ${saved.version}). Saving replaces it.`
            : "No mapping is saved: CSV statements of this bank are refused."}
        </Text>
      )}
      <FileInput
        label="Sample"
        placeholder="Choose a CSV file"
        accept=".csv,.txt,text/csv"
        value={file}
        error={
          isTooLarge && "The file is larger than 3 MB. A sample with some hundred lines is enough."
        }
        onChange={choose}
        clearable
        clearButtonProps={{ "aria-label": partsTexts.clearFile }}
      />
      {read && !read.mapping && (
        <Alert
          color="yellow"
          title="No column can be the date or the amount. Choose another file."
        />
      )}
      {read && mapping && (
        <CsvMappingFields
          mapping={mapping}
          preview={read}
          currency={read.lines[0]?.currency ?? "AUD"}
          isBusy={preview.isPending}
          onChange={change}
        />
      )}
      <Problem error={preview.error} />
      {read && <Preview preview={read} />}
      {file && mapping && <Advanced mapping={mapping} onRead={change} />}
    </DialogForm>
  );
}

/** Where the proposal took the wrong separator or first row, no column of the form is right. */
function Advanced({
  mapping,
  onRead,
}: {
  mapping: CsvMapping;
  onRead: (mapping: CsvMapping) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<string>();
  const readAgain = useMutation({
    mutationFn: async (text: string) => readMapping(text),
    onSuccess: (given) => {
      setTyped(undefined);
      onRead(given);
    },
  });
  const text = typed ?? JSON.stringify(mapping, null, 2);
  return (
    <Stack gap="sm" align="stretch">
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          Advanced: the mapping as JSON
        </Button>
      </Group>
      {isOpen && (
        <>
          <Textarea
            label="Mapping"
            description="Also has the separator of columns, and the rows to skip before and after the lines."
            value={text}
            autosize
            minRows={6}
            maxRows={16}
            classNames={{ input: styles.hash ?? "" }}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Problem error={readAgain.error} />
          <Group>
            <Button variant="default" onClick={() => readAgain.mutate(text)}>
              Read sample again
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

function readMapping(text: string): CsvMapping {
  try {
    return JSON.parse(text) as CsvMapping;
  } catch {
    throw new ApiProblem(400, "The mapping is not valid JSON.", []);
  }
}

function Preview({ preview: { notes, lines, problems } }: { preview: CsvMappingPreview }) {
  return (
    <Stack gap="sm">
      {notes.length > 0 && (
        <section aria-label="Why">
          <List size="sm">
            {notes.map(({ field, confidence, reason }) => (
              <List.Item key={`${field} ${reason}`}>
                <strong>{field}</strong>: {reason} ({confidenceTexts[confidence]})
              </List.Item>
            ))}
          </List>
        </section>
      )}
      {problems.length > 0 && (
        <Alert color="yellow" title="Problems of the sample">
          <List size="sm">
            {problems.map(({ line, column, message }) => (
              <List.Item key={`${line} ${column} ${message}`}>
                {`Line ${line}: ${message}`}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {lines.length > 0 && <Lines lines={lines} />}
    </Stack>
  );
}

function Lines({ lines }: { lines: CsvMappingPreview["lines"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section className={styles.items} tabIndex={0} aria-label="First lines as read">
      <Table fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            <Table.Th scope="col" ta="right">
              Amount
            </Table.Th>
            <Table.Th scope="col">Text</Table.Th>
            <Table.Th scope="col">Reference</Table.Th>
            <Table.Th scope="col">Name</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((one) => (
            <Table.Tr key={one.line}>
              <Table.Td>{one.day}</Table.Td>
              <Table.Td ta="right">
                <Money amount={one.amount} currency={one.currency} />
              </Table.Td>
              <Table.Td>{one.text}</Table.Td>
              <Table.Td>{one.reference}</Table.Td>
              <Table.Td>{[one.party, one.party_account].filter(Boolean).join(" ")}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
