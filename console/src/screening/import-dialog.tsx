// Uploads the files of one version of a sanctions list.

import { FileInput, Select, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sendFiles } from "../api/call.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { listNames, listText, screeningTexts } from "../texts/screening.ts";
import { changesText, type ImportedVersion, useRenewLists } from "./lists.ts";

const bytesMax = 256 * 1024 * 1024;

/** What the publisher's download consists of. */
const filesOf: Record<string, string> = {
  "ofac-sdn": "sdn.csv, alt.csv and add.csv, together",
  "ofac-consolidated": "cons_prim.csv, cons_alt.csv and cons_add.csv, together",
  un: "the XML file",
  dfat: "the spreadsheet (.xlsx)",
  eu: "the XML file, version 1.1",
  uk: "the CSV or the XML file",
};

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={screeningTexts.importList}>
      <ImportForm onClose={onClose} />
    </FormDialog>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const renew = useRenewLists();
  const navigate = useNavigate();
  const [list, setList] = useState<string | null>(null);
  const [files, setFiles] = useState<File[]>([]);
  const act = useMutation({
    mutationFn: () => sendFiles<ImportedVersion>(`/screening/lists/${list}/versions`, files),
    onSuccess: async ({ outcome, version }) => {
      onClose();
      await renew();
      const messages = {
        active: `${listText(version.list)} is in force: ${changesText(version)}`,
        waiting: "Nothing has changed yet: a second user has to approve this version.",
        unchanged: "These files were imported before. Nothing has changed.",
      };
      const color = { active: "teal", waiting: "yellow", unchanged: "gray" }[outcome];
      notifications.show({ message: messages[outcome], color });
      await navigate({ to: `/screening/versions/${version.id}` as never });
    },
  });
  const isTooLarge = files.reduce((sum, { size }) => sum + size, 0) > bytesMax;
  return (
    <DialogForm
      act={act}
      label="Import"
      isReady={list !== null && files.length > 0 && !isTooLarge}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        Download the files from their publisher. The whole list is read first: a file that is broken
        anywhere changes nothing. A version with far fewer entries waits for a second user; any
        other one is in force at once.
      </Text>
      <Select
        label={screeningTexts.list}
        placeholder="Choose a list"
        data={listNames
          .filter((name) => name in filesOf)
          .map((value) => ({ value, label: listText(value) }))}
        value={list}
        onChange={setList}
        allowDeselect={false}
      />
      <FileInput
        label="Files"
        description={list ? `Choose ${filesOf[list]}.` : "Up to 256 MiB."}
        placeholder="Choose files"
        multiple
        value={files}
        error={isTooLarge && "The files are larger than 256 MiB."}
        onChange={setFiles}
      />
    </DialogForm>
  );
}
