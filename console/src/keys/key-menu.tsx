// What can be done with one key.

import { ActionIcon, Menu } from "@mantine/core";
import type { KeyLine } from "@server/console/keys/schema.ts";
import { Link } from "@tanstack/react-router";
import { Ban, Ellipsis, RefreshCw, SquareTerminal } from "lucide-react";
import { useState } from "react";
import { usePageOf } from "../api/me.ts";
import type { Secret } from "../parts/one-time-secret.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

export function KeyMenu({
  line,
  onSecret,
  mayWrite,
}: {
  line: KeyLine;
  onSecret: (secret: Secret) => void;
  mayWrite: boolean;
}) {
  const [open, setOpen] = useState<"rotate" | "revoke">();
  const pageOf = usePageOf();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for the key ${line.name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<SquareTerminal size={15} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to={pageOf("requests") as never}
                search={{ key: line.key } as never}
              />
            )}
          >
            Requests with this key
          </Menu.Item>
          {mayWrite && line.status !== "revoked" && (
            <>
              <Menu.Item
                leftSection={<RefreshCw size={15} aria-hidden />}
                onClick={() => setOpen("rotate")}
              >
                Rotate the secret
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Ban size={15} aria-hidden />}
                onClick={() => setOpen("revoke")}
              >
                Revoke
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <RotateKeyDialog opened={open === "rotate"} line={line} onSecret={onSecret} onClose={close} />
      <RevokeDialog opened={open === "revoke"} line={line} onClose={close} />
    </>
  );
}
