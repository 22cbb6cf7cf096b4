// What a user has to look at, with age, owner and note.

import { Button, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ExceptionLine } from "@server/doors/console/statements/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, type Query, send } from "../api/call.ts";
import { useMay, useMe } from "../api/me.ts";
import { type ListPage, onePageOf, type Rows, usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { exceptionText } from "./exception-text.ts";
import { itemPage } from "./item-page.ts";

const path = "/reconcile/exceptions";
const firstCount = 5;

/** Of one connection, or of all. */
export function ExceptionTable({ connectionId }: { connectionId?: string }) {
  const query = { connection_id: connectionId };
  const page = usePage<ExceptionLine>(["banks", "reconcile"], path, query);
  return <Exceptions page={page} hasBank={connectionId === undefined} />;
}

/** The oldest few. */
export function FirstExceptions() {
  const query: Query = { limit: firstCount };
  const list = useQuery({
    queryKey: ["banks", "reconcile", path, query],
    queryFn: ({ signal }) => get<Rows<ExceptionLine>>(path, query, signal),
  });
  return <Exceptions page={onePageOf(list)} hasBank />;
}

function Exceptions({ page, hasBank }: { page: ListPage<ExceptionLine>; hasBank: boolean }) {
  const mayNote = useMay("banks.release");
  return (
    <PageTable
      label={statementsTexts.exceptions}
      columns={columnsOf({ hasBank, mayNote })}
      page={page}
      rowKey={({ item }) => item}
      empty={
        <Empty
          title="No exceptions"
          hint="What is only expected is no exception until it is overdue."
        />
      }
    />
  );
}

function columnsOf({
  hasBank,
  mayNote,
}: {
  hasBank: boolean;
  mayNote: boolean;
}): Column<ExceptionLine>[] {
  const bank: Column<ExceptionLine> = {
    key: "bank",
    title: statementsTexts.bank,
    cell: ({ connection_name }) => connection_name,
  };
  const edit: Column<ExceptionLine> = {
    key: "edit",
    title: statementsTexts.editNote,
    align: "right",
    cell: (row) => <EditNote exception={row} />,
  };
  return [
    {
      key: "what",
      title: "What to look at",
      cell: (row) => <What exception={row} />,
    },
    ...(hasBank ? [bank] : []),
    {
      key: "owner",
      title: statementsTexts.owner,
      cell: ({ owner, note }) => (
        <Stack gap={0}>
          <span>{owner || "–"}</span>
          {note && (
            <Text span size="xs" c="dimmed">
              {note}
            </Text>
          )}
        </Stack>
      ),
    },
    ...(mayNote ? [edit] : []),
  ];
}

function What({ exception }: { exception: ExceptionLine }) {
  const { item, text } = exception;
  const to = itemPage(item);
  const label = exceptionText(exception);
  return (
    <Stack gap={0}>
      {to ? <PageLink to={to}>{label}</PageLink> : <span>{label}</span>}
      {text && (
        <Text span size="xs" c="dimmed">
          {text}
        </Text>
      )}
    </Stack>
  );
}

function EditNote({ exception }: { exception: ExceptionLine }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Edit owner and note of ${exceptionText(exception)}`}
        onClick={() => setOpen(true)}
      >
        {statementsTexts.editNote}
      </Button>
      <FormDialog opened={isOpen} onClose={close} title="Owner and note">
        <NoteForm exception={exception} onClose={close} />
      </FormDialog>
    </>
  );
}

function NoteForm({ exception, onClose }: { exception: ExceptionLine; onClose: () => void }) {
  const client = useQueryClient();
  const { email } = useMe();
  const [owner, setOwner] = useState(exception.owner || email);
  const [note, setNote] = useState(exception.note);
  const act = useMutation({
    mutationFn: () =>
      send("POST", "/reconcile/exceptions", {
        item: exception.item,
        owner: owner.trim(),
        note: note.trim().replaceAll(/\s+/g, " "),
      }),
    onSuccess: async () => {
      onClose();
      notifications.show({ message: "Owner and note saved", color: "teal" });
      await client.invalidateQueries({ queryKey: ["banks", "reconcile"] });
    },
  });
  return (
    <DialogForm act={act} label="Save" onSubmit={() => act.mutate()} onClose={onClose}>
      <TextInput
        label={statementsTexts.owner}
        description="A user's email or name"
        value={owner}
        maxLength={200}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <Textarea
        label="Note"
        value={note}
        maxLength={500}
        autosize
        minRows={2}
        onChange={(event) => setNote(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
