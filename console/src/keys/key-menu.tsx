// The actions for one API key.

import { ActionIcon, Menu } from "@mantine/core";
import type { KeyLine } from "@server/doors/console/keys/schema.ts";
import type { IssuedSecret } from "@server/tenants/api-keys/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useApprover } from "../api/approver.ts";
import { send } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { Ban, Ellipsis, Pencil, RefreshCw, SquareTerminal } from "../parts/icons.tsx";
import { NameDialog } from "../parts/name-dialog.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { RotateSecretDialog } from "../parts/rotate-secret-dialog.tsx";
import { keySecret } from "./create-key-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";

export function KeyMenu({
  line,
  onSecret,
  mayWrite,
}: {
  line: KeyLine;
  onSecret: (secret: Secret) => void;
  mayWrite: boolean;
}) {
  const [open, setOpen] = useState<"rename" | "rotate" | "revoke">();
  const pageOf = usePageOf();
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const approver = useApprover("keys.approve");
  const client = useQueryClient();
  const close = () => setOpen(undefined);
  const rename = async (name: string) => {
    await send("POST", apiOf(`/keys/${line.key}/rename`), { name });
    await client.invalidateQueries({ queryKey: [id, "keys"] });
  };
  const rotate = async (graceMs: number) => {
    const path = apiOf(`/keys/${line.key}/rotate`);
    const issued = await send<IssuedSecret>("POST", path, { grace_ms: graceMs });
    void client.invalidateQueries({ queryKey: [id, "keys"] });
    const waits =
      line.status === "awaiting_approval"
        ? undefined
        : { works: "This secret works", until: "; until then the secret before it works" };
    return keySecret(`New secret of “${line.name}”`, issued, approver.within, waits);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${line.name}`}>
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
            View requests
          </Menu.Item>
          {mayWrite && line.status !== "revoked" && (
            <>
              <Menu.Item
                leftSection={<Pencil size={15} aria-hidden />}
                onClick={() => setOpen("rename")}
              >
                Rename…
              </Menu.Item>
              <Menu.Item
                leftSection={<RefreshCw size={15} aria-hidden />}
                onClick={() => setOpen("rotate")}
              >
                Rotate secret…
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Ban size={15} aria-hidden />}
                onClick={() => setOpen("revoke")}
              >
                Revoke…
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog opened={open === "rename"} name={line.name} onName={rename} onClose={close} />
      <RotateSecretDialog
        opened={open === "rotate"}
        title={`Rotate secret of “${line.name}”`}
        description="The key stays the same. Any earlier secret stops now."
        onRotate={rotate}
        onSecret={onSecret}
        onClose={close}
      />
      <RevokeDialog opened={open === "revoke"} line={line} onClose={close} />
    </>
  );
}
