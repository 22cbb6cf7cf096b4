// Invites a user, and shows the link to pass on.

import { Text, TextInput } from "@mantine/core";
import type { MadeLink } from "@server/doors/console/users/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { usersTexts } from "../texts/users.ts";
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
    <FormDialog opened={opened} onClose={onClose} title={usersTexts.inviteUser}>
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </FormDialog>
  );
}

function InviteForm({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [choice, setChoice] = useState<RoleChoice>({ role: "operator", subaccountIds: [] });
  const invite = useMutation({
    mutationFn: () =>
      send<MadeLink>("POST", "/users/invite", {
        email: email.trim(),
        ...(name.trim() ? { name: name.trim() } : {}),
        ...roleBody(choice),
      }),
    onSuccess: onInvited,
  });
  if (invite.data) return <LinkShown made={invite.data} who={name || email} onClose={onClose} />;
  const wrong = invite.error instanceof ApiProblem ? invite.error.byField() : {};
  return (
    <DialogForm
      act={invite}
      label="Create invite link"
      fields={["email", "name", "role", "subaccount_id", "subaccount_ids"]}
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Email"
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
        description="The user can change it when they open the link."
        value={name}
        error={wrong.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RoleFields value={choice} onChange={setChoice} wrong={wrong} />
      <Text size="sm" c="dimmed">
        The link works once, for 24 hours. You and the user then count as one until another admin
        confirms the user: in live mode, neither can approve what the other made.
      </Text>
    </DialogForm>
  );
}
