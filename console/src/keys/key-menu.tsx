// The actions for one API key.

import { ActionIcon, Menu } from "@mantine/core";
import type { IssuedSecret, KeyLine } from "@server/console/keys/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { Ban, Ellipsis, RefreshCw, SquareTerminal } from "../parts/icons.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { RotateSecretDialog } from "../parts/rotate-secret-dialog.tsx";
import { keysTexts } from "../texts/keys.ts";
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
  const [open, setOpen] = useState<"rotate" | "revoke">();
  const pageOf = usePageOf();
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const close = () => setOpen(undefined);
  const rotate = async (graceMs: number) => {
    const path = apiOf(`/keys/${line.key}/rotate`);
    const issued = await send<IssuedSecret>("POST", path, { grace_ms: graceMs });
    void client.invalidateQueries({ queryKey: [id, "keys"] });
    const waits =
      line.status === "awaiting_approval" ? undefined : keysTexts.theSecretWorksAfterAnotherUser;
    return keySecret(keysTexts.newSecretOf(line.name), issued, waits);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={keysTexts.actionsFor(line.name)}>
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
            {keysTexts.viewRequests}
          </Menu.Item>
          {mayWrite && line.status !== "revoked" && (
            <>
              <Menu.Item
                leftSection={<RefreshCw size={15} aria-hidden />}
                onClick={() => setOpen("rotate")}
              >
                {keysTexts.rotateSecret}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Ban size={15} aria-hidden />}
                onClick={() => setOpen("revoke")}
              >
                {keysTexts.revoke}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <RotateSecretDialog
        opened={open === "rotate"}
        title={keysTexts.rotateSecretOf(line.name)}
        description={keysTexts.theKeyStaysTheSameAny}
        onRotate={rotate}
        onSecret={onSecret}
        onClose={close}
      />
      <RevokeDialog opened={open === "revoke"} line={line} onClose={close} />
    </>
  );
}
