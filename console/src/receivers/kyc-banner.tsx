// How the identity check stands, in a sentence, and what it waits for.

import { Button, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMay, useSubaccount } from "../api/me.ts";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useNow } from "../state/now.ts";
import { spanText } from "../state/time.ts";
import type { ReceiverDetail } from "./receiver.ts";

export function KycBanner({ receiver, hint }: { receiver: ReceiverDetail; hint: string }) {
  const { id } = useSubaccount();
  const mayReview = useMay("receivers.review");
  const { kyc, kyc_status, json } = receiver;
  const isWaiting = kyc.waits_for === "person";
  return (
    <Paper p="sm" component="section" aria-label="Identity check">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text size="sm" fw={600}>
            Identity check
          </Text>
          <Status of="kyc" value={isWaiting ? "review" : kyc_status} hint={hint} />
          <Text size="sm" component="span">
            <Standing receiver={receiver} />
          </Text>
        </Group>
        {mayReview && (
          <Button
            size="compact-sm"
            variant={isWaiting ? "filled" : "default"}
            renderRoot={(props) => (
              <Link {...props} to="/reviews" search={{ case: `${id}.${json.id}` } as never} />
            )}
          >
            {isWaiting ? "Review" : "Open the case"}
          </Button>
        )}
      </Group>
    </Paper>
  );
}

function Standing({ receiver }: { receiver: ReceiverDetail }) {
  const { kyc, kyc_status, reports, history } = receiver;
  const nowMs = useNow();
  if (kyc.waits_for === "person") {
    return `Has waited ${spanText(Math.max(0, nowMs - kyc.since))} for a person`;
  }
  if (kyc.waits_for === "check") return `Under way at ${kyc.provider}`;
  const ended = history.find(({ to, from }) => to.kyc_status !== from?.kyc_status);
  const said = kyc_status === "failed" ? reports[0]?.comment : undefined;
  return (
    <>
      {kyc_status === "completed" ? "Passed" : "Did not pass"}
      {ended && (
        <>
          {" "}
          <When ms={ended.at} />, by {ended.who}
        </>
      )}
      {said ? `: ${said}` : ""}
    </>
  );
}
