// What a user may do with a bank connection: freeze its file now, change it, map its CSV statements,
// disable or enable it.

import { ActionIcon, Group, Menu, Modal, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FrozenBatches } from "@server/banking/files/schema.ts";
import type { ConnectionLine } from "@server/doors/console/banks/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { DialogForm } from "../parts/form-dialog.tsx";
import { Ellipsis } from "../parts/icons.tsx";
import { banksTexts } from "../texts/banks.ts";
import { ConnectionDialog } from "./connection-dialog.tsx";
import { CsvMappingDialog } from "./csv-mapping-dialog.tsx";
import { payoutsText } from "./payouts-text.ts";

type Parts = { connection: ConnectionLine; onChanged: () => void };

export function ConnectionActions({ connection, onChanged }: Parts) {
  const mayRelease = useMay("banks.release");
  const mayWrite = useMay("banks.write");
  const isUsable = connection.next !== null;
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {mayRelease && isUsable && <FreezeNow connection={connection} onChanged={onChanged} />}
      {mayWrite && <ConnectionMenu connection={connection} onChanged={onChanged} />}
    </Group>
  );
}

function FreezeNow({ connection, onChanged }: Parts) {
  const navigate = useNavigate();
  const { id, name, waiting, next } = connection;
  const freeze = async () => {
    const path = `/banks/connections/${id}/freeze`;
    const { batch_ids } = await send<FrozenBatches>("POST", path);
    onChanged();
    const [only] = batch_ids;
    const message = only
      ? batch_ids.length === 1
        ? "File frozen"
        : `${batch_ids.length} files frozen`
      : "No payouts wait for this file.";
    notifications.show({ message, color: only ? "teal" : "gray" });
    if (only && batch_ids.length === 1) {
      await navigate({ to: `/banks/batches/${only}` as never });
    }
  };
  return (
    <Act
      label="Freeze now"
      size="compact-sm"
      disabled={waiting === 0}
      confirm={{
        title: `Freeze the file of ${name}`,
        text: `${payoutsText(waiting)} for ${next?.process_date ?? ""} go into a bank file now. They can't be cancelled after that. Another user has to approve the file.`,
      }}
      onAct={freeze}
    />
  );
}

type Open = "change" | "csv" | "disable" | "enable";

function ConnectionMenu({ connection, onChanged }: Parts) {
  const [open, setOpen] = useState<Open>();
  const { id, name, disabled_at, next } = connection;
  const isDisabled = disabled_at !== null;
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {next !== null && <Menu.Item onClick={() => setOpen("change")}>Edit</Menu.Item>}
          {next !== null && <Menu.Item onClick={() => setOpen("csv")}>CSV statements</Menu.Item>}
          {isDisabled ? (
            <Menu.Item onClick={() => setOpen("enable")}>Enable</Menu.Item>
          ) : (
            <Menu.Item color="red" onClick={() => setOpen("disable")}>
              {banksTexts.disable}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConnectionDialog
        opened={open === "change"}
        id={id}
        title={`Change ${name}`}
        onClose={close}
        onRequested={onChanged}
      />
      <CsvMappingDialog opened={open === "csv"} id={id} name={name} onClose={close} />
      <Switch
        connection={connection}
        verb={isDisabled ? "enable" : "disable"}
        opened={open === "disable" || open === "enable"}
        onClose={close}
        onChanged={onChanged}
      />
    </>
  );
}

function Switch({
  connection: { id, name },
  verb,
  opened,
  onClose,
  onChanged,
}: Parts & { verb: "enable" | "disable"; opened: boolean; onClose: () => void }) {
  const isDisabling = verb === "disable";
  const act = useMutation({
    mutationFn: () => send("POST", `/banks/connections/${id}/${verb}`),
    onSuccess: () => {
      onChanged();
      onClose();
      const message = isDisabling ? "Connection disabled" : banksTexts.requested;
      notifications.show({ message, color: "teal" });
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isDisabling ? `Disable ${name}` : `Enable ${name}`}
    >
      <DialogForm
        act={act}
        label={isDisabling ? banksTexts.disable : banksTexts.request}
        danger={isDisabling}
        onSubmit={() => act.mutate()}
        onClose={onClose}
      >
        <Text size="sm">
          {isDisabling
            ? "It takes no new payouts. Files that are frozen can still be sent, and sent payouts are still settled. Enabling it again needs two admins."
            : "It takes new payouts again after another admin has approved it."}
        </Text>
      </DialogForm>
    </Modal>
  );
}
