// The rules in force, a change that waits for approval, what is always in force, and the versions before.

import { Button, Stack, Text } from "@mantine/core";
import type { RulesInForce } from "@server/doors/console/rules/schema.ts";
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

const thresholds = [
  "Ask for approval by a second user when a payout is above the threshold",
  "Ask for approval by a second user when a payout batch is above the threshold",
  "Ask for approval by a second user when the payouts to a receiver on one day are above the threshold",
  "Ask for approval by a second user when bank details changed and nothing has been paid to them since",
] as const;

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
      Propose a change
    </Button>
  );
  return (
    <Screen actions={mayPropose && propose}>
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
            empty={
              <Empty
                title="No rules yet"
                hint="Rules hold, refuse or ask for approval of payouts before money leaves. Two users change them: one proposes, another approves."
              />
            }
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
    <Panel title="Always in force">
      <ul className={styles.always}>
        <li>
          <span className={styles.sentence}>
            Hold when the receiver has an open or confirmed hit
          </span>
          <Text size="xs" c="dimmed">
            Can't be changed. A user decides in the review queue.
          </Text>
        </li>
        {thresholds.map((sentence) => (
          <li key={sentence}>
            <span className={styles.sentence}>{sentence}</span>
          </li>
        ))}
      </ul>
      <Text size="sm" c="dimmed" mt="sm">
        Each subaccount has its own thresholds.{" "}
        {subaccount && (
          <PageLink to={`/s/${subaccount.id}/settings?tab=limits`} underline="always">
            {mayChange ? "Change thresholds" : "See thresholds"}
          </PageLink>
        )}
      </Text>
    </Panel>
  );
}
