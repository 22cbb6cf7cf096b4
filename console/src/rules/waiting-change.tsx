// A proposed version of the rules that waits for another user: what it changes, its backtest, and the decision.

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import type { RuleVersion } from "@server/doors/console/rules/schema.ts";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Panel } from "../parts/panel.tsx";
import { ReasonDialog } from "../parts/reason-dialog.tsx";
import { When } from "../parts/when.tsx";
import { whoText } from "../state/who.ts";
import { rulesTexts } from "../texts/rules.ts";
import { BacktestPanel } from "./backtest-panel.tsx";
import { RuleChanges } from "./rule-changes.tsx";

export function WaitingChange({
  version: proposed,
  onDecided,
}: {
  version: RuleVersion;
  onDecided: () => void;
}) {
  const mayApprove = useMay("rules.approve");
  const [isDeclining, setDeclining] = useState(false);
  const { version, note, made_by, made_at, is_own, is_outdated, why_not, changes, rules } =
    proposed;
  const title = `Waits for approval: ${rulesTexts.versionOf(version).toLowerCase()}`;
  const decide = async (verb: string, body: object = {}) => {
    await send("POST", `/rules/versions/${version}/${verb}`, body);
    onDecided();
  };
  const declineWord = is_own ? "Withdraw" : "Decline";
  return (
    <>
      <Panel
        title={title}
        actions={
          (mayApprove || is_own) && (
            <>
              <Button size="compact-sm" variant="default" onClick={() => setDeclining(true)}>
                {declineWord}
              </Button>
              {!why_not && !is_outdated && (
                <Act
                  label={rulesTexts.approve}
                  size="compact-sm"
                  variant="filled"
                  confirm={{
                    title: `Switch on version ${version}?`,
                    text: "From now on these rules decide on new payouts. Existing payouts stay as they are.",
                    label: rulesTexts.approve,
                  }}
                  onAct={() => decide("approve")}
                  done="The rules are in force"
                />
              )}
            </>
          )
        }
      >
        <Stack gap="sm">
          <Group gap="xs">
            <Text size="sm" component="div">
              {`Proposed by ${whoText(made_by)}`}, <When ms={made_at} />
            </Text>
            {mayApprove && why_not && (
              <Text size="xs" c="dimmed">
                {why_not}
              </Text>
            )}
          </Group>
          {note && <Text size="sm">{note}</Text>}
          {is_outdated && (
            <Alert color="yellow" variant="light">
              The rules in force have changed since it was proposed. Propose the change again.
            </Alert>
          )}
          <RuleChanges changes={changes} />
        </Stack>
        <ReasonDialog
          opened={isDeclining}
          draft={`rules-${version}`}
          title={`${declineWord}: ${rulesTexts.versionOf(version).toLowerCase()}`}
          text="The rules in force stay as they are."
          noteLabel="Reason"
          label={declineWord}
          danger
          onReason={({ note: reason }) => decide("decline", { reason })}
          onClose={() => setDeclining(false)}
        />
      </Panel>
      <BacktestPanel rules={rules.map(({ rule }) => rule)} />
    </>
  );
}
