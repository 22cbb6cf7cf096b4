// The head of a case: receiver, status, and who it is assigned to.

import { Group, Stack, Text, Title } from "@mantine/core";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { kycTitle, statusTitle } from "../receivers/codes.ts";
import { KycStatus } from "../receivers/kyc-status.tsx";
import { PersonLink } from "../receivers/person-link.tsx";
import { reviewsTexts } from "../texts/reviews.ts";
import { casePath, type ReviewCase, useRenewReviews } from "./review.ts";
import styles from "./reviews.module.css";
import { Waited } from "./waited.tsx";

export function CaseHead({ shown, name }: { shown: ReviewCase; name: string }) {
  const { receiver, subaccount, receiver_id, claim, waits } = shown;
  const renew = useRenewReviews();
  const mayReview = useMay("receivers.review");
  const path = casePath(name);
  const act = (what: string) => async () => {
    await send("POST", `${path}/${what}`);
    await renew();
  };
  return (
    <header className={styles.head}>
      <Stack gap={4} miw={0}>
        <Group gap="xs">
          <Title order={2} fz="lg">
            {receiver.first_name} {receiver.last_name}
          </Title>
          <Status of="receiver" value={shown.status} hint={statusTitle(shown.status_code)} />
          <KycStatus value={shown.kyc_status} hint={kycTitle(shown.kyc_code)} />
          {waits && <Waited since={shown.since} urgency={shown.urgency} />}
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {subaccount.name}
          </Text>
          <Status of="mode" value={subaccount.mode} />
          <IdChip id={receiver_id} short />
          <Text size="sm">
            <PageLink to={`/s/${subaccount.id}/receivers/${receiver_id}`}>
              {reviewsTexts.receiver}
            </PageLink>
          </Text>
        </Group>
        {claim && !claim.is_mine && (
          <Text size="sm" fw={500}>
            {reviewsTexts.assignedTo(claim.who.replace(/^operator:/, ""))}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        <PersonLink
          subaccountId={subaccount.id}
          receiverId={receiver_id}
          status={shown.status}
          kycStatus={shown.kyc_status}
          provider={receiver.provider}
        />
        {mayReview && waits && !claim && (
          <Act label={reviewsTexts.assignToMe} size="compact-sm" onAct={act("claim")} />
        )}
        {claim?.is_mine && (
          <Act label={reviewsTexts.unassign} size="compact-sm" onAct={act("release")} />
        )}
      </Group>
    </header>
  );
}
