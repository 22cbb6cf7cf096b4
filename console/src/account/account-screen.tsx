// The user's own account: profile, password, passkeys and sessions.

import { Stack } from "@mantine/core";
import { useMe } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { accountTexts } from "../texts/account.ts";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Sessions } from "./sessions.tsx";

export function AccountScreen() {
  const { name, email, role } = useMe();
  return (
    <Screen>
      <Stack maw={860}>
        <Panel title="Profile">
          <Facts
            items={[
              { label: accountTexts.name, value: name },
              { label: "Email", value: email },
              { label: "Role", value: role.charAt(0).toUpperCase() + role.slice(1) },
            ]}
          />
        </Panel>
        <Password />
        <Passkeys />
        <Sessions />
      </Stack>
    </Screen>
  );
}
