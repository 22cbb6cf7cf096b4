// The actions for one webhook endpoint.

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type {
  EndpointLine,
  IssuedEndpoint,
} from "@server/doors/console/webhook-endpoints/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import {
  Ban,
  CirclePause,
  CirclePlay,
  Ellipsis,
  Pencil,
  RefreshCw,
  RotateCcw,
} from "../parts/icons.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { problemText } from "../parts/problem.tsx";
import { RotateSecretDialog } from "../parts/rotate-secret-dialog.tsx";
import { webhookSecret } from "./address-dialog.tsx";
import { DeleteEndpointDialog } from "./delete-endpoint-dialog.tsx";
import { EndpointDialog } from "./endpoint-dialog.tsx";

const done = {
  pause: "Paused. Its events wait until you enable it.",
  enable: "Enabled. Waiting events are sent.",
  fill: "Events of the last 30 days from before the endpoint are being sent.",
} as const;

export function EndpointMenu({
  endpoint,
  onSecret,
}: {
  endpoint: EndpointLine;
  onSecret: (secret: Secret) => void;
}) {
  const { id, url, status, is_postback } = endpoint;
  const [open, setOpen] = useState<"change" | "rotate" | "delete">();
  const subaccount = useSubaccount();
  const path = useApiOf()(`/webhook-endpoints/${id}`);
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: [subaccount.id, "events"] });
  const close = () => setOpen(undefined);
  const act = useMutation({
    mutationFn: (verb: keyof typeof done) => send("POST", `${path}/${verb}`),
    onSuccess: (_, verb) => {
      reload();
      notifications.show({ message: done[verb], color: "teal" });
    },
    onError: (error) => notifications.show({ message: problemText(error), color: "red" }),
  });
  const rotate = async (graceMs: number) => {
    const overlap = { overlap_s: graceMs / 1000 };
    const { secret = "" } = await send<IssuedEndpoint>("POST", `${path}/rotate`, overlap);
    reload();
    return webhookSecret(secret);
  };
  const isStopped = status === "paused" || status === "disabled";
  const stop = isStopped
    ? ({ verb: "enable", label: "Enable", Icon: CirclePlay } as const)
    : ({ verb: "pause", label: "Pause", Icon: CirclePause } as const);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${url}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<Pencil size={15} aria-hidden />}
            onClick={() => setOpen("change")}
          >
            Change…
          </Menu.Item>
          <Menu.Item
            leftSection={<RefreshCw size={15} aria-hidden />}
            onClick={() => setOpen("rotate")}
          >
            Rotate secret…
          </Menu.Item>
          <Menu.Item
            leftSection={<stop.Icon size={15} aria-hidden />}
            onClick={() => act.mutate(stop.verb)}
          >
            {stop.label}
          </Menu.Item>
          {!is_postback && (
            <Menu.Item
              leftSection={<RotateCcw size={15} aria-hidden />}
              onClick={() => act.mutate("fill")}
            >
              Send earlier events
            </Menu.Item>
          )}
          <Menu.Item
            color="red"
            leftSection={<Ban size={15} aria-hidden />}
            onClick={() => setOpen("delete")}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EndpointDialog
        opened={open === "change"}
        endpoint={endpoint}
        onSecret={onSecret}
        onClose={close}
      />
      <RotateSecretDialog
        opened={open === "rotate"}
        title="Rotate secret"
        description="Until then its events are signed with both secrets."
        onRotate={rotate}
        onSecret={onSecret}
        onClose={close}
      />
      <DeleteEndpointDialog opened={open === "delete"} endpoint={endpoint} onClose={close} />
    </>
  );
}
