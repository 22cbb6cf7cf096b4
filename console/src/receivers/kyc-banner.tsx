// The status of the identity check in a sentence.

import { Button, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMay, useSubaccount } from "../api/me.ts";
import { Sentence } from "../parts/sentence.tsx";
import { SimulateOutcome } from "../parts/simulate-outcome.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useNow } from "../state/now.ts";
import { spanText } from "../state/time.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { PersonLink } from "./person-link.tsx";
import type { ReceiverDetail } from "./receiver.ts";

export function KycBanner({ receiver, hint }: { receiver: ReceiverDetail; hint: string }) {
  const { id, is_closed } = useSubaccount();
  const mayReview = useMay("receivers.review");
  const { kyc, kyc_status, json } = receiver;
  const isWaiting = kyc.waits_for === "user";
  return (
    <Paper p="sm" component="section" aria-label={receiversTexts.identityCheck}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text size="sm" fw={600}>
            {receiversTexts.identityCheck}
          </Text>
          <Status of="kyc" value={isWaiting ? "review" : kyc_status} hint={hint} />
          <Text size="sm" component="span">
            <Standing receiver={receiver} />
          </Text>
        </Group>
        <Group gap="xs">
          {!is_closed && (
            <PersonLink
              subaccountId={id}
              receiverId={json.id}
              status={receiver.status}
              kycStatus={kyc_status}
              provider={kyc.provider}
            />
          )}
          <SimulateOutcome
            size="compact-sm"
            of={{ id: json.id, type: "kyc" }}
            outcomes={outcomesOf(receiver)}
          />
          {mayReview && (
            <Button
              size="compact-sm"
              variant={isWaiting ? "filled" : "default"}
              renderRoot={(props) => (
                <Link {...props} to="/reviews" search={{ case: `${id}.${json.id}` } as never} />
              )}
            >
              {isWaiting ? "Review" : "Open case"}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}

/** What a provider can report in this state. */
function outcomesOf({ status, kyc_status, erased_at }: ReceiverDetail) {
  if (status === "creating" || erased_at !== null) return [];
  const passed = { status: "success", label: "Identity check passed" };
  const failed = { status: "fail", label: "Identity check failed" };
  if (kyc_status === "pending") return [passed, failed];
  return kyc_status === "completed" ? [failed] : [];
}

function Standing({ receiver }: { receiver: ReceiverDetail }) {
  const { kyc, kyc_status, reports, history } = receiver;
  const nowMs = useNow();
  if (kyc.waits_for === "user") {
    return `Needs manual review for ${spanText(Math.max(0, nowMs - kyc.since))}`;
  }
  if (kyc.waits_for === "check") return `In progress at ${kyc.provider}`;
  const ended = history.find(({ to, from }) => to.kyc_status !== from?.kyc_status);
  const comment = kyc_status === "failed" ? reports[0]?.comment : undefined;
  const isPassed = kyc_status === "completed";
  return (
    <>
      {ended ? (
        <Sentence
          text={isPassed ? "Passed {time}, by {who}" : "Did not pass {time}, by {who}"}
          parts={{ time: <When ms={ended.at} />, who: ended.who }}
        />
      ) : isPassed ? (
        "Passed"
      ) : (
        "Did not pass"
      )}
      {comment ? `: ${comment}` : ""}
    </>
  );
}
