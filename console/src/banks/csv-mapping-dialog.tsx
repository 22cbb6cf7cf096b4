// What the columns of a bank's CSV statements mean: proposed from a sample with reasons, corrected by a user, and saved.

import { Alert, Button, FileInput, List, Stack, Table, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type {
  CsvMappingOutcome,
  CsvMappingPreview,
  SavedCsvMapping,
} from "@server/console/csv-mapping/schema.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { Money } from "../parts/money.tsx";
import { Problem } from "../parts/problem.tsx";
import { base64Of } from "../state/base64.ts";
import { banksTexts } from "../texts/banks.ts";
import { partsTexts } from "../texts/parts.ts";
import styles from "./banks.module.css";

const texts = banksTexts.csv;
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
    <FormDialog opened={opened} onClose={onClose} title={texts.titleOf(name)} size="xl">
      {opened && <MappingForm id={id} onClose={onClose} />}
    </FormDialog>
  );
}

function MappingForm({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/banks/connections/${id}/csv-mapping`;
  const [file, setFile] = useState<File | null>(null);
  const [mapping, setMapping] = useState("");
  const { data: saved } = useQuery({
    queryKey: ["bank-connection", id, "csv-mapping"],
    queryFn: ({ signal }) => get<SavedCsvMapping>(path, {}, signal),
    gcTime: 0,
  });
  const preview = useMutation({
    mutationFn: async ({ sample, given }: { sample: File; given?: object }) =>
      send<CsvMappingPreview>("POST", `${path}/preview`, {
        content: base64Of(new Uint8Array(await sample.arrayBuffer())),
        ...(given && { mapping: given }),
      }),
    onSuccess: ({ mapping: read }) => read && setMapping(JSON.stringify(read, null, 2)),
  });
  const save = useMutation({
    mutationFn: async () => send<CsvMappingOutcome>("PUT", path, { mapping: readMapping(mapping) }),
    onSuccess: ({ request_id }) => {
      onClose();
      notifications.show(
        request_id === null
          ? { message: texts.done, color: "teal" }
          : { message: texts.waits, color: "yellow" },
      );
    },
  });
  const isTooLarge = file !== null && file.size > bytesMax;
  const choose = (sample: File | null) => {
    setFile(sample);
    if (sample && sample.size <= bytesMax) preview.mutate({ sample });
  };
  const readAgain = useMutation({
    mutationFn: async (sample: File) =>
      preview.mutateAsync({ sample, given: readMapping(mapping) }),
  });
  return (
    <DialogForm
      act={save}
      label={texts.save}
      isReady={mapping.trim() !== ""}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{texts.hint}</Text>
      {saved && (
        <Text size="sm" c="dimmed">
          {saved.mapping ? texts.saved(saved.version) : texts.none}
        </Text>
      )}
      <FileInput
        label={texts.sample}
        placeholder={texts.choose}
        accept=".csv,.txt,text/csv"
        value={file}
        error={isTooLarge && texts.tooLarge}
        onChange={choose}
        clearable
        clearButtonProps={{ "aria-label": partsTexts.clearFile }}
      />
      <Problem error={readAgain.error ?? preview.error} />
      {preview.data && <Preview preview={preview.data} />}
      {mapping !== "" && (
        <Textarea
          label={texts.mapping}
          description={texts.mappingHint}
          value={mapping}
          autosize
          minRows={6}
          maxRows={16}
          classNames={{ input: styles.hash ?? "" }}
          onChange={(event) => setMapping(event.currentTarget.value)}
        />
      )}
      {file && mapping !== "" && (
        <Button
          variant="default"
          loading={readAgain.isPending}
          onClick={() => readAgain.mutate(file)}
        >
          {texts.readAgain}
        </Button>
      )}
    </DialogForm>
  );
}

function readMapping(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new ApiProblem(400, texts.notJson, []);
  }
}

function Preview({ preview: { mapping, notes, lines, problems } }: { preview: CsvMappingPreview }) {
  return (
    <Stack gap="sm">
      {!mapping && <Alert color="yellow" title={texts.noGuess} />}
      {notes.length > 0 && (
        <section aria-label={texts.notes}>
          <List size="sm">
            {notes.map(({ field, confidence, reason }) => (
              <List.Item key={`${field} ${reason}`}>
                <strong>{field}</strong>: {reason} ({texts.confidence[confidence]})
              </List.Item>
            ))}
          </List>
        </section>
      )}
      {problems.length > 0 && (
        <Alert color="yellow" title={texts.problems}>
          <List size="sm">
            {problems.map(({ line, column, message }) => (
              <List.Item key={`${line} ${column} ${message}`}>
                {texts.line(line, message)}
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
    <section className={styles.items} tabIndex={0} aria-label={texts.lines}>
      <Table fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{texts.day}</Table.Th>
            <Table.Th scope="col" ta="right">
              {texts.amount}
            </Table.Th>
            <Table.Th scope="col">{texts.text}</Table.Th>
            <Table.Th scope="col">{texts.reference}</Table.Th>
            <Table.Th scope="col">{texts.party}</Table.Th>
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
