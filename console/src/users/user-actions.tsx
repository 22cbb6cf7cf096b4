// The actions an admin has for one user.

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ListedUser } from "@server/doors/console/users/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import {
  Ellipsis,
  KeyRound,
  Monitor,
  UserRoundCheck,
  UserRoundCog,
  UserRoundX,
} from "../parts/icons.tsx";
import { ChangeDialog } from "./change-dialog.tsx";
import { DisableDialog } from "./disable-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { SessionsDialog } from "./sessions-dialog.tsx";

type Open = "change" | "reset" | "disable" | "sessions";

export function UserActions({ user, onChanged }: { user: ListedUser; onChanged: () => void }) {
  const [open, setOpen] = useState<Open>();
  const dialog = (which: Open) => ({
    user,
    opened: open === which,
    onChanged,
    onClose: () => setOpen(undefined),
  });
  const confirm = useMutation({
    mutationFn: () => send("POST", `/users/${user.id}/confirm`),
    onSuccess: () => {
      notifications.show({ message: `${user.email} is confirmed`, color: "teal" });
      onChanged();
    },
    onError: (error) => notifications.show({ message: error.message, color: "red" }),
  });
  const isDisabled = user.status === "disabled";
  // Users have a page for their own account, and can't change their own role.
  if (user.is_you) return null;
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${user.name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<UserRoundCog size={15} aria-hidden />}
            onClick={() => setOpen("change")}
          >
            Change role…
          </Menu.Item>
          <Menu.Item
            leftSection={<Monitor size={15} aria-hidden />}
            onClick={() => setOpen("sessions")}
          >
            Sessions…
          </Menu.Item>
          <Menu.Item
            leftSection={<KeyRound size={15} aria-hidden />}
            onClick={() => setOpen("reset")}
          >
            Reset sign-in…
          </Menu.Item>
          {user.granted_by.length > 0 && user.link_expires_at === null && (
            <Menu.Item
              leftSection={<UserRoundCheck size={15} aria-hidden />}
              onClick={() => confirm.mutate()}
            >
              Confirm user
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            {...(isDisabled ? {} : { color: "red" })}
            leftSection={
              isDisabled ? (
                <UserRoundCheck size={15} aria-hidden />
              ) : (
                <UserRoundX size={15} aria-hidden />
              )
            }
            onClick={() => setOpen("disable")}
          >
            {isDisabled ? "Re-enable…" : "Disable…"}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangeDialog {...dialog("change")} />
      <ResetDialog {...dialog("reset")} />
      <DisableDialog {...dialog("disable")} />
      <SessionsDialog {...dialog("sessions")} />
    </>
  );
}
