// The actions an admin has for one user.

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ListedUser } from "@server/console/users/schema.ts";
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
import { usersTexts } from "../texts/users.ts";
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
      notifications.show({ message: usersTexts.confirmed(user.email), color: "teal" });
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
          <ActionIcon variant="subtle" color="gray" aria-label={usersTexts.actionsFor(user.name)}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<UserRoundCog size={15} aria-hidden />}
            onClick={() => setOpen("change")}
          >
            {usersTexts.changeRoleMenu}
          </Menu.Item>
          <Menu.Item
            leftSection={<Monitor size={15} aria-hidden />}
            onClick={() => setOpen("sessions")}
          >
            {usersTexts.sessionsMenu}
          </Menu.Item>
          <Menu.Item
            leftSection={<KeyRound size={15} aria-hidden />}
            onClick={() => setOpen("reset")}
          >
            {usersTexts.resetSignInMenu}
          </Menu.Item>
          {user.granted_by.length > 0 && (
            <Menu.Item
              leftSection={<UserRoundCheck size={15} aria-hidden />}
              onClick={() => confirm.mutate()}
            >
              {usersTexts.confirmMenu}
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
            {isDisabled ? usersTexts.reEnableMenu : usersTexts.disableMenu}
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
