// Who may call from where, a new subaccount, and the end of this one.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { Settings } from "@server/console/settings/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { meQuery, useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { subaccountsKey } from "../api/subaccounts.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { NewSubaccount } from "./new-subaccount.tsx";

export function AccessTab({ settings }: { settings: Settings }) {
  const pageOf = usePageOf();
  const isAdmin = useMay("subaccounts.create");
  return (
    <Stack gap="md">
      <Panel title="Addresses that may call">
        <Text size="sm">
          Each key has a list of its own: of addresses, and of ranges. See{" "}
          <PageLink underline="always" to={pageOf("keys")}>
            Keys
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
    <Panel title="Close this subaccount">
      <Stack gap="sm">
        <Text size="sm">
          Its keys are refused from then on, and nothing new is made for it. Its data stays and can
          be read. It can't be opened again.
        </Text>
        <Group>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            Close subaccount
          </Button>
        </Group>
      </Stack>
      <TypedConfirmation
        opened={isAsking}
        title={`Close “${name}”`}
        word={name}
        label="Close for good"
        onConfirm={close}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">Whoever calls for it is refused within a second.</Text>
      </TypedConfirmation>
    </Panel>
  );
}
