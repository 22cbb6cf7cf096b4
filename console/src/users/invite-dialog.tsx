// Invites a person, and shows the link to pass on.

import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { MadeLink } from "@server/console/users/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { FormModal } from "../parts/form-modal.tsx";
import { Problem } from "../parts/problem.tsx";
import { LinkShown } from "./link-shown.tsx";
import { type RoleChoice, RoleFields, roleBody } from "./role-fields.tsx";

export function InviteDialog({
  opened,
  onClose,
  onInvited,
}: {
  opened: boolean;
  onClose: () => void;
  onInvited: () => void;
}) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Invite somebody">
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </FormModal>
  );
}

function InviteForm({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [choice, setChoice] = useState<RoleChoice>({ role: "operator", subaccountIds: [] });
  const invite = useMutation({
    mutationFn: () =>
      send<MadeLink>("POST", "/people/invite", {
        email: email.trim(),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...roleBody(choice),
      }),
    onSuccess: onInvited,
  });
  if (invite.data) return <LinkShown made={invite.data} who={name || email} onClose={onClose} />;
  const wrong = invite.error instanceof ApiProblem ? invite.error.byField() : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          type="email"
          required
          withAsterisk={false}
          value={email}
          error={wrong.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          label="Name"
          description="They can change it when they follow the link."
          value={name}
          error={wrong.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RoleFields value={choice} onChange={setChoice} wrong={wrong} />
        {Object.keys(wrong).length === 0 && <Problem error={invite.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={invite.isPending}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
