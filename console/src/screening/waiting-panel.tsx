// A version of a list that waits for a second user: why, what it changes, and the decision.

import { Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { whoText } from "../state/who.ts";
import { listText, screeningTexts } from "../texts/screening.ts";
import { changesText, type WaitingVersion, whyItWaits } from "./lists.ts";

export function WaitingPanel({
  version,
  more,
  onDecided,
}: {
  version: WaitingVersion;
  more?: ReactNode;
  onDecided: () => Promise<void>;
}) {
  const mayDecide = useMay("receivers.review");
  const { id, list, made_by, made_at, entries, why_not } = version;
  const decide = (verb: string) => async () => {
    await send("POST", `/screening/versions/${id}/${verb}`);
    await onDecided();
  };
  const isSecond = !version.needs_two || version.first_approved_by !== "";
  return (
    <Panel
      title={`${listText(list)}: a version waits for approval`}
      actions={
        mayDecide && (
          <>
            <Act
              label={screeningTexts.decline}
              size="compact-sm"
              confirm={{
                title: `Decline this version of ${listText(list)}?`,
                text: "The version in force stays. The entries of this one are not kept.",
                label: screeningTexts.decline,
              }}
              danger
              onAct={decide("decline")}
              done="Version declined"
            />
            {why_not === null && (
              <Act
                label={screeningTexts.approve}
                size="compact-sm"
                variant="filled"
                confirm={{
                  title: `Approve this version of ${listText(list)}?`,
                  text: `${changesText(version)}. ${
                    isSecond
                      ? "It is in force at once, and receivers are screened against it."
                      : "Another user has to approve it too."
                  }`,
                  label: screeningTexts.approve,
                }}
                onAct={decide("approve")}
                done={isSecond ? "The version is in force" : "Approved. It waits for another user"}
              />
            )}
          </>
        )
      }
    >
      <Stack gap="xs">
        <Text size="sm">{whyItWaits(version)}</Text>
        <Group gap="xs">
          <Text size="sm" component="span">
            {`${countText(entries)} entries: ${changesText(version)}.`}
          </Text>
          {more}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {`Imported by ${whoText(made_by)}`}, <When ms={made_at} />
          {mayDecide && why_not && `. ${why_not}`}
        </Text>
      </Stack>
    </Panel>
  );
}
