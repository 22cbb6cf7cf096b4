// The actions for the webhook endpoint, and their dialogs.

import { ActionIcon, Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { NewWebhookSecret, Webhook } from "@server/doors/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { CirclePause, CirclePlay, Ellipsis, FlaskConical, RefreshCw } from "../parts/icons.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { problemText } from "../parts/problem.tsx";
import { RotateSecretDialog } from "../parts/rotate-secret-dialog.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";
import { AddressDialog, webhookSecret } from "./address-dialog.tsx";
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
      const message =
        verb === "pause" ? "Paused. Nothing is sent until you resume." : "Retrying pending events";
      notifications.show({ message, color: "teal" });
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  if (!useMay("webhooks.write") || is_closed) return null;
  const { url, status } = webhook;
  const isStopped = status === "paused" || status === "disabled";
  const close = () => setOpen(undefined);
  const rotate = async (graceMs: number) => {
    const overlap = { overlap_s: graceMs / 1000 };
    const { secret } = await send<NewWebhookSecret>("POST", apiOf("/webhook/rotate"), overlap);
    void client.invalidateQueries({ queryKey: [id, "events", "webhook"] });
    return webhookSecret(secret);
  };
  return (
    <>
      {url !== "" && (
        <Button
          variant="default"
          leftSection={<FlaskConical size={15} aria-hidden />}
          onClick={() => setOpen("test")}
        >
          {webhooksTexts.sendTestEvent}
        </Button>
      )}
      {isStopped && (
        <Button loading={act.isPending} onClick={() => act.mutate("resume")}>
          Resume
        </Button>
      )}
      <Button variant={url === "" ? "filled" : "default"} onClick={() => setOpen("address")}>
        {url === "" ? "Add endpoint" : "Change URL"}
      </Button>
      {url !== "" && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More actions for the endpoint">
              <Ellipsis size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<RefreshCw size={15} aria-hidden />}
              onClick={() => setOpen("rotate")}
            >
              Rotate secret…
            </Menu.Item>
            {!isStopped && (
              <>
                <Menu.Item
                  leftSection={<CirclePlay size={15} aria-hidden />}
                  onClick={() => act.mutate("resume")}
                >
                  Retry pending now
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
      <RotateSecretDialog
        opened={open === "rotate"}
        title="Rotate signing secret"
        description="Until then, events carry a signature of each secret, so you can switch without missing one."
        onRotate={rotate}
        onSecret={setSecret}
        onClose={close}
      />
      <TestDialog
        opened={open === "test"}
        types={webhook.known_types.map(({ type }) => type)}
        onClose={close}
      />
      <OneTimeSecret secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}
