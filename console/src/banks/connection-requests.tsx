// Changes of bank connections that wait for a second admin: each field before and after.

import { Button, Group, Table, Text } from "@mantine/core";
import type { ConnectionRequestLine } from "@server/doors/console/banks/schema.ts";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Panel } from "../parts/panel.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { When } from "../parts/when.tsx";
import { whoText } from "../state/who.ts";
import { banksTexts } from "../texts/banks.ts";
import styles from "./banks.module.css";

export function ConnectionRequests({
  requests,
  onDecided,
}: {
  requests: readonly ConnectionRequestLine[];
  onDecided: () => void;
}) {
  return (
    <Panel title="Awaiting a second admin">
      <div className={styles.requests}>
        {requests.map((request) => (
          <RequestCard key={request.id} request={request} onDecided={onDecided} />
        ))}
      </div>
    </Panel>
  );
}

function RequestCard({
  request,
  onDecided,
}: {
  request: ConnectionRequestLine;
  onDecided: () => void;
}) {
  const mayWrite = useMay("banks.write");
  const [isDeclining, setDeclining] = useState(false);
  const { id, kind, name, changes, made_by, made_at, is_own, why_not } = request;
  const title =
    kind === "add" ? `Add ${name}` : kind === "enable" ? `Enable ${name}` : `Change ${name}`;
  const decide = async (verb: string, body: object = {}) => {
    await send("POST", `/banks/requests/${id}/${verb}`, body);
    onDecided();
  };
  const declineWord = is_own ? "Withdraw" : "Decline";
  return (
    <article className={styles.request} aria-label={title}>
      <Group justify="space-between" gap="xs">
        <div>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            {banksTexts.by(whoText(made_by))}, <When ms={made_at} />
          </Text>
        </div>
        {mayWrite && (
          <Group gap="xs">
            {why_not && (
              <Text size="xs" c="dimmed">
                {why_not}
              </Text>
            )}
            <Button size="compact-sm" variant="default" onClick={() => setDeclining(true)}>
              {declineWord}
            </Button>
            {!why_not && (
              <Act
                label={banksTexts.approve}
                size="compact-sm"
                variant="filled"
                confirm={{
                  title,
                  text: "The connection is saved immediately.",
                  label: banksTexts.approve,
                }}
                onAct={() => decide("approve")}
                done="Approved"
              />
            )}
          </Group>
        )}
      </Group>
      <div className={styles.items}>
        <Table fz="xs" aria-label={title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              {kind !== "add" && <Table.Th>Before</Table.Th>}
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(({ field, before, after }) => (
              <Table.Tr key={field}>
                <Table.Td>{fieldText(field)}</Table.Td>
                {kind !== "add" && <Table.Td>{before}</Table.Td>}
                <Table.Td>{after}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <ReasonDialog
        opened={isDeclining}
        draft={`connection-${request.id}`}
        title={`${declineWord}: ${title}`}
        text="Nothing changes."
        noteLabel="Reason"
        label={declineWord}
        danger
        onReason={({ note }) => decide("decline", { reason: note })}
        onClose={() => setDeclining(false)}
      />
    </article>
  );
}

/** `bank_cutoff` is "Bank cutoff". */
function fieldText(field: string): string {
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
