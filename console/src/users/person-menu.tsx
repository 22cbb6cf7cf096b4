// What an admin can do about one person.

import { ActionIcon, Menu } from "@mantine/core";
import type { PersonRow } from "@server/console/users/schema.ts";
import {
  Ellipsis,
  KeyRound,
  Monitor,
  UserRoundCheck,
  UserRoundCog,
  UserRoundX,
} from "lucide-react";
import { useState } from "react";
import { ChangeDialog } from "./change-dialog.tsx";
import { DisableDialog } from "./disable-dialog.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { SessionsDialog } from "./sessions-dialog.tsx";

type Open = "change" | "reset" | "disable" | "sessions";

export function PersonMenu({ person, onChanged }: { person: PersonRow; onChanged: () => void }) {
  const [open, setOpen] = useState<Open>();
  const dialog = (which: Open) => ({
    ...{ person, opened: open === which },
    ...{ onChanged, onClose: () => setOpen(undefined) },
  });
  const isDisabled = person.status === "disabled";
  // One's own account has a page, and others decide about one's role.
  if (person.is_you) return null;
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Do something about ${person.name}`}
          >
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<UserRoundCog size={15} aria-hidden />}
            onClick={() => setOpen("change")}
          >
            Change the role…
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
            Reset the log-in…
          </Menu.Item>
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
            {isDisabled ? "Let in again…" : "Disable…"}
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
