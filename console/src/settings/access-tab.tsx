// Allowed IP addresses, a new subaccount, and closing this one.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { Settings } from "@server/doors/console/settings/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { meQuery, useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { subaccountsKey } from "../api/subaccounts.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { settingsTexts } from "../texts/settings.ts";
import { NewSubaccount } from "./new-subaccount.tsx";

export function AccessTab({ settings }: { settings: Settings }) {
  const pageOf = usePageOf();
  const isAdmin = useMay("subaccounts.create");
  return (
    <Stack gap="md">
      <Panel title="Allowed IP addresses">
        <Text size="sm">
          Set allowed IP addresses for each API key, on{" "}
          <PageLink underline="always" to={pageOf("keys")}>
            API keys
          </PageLink>
          .
        </Text>
      </Panel>
      {isAdmin && <NewSubaccount />}
      {isAdmin && settings.closed_at === null && <Closing settings={settings} />}
    </Stack>
  );
}

function Closing({ settings: { profile } }: { settings: Settings }) {
  const [isAsking, setAsking] = useState(false);
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const name = profile.suba_name;
  const close = async () => {
    const after = await send<Settings>("POST", apiOf("/close"), { name });
    client.setQueryData([id, "settings"], after);
    await client.invalidateQueries({ queryKey: meQuery.queryKey });
    await client.invalidateQueries({ queryKey: [subaccountsKey] });
  };
  return (
    <Panel title={settingsTexts.closeSubaccount}>
      <Stack gap="sm">
        <Text size="sm">
          Its API keys stop working and nothing new can be created. Its data stays readable. This
          can't be undone.
        </Text>
        <Group>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            {settingsTexts.closeSubaccount}
          </Button>
        </Group>
      </Stack>
      <TypedConfirmation
        opened={isAsking}
        title={`Close “${name}”`}
        word={name}
        label={settingsTexts.closeSubaccount}
        onConfirm={close}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">API calls with its keys are rejected immediately.</Text>
      </TypedConfirmation>
    </Panel>
  );
}
