// The user's passkeys: list, add, remove.

import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, send } from "../api/call.ts";
import { addPasskey, canUsePasskeys, isGivenUp } from "../api/passkey.ts";
import { Act } from "../parts/act.tsx";
import { DialogForm } from "../parts/form-dialog.tsx";
import { KeyRound, Plus } from "../parts/icons.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { When } from "../parts/when.tsx";
import { accountTexts } from "../texts/account.ts";
import styles from "./account.module.css";

type Passkey = { id: string; name: string; created_at: number };

export function Passkeys() {
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) =>
      get<{ rows: Passkey[] }>("/auth/passkey/list-user-passkeys", {}, signal),
  });
  const renew = () => client.invalidateQueries({ queryKey: ["passkeys"] });
  const addButton = canUsePasskeys() && (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Plus size={14} aria-hidden />}
      onClick={() => setAdding(true)}
    >
      {accountTexts.addPasskey}
    </Button>
  );
  return (
    <Panel title="Passkeys" flush actions={addButton}>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && (
        <Text size="sm" c="dimmed" className={styles.none as string}>
          No passkeys yet. A passkey signs you in with your fingerprint, face or device PIN, and
          can't be phished.
        </Text>
      )}
      <ul className={styles.list}>
        {data?.rows.map(({ id, name, created_at }) => (
          <li key={id} className={styles.line}>
            <Group gap="sm" wrap="nowrap" miw={0}>
              <KeyRound size={18} strokeWidth={1.7} className={styles.icon as string} aria-hidden />
              <Stack gap={0} miw={0}>
                <Text size="sm" fw={500} truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  Added <When ms={created_at} />
                </Text>
              </Stack>
            </Group>
            <Act
              label="Remove"
              size="compact-sm"
              danger
              confirm={{
                title: `Remove ${name}?`,
                text: "You can no longer sign in with it.",
              }}
              done="Passkey removed"
              onAct={async () => {
                await send("POST", "/auth/passkey/delete-passkey", { id });
                await renew();
              }}
            />
          </li>
        ))}
      </ul>
      <Modal
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={accountTexts.addPasskey}
        size="sm"
      >
        <AddPasskey
          onAdded={() => {
            setAdding(false);
            void renew();
          }}
        />
      </Modal>
    </Panel>
  );
}

function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const [name, setName] = useState("");
  const add = useMutation({ mutationFn: () => addPasskey(name.trim()), onSuccess: onAdded });
  return (
    <DialogForm
      act={{ error: isGivenUp(add.error) ? null : add.error, isPending: add.isPending }}
      label="Continue"
      onSubmit={() => add.mutate()}
    >
      <TextInput
        label={accountTexts.name}
        description="To recognise it, for example “Work laptop”."
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
