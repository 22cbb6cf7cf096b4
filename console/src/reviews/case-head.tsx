// The head of a case: what it is about, its receiver, and who it is assigned to.

import { Group, Stack, Text, Title } from "@mantine/core";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Status } from "../parts/status.tsx";
import { kycTitle, statusTitle } from "../receivers/codes.ts";
import { KycStatus } from "../receivers/kyc-status.tsx";
import { PersonLink } from "../receivers/person-link.tsx";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { type AnyCase, claimPath, receiverNameOf, useRenewReviews } from "./review.ts";
import styles from "./reviews.module.css";
import { Waited } from "./waited.tsx";

export function CaseHead({ shown }: { shown: AnyCase }) {
  const { subaccount, receiver_id, claim, waits } = shown;
  const renew = useRenewReviews();
  const mayReview = useMay("receivers.review");
  const act = (what: string) => async () => {
    await send("POST", `${claimPath(shown)}/${what}`);
    await renew();
  };
  const page = `/s/${subaccount.id}`;
  return (
    <header className={styles.head}>
      <Stack gap={4} miw={0}>
        <Group gap="xs">
          <Title order={2} fz="lg">
            {shown.kind === "hold" ? (
              <>
                <Money amount={shown.payout.amount} currency={shown.payout.currency} /> to{" "}
                {receiverNameOf(shown)}
              </>
            ) : (
              receiverNameOf(shown)
            )}
          </Title>
          {shown.kind === "hit" && <Status of="hit" value={shown.hit.status} />}
          {shown.kind === "hold" && <Status of="payout" value={shown.payout.stage} />}
          {shown.kind === "identity" && (
            <>
              <Status of="receiver" value={shown.status} hint={statusTitle(shown.status_code)} />
              <KycStatus value={shown.kyc_status} hint={kycTitle(shown.kyc_code)} />
            </>
          )}
          {waits && <Waited since={shown.since} urgency={shown.urgency} />}
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {subaccount.name}
          </Text>
          <Status of="mode" value={subaccount.mode} />
          <IdChip id={shown.kind === "hold" ? shown.payout_id : receiver_id} short />
          {shown.kind === "hold" && (
            <Text size="sm">
              <PageLink to={`${page}/payouts/${shown.payout_id}`}>Payout</PageLink>
            </Text>
          )}
          <Text size="sm">
            <PageLink to={`${page}/receivers/${receiver_id}`}>{reviewsTexts.receiver}</PageLink>
          </Text>
        </Group>
        {claim && !claim.is_mine && (
          <Text size="sm" fw={500}>
            {`Assigned to ${whoText(claim.who)}.`}
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        {shown.kind === "identity" && (
          <PersonLink
            subaccountId={subaccount.id}
            receiverId={receiver_id}
            status={shown.status}
            kycStatus={shown.kyc_status}
            provider={shown.receiver.provider}
          />
        )}
        {mayReview && waits && !claim && (
          <Act label="Assign to me" size="compact-sm" onAct={act("claim")} />
        )}
        {claim?.is_mine && <Act label="Unassign" size="compact-sm" onAct={act("release")} />}
      </Group>
    </header>
  );
}
