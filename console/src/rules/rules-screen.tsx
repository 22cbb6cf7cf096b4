// The rules in force, a change that waits for approval, what is always in force, and the versions before.

import { Button, Stack, Text } from "@mantine/core";
import type { RulesInForce } from "@server/console/rules/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useCurrentSubaccount, useMay } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Pencil } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { rulesTexts } from "../texts/rules.ts";
import { ruleColumns } from "./rule-columns.tsx";
import styles from "./rules.module.css";
import { Versions } from "./versions.tsx";
import { WaitingChange } from "./waiting-change.tsx";

/** Another user may decide meanwhile. */
const everyMs = 10_000;

const rulesKey = ["rules"];

export function RulesScreen() {
  const client = useQueryClient();
  const mayPropose = useMay("rules.propose");
  const list = useQuery({
    queryKey: rulesKey,
    queryFn: ({ signal }) => get<RulesInForce>("/rules", {}, signal),
    refetchInterval: everyMs,
  });
  const renew = () => client.invalidateQueries({ queryKey: rulesKey });
  const { data } = list;
  const propose = (
    <Button
      leftSection={<Pencil size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/rules/change" />}
    >
      {rulesTexts.proposeChange}
    </Button>
  );
  return (
    <Screen title={rulesTexts.rules} actions={mayPropose && propose}>
      {data?.waiting.map((version) => (
        <WaitingChange key={version.version} version={version} onDecided={renew} />
      ))}
      <section aria-label={rulesTexts.inForce}>
        <Stack gap="xs">
          <Text component="h2" fw={600} fz="sm" m={0}>
            {rulesTexts.inForce}
            {data?.active && (
              <Text span size="xs" c="dimmed" fw={400} ml="xs">
                {rulesTexts.versionOf(data.active.version)}
              </Text>
            )}
          </Text>
          <PageTable
            label={rulesTexts.inForce}
            columns={ruleColumns}
            page={onePageOf({ ...list, data: data && { rows: data.active?.rules ?? [] } })}
            rowKey={({ rule }) => rule.id}
            empty={<Empty title={rulesTexts.noRules} hint={rulesTexts.noRulesHint} />}
          />
        </Stack>
      </section>
      <AlwaysInForce />
      <Versions />
    </Screen>
  );
}

/** The thresholds of subaccounts and screening, which need no rule. */
function AlwaysInForce() {
  const subaccount = useCurrentSubaccount();
  const mayChange = useMay("limits.write");
  return (
    <Panel title={rulesTexts.alwaysInForce}>
      <ul className={styles.always}>
        <li>
          <span className={styles.sentence}>{rulesTexts.screeningHold}</span>
          <Text size="xs" c="dimmed">
            {rulesTexts.screeningHoldHint}
          </Text>
        </li>
        {rulesTexts.thresholds.map((sentence) => (
          <li key={sentence}>
            <span className={styles.sentence}>{sentence}</span>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" mt="sm">
        {rulesTexts.thresholdsHint}{" "}
        {subaccount && (
          <PageLink to={`/s/${subaccount.id}/settings?tab=limits`} underline="always">
            {mayChange ? rulesTexts.changeThresholds : rulesTexts.seeThresholds}
          </PageLink>
        )}
      </Text>
    </Panel>
  );
}
