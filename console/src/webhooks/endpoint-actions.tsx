// What a person may do with the endpoint, and the dialogs for it.

import { ActionIcon, Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Webhook } from "@server/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CirclePause, CirclePlay, Ellipsis, FlaskConical, RefreshCw } from "lucide-react";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { problemText } from "../parts/problem.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { TestDialog } from "./test-dialog.tsx";

export function EndpointActions({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<"address" | "rotate" | "test">();
  const [secret, setSecret] = useState<Secret>();
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const act = useMutation({
    mutationFn: (verb: "pause" | "resume") => send<Webhook>("POST", apiOf(`/webhook/${verb}`)),
    onSuccess: (after, verb) => {
      client.setQueryData([id, "events", "webhook"], after);
      const message = verb === "pause" ? "Nothing is sent until it is resumed" : "Tried at once";
      notifications.show({ message, color: "teal" });
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  if (!useMay("webhooks.write") || is_closed) return null;
  const { url, status } = webhook;
  const isStopped = status === "paused" || status === "disabled";
  const close = () => setOpen(undefined);
  return (
    <>
      {url !== "" && (
        <Button
          variant="default"
          leftSection={<FlaskConical size={15} aria-hidden />}
          onClick={() => setOpen("test")}
        >
          Send test event
        </Button>
      )}
      {isStopped && (
        <Button loading={act.isPending} onClick={() => act.mutate("resume")}>
          Resume
        </Button>
      )}
      <Button variant={url === "" ? "filled" : "default"} onClick={() => setOpen("address")}>
        {url === "" ? "Set an address" : "Change address"}
      </Button>
      {url !== "" && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More for the endpoint">
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<RefreshCw size={15} aria-hidden />}
              onClick={() => setOpen("rotate")}
            >
              Rotate the secret
            </Menu.Item>
            {!isStopped && (
              <>
                <Menu.Item
                  leftSection={<CirclePlay size={15} aria-hidden />}
                  onClick={() => act.mutate("resume")}
                >
                  Try what waits at once
                </Menu.Item>
                <Menu.Item
                  leftSection={<CirclePause size={15} aria-hidden />}
                  onClick={() => act.mutate("pause")}
                >
                  Pause
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <AddressDialog opened={open === "address"} url={url} onSecret={setSecret} onClose={close} />
      <RotateDialog opened={open === "rotate"} onSecret={setSecret} onClose={close} />
      <TestDialog
        opened={open === "test"}
        types={webhook.known_types.map(({ type }) => type)}
        onClose={close}
      />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}
