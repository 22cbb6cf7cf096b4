// What a user may do with a bank file: approve its hash, download it, record the upload, or discard it.

import { Button, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { DiscardedBatch } from "@server/banking/files/schema.ts";
import type { BankBatchDetail } from "@server/doors/console/banks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send, sendForFile } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { moneyText } from "../state/money.ts";
import { saveFile } from "../state/save-file.ts";
import { banksTexts } from "../texts/banks.ts";
import { ApproveFile } from "./approve-file.tsx";
import { payoutsText } from "./payouts-text.ts";
import { QueuedPayouts } from "./queued-payouts.tsx";

type Parts = { batch: BankBatchDetail };

export function BatchActions({ batch }: Parts) {
  const mayRelease = useMay("banks.release");
  const { status, why_not, is_late } = batch;
  const isApproved = status === "approved" || status === "sending";
  const isOpen = status === "frozen" || isApproved;
  const isEnded = status === "discarded";
  return (
    <>
      {status === "frozen" && why_not === null && <Approve batch={batch} />}
      {mayRelease && status !== "frozen" && !isEnded && !is_late && <Download batch={batch} />}
      {mayRelease && isApproved && <Uploaded batch={batch} />}
      {mayRelease && isOpen && <Discard batch={batch} />}
    </>
  );
}

function useActOn({ id }: BankBatchDetail) {
  const client = useQueryClient();
  const path = `/banks/batches/${id}`;
  const renew = () => client.invalidateQueries({ queryKey: ["banks"] });
  return {
    path,
    renew,
    actOn: async <Answer,>(verb: string, body: object = {}): Promise<Answer> => {
      const answer = await send<Answer>("POST", `${path}/${verb}`, body);
      await renew();
      return answer;
    },
  };
}

function Approve({ batch }: Parts) {
  const [isOpen, setOpen] = useState(false);
  const { renew } = useActOn(batch);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Approve file</Button>
      <ApproveFile
        file={isOpen ? batch : undefined}
        onClose={() => setOpen(false)}
        onDone={() => void renew()}
      />
    </>
  );
}

function Download({ batch }: Parts) {
  const { path, renew } = useActOn(batch);
  const isAgain = batch.downloaded_at !== null;
  const download = async () => {
    const content = await sendForFile(`${path}/download`);
    saveFile(batch.file_name, content);
    await renew();
  };
  return (
    <Act
      label={isAgain ? "Download again" : "Download"}
      {...(isAgain ? {} : { variant: "filled" })}
      onAct={download}
      done="File downloaded"
    />
  );
}

function Uploaded({ batch }: Parts) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant={batch.downloaded_at === null ? "default" : "filled"}
        onClick={() => setOpen(true)}
      >
        I have uploaded it
      </Button>
      <FormDialog opened={isOpen} onClose={close} title="The bank has the file">
        <UploadedForm batch={batch} onClose={close} />
      </FormDialog>
    </>
  );
}

function UploadedForm({ batch, onClose }: Parts & { onClose: () => void }) {
  const { actOn } = useActOn(batch);
  const [reference, setReference] = useState("");
  const act = useMutation({
    mutationFn: () => actOn("sent", { bank_reference: reference.trim() }),
    onSuccess: () => {
      onClose();
      notifications.show({ message: "Recorded as sent", color: "teal" });
    },
  });
  const total = moneyText(batch.total, batch.currency);
  return (
    <DialogForm act={act} label="Record as sent" onSubmit={() => act.mutate()} onClose={onClose}>
      <Text size="sm">{`${payoutsText(batch.payouts)}, ${total}, are marked as sent to the bank. This can't be undone.`}</Text>
      <TextInput
        label={banksTexts.bankReference}
        description="The bank's reference of the upload, if it has one"
        value={reference}
        maxLength={100}
        onChange={(event) => setReference(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}

function Discard({ batch }: Parts) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setOpen(true)}>
        {banksTexts.discard}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title="Discard bank file">
        <DiscardForm batch={batch} onClose={close} />
      </FormDialog>
    </>
  );
}

function DiscardForm({ batch, onClose }: Parts & { onClose: () => void }) {
  const { actOn } = useActOn(batch);
  const [typed, setTyped] = useState("");
  const needsWords = batch.may_have_left;
  const act = useMutation({
    mutationFn: () => actOn<DiscardedBatch>("discard", needsWords ? { words: typed.trim() } : {}),
    onSuccess: ({ outcome }) => {
      onClose();
      const message =
        outcome === "waits"
          ? "Discard requested. A second user has to confirm it."
          : "File discarded";
      notifications.show({ message, color: "teal" });
    },
  });
  return (
    <DialogForm
      act={act}
      label={banksTexts.discard}
      danger
      isReady={!needsWords || typed.trim() === banksTexts.notAtBank}
      onSubmit={() => act.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        {`The file can't be used any more. Its ${payoutsText(batch.payouts)}, ${moneyText(batch.total, batch.currency)}, ${batch.payouts === 1 ? "is" : "are"} not cancelled: the next file pays ${batch.payouts === 1 ? "it" : "them"}. Cancel after the discard what must not be paid:`}
        <QueuedPayouts batch={batch} />
      </Text>
      {needsWords && (
        <>
          <Text size="sm" fw={500}>
            The file was downloaded or its bytes were read. If the bank has it, its payouts would be
            paid twice. Check at the bank first. Two users have to confirm that the bank does not
            have it.
          </Text>
          <TextInput
            label={`Type “${banksTexts.notAtBank}” to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        </>
      )}
    </DialogForm>
  );
}
