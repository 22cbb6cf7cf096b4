// The details of a payout on hold: the rules with their figures, hits, the payout, account, receiver and earlier payouts.

import { Alert, Stack, Text } from "@mantine/core";
import { Facts } from "../parts/facts.tsx";
import { Ban } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { addressText } from "../state/address.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { CaseNotes, Decided, HitItem } from "./case-parts.tsx";
import { type HoldCase, type HoldReasonLine, receiverNameOf } from "./review.ts";
import styles from "./reviews.module.css";

export function HoldBody({ shown }: { shown: HoldCase }) {
  const { decided, hits, subaccount, payouts, history, waits, why_not_release } = shown;
  return (
    <Stack gap="sm">
      <Decided decided={decided && { ...decided, outcome: outcomes[decided.decision] ?? "" }} />
      {waits && why_not_release && (
        <Alert color="yellow" variant="light" icon={<Ban size={18} aria-hidden />}>
          <Text size="sm">{`You can't release it: ${why_not_release}.`}</Text>
        </Alert>
      )}
      <Panel title="Why it is on hold" flush>
        <ul className={styles.lines}>
          {shown.reasons.map((reason) => (
            <li key={`${reason.kind} ${reason.name}`} className={styles.note}>
              <Text size="sm" fw={500}>
                {reasonName(reason)}
              </Text>
              <Text size="sm" c="dimmed">
                {reason.figures}
              </Text>
            </li>
          ))}
          {hits.map((hit) => (
            <HitItem key={hit.id} hit={hit} subaccountId={subaccount.id} />
          ))}
        </ul>
      </Panel>
      <div className={styles.pair}>
        <PayoutFacts shown={shown} />
        <ReceiverFacts shown={shown} />
      </div>
      {payouts.length > 0 && (
        <Panel title="Other payouts to the receiver" flush>
          <ul className={styles.lines}>
            {payouts.map((one) => (
              <li key={one.id}>
                <PageLink to={`/s/${subaccount.id}/payouts/${one.id}`} fz="sm">
                  <Money amount={one.amount} currency={one.currency} />
                </PageLink>
                <Status of="payout" value={one.stage} />
                <Text size="sm" c="dimmed" component="span">
                  <When ms={one.created_at} />
                </Text>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <CaseNotes notes={shown.notes} />
      <Panel title="History" flush>
        <ul className={styles.lines}>
          {history.map((line) => (
            <li key={`${line.id} ${line.stage}`}>
              <Status of="payout" value={line.stage} />
              <Text size="sm" component="span">
                {line.reason}
              </Text>
              <Text size="xs" c="dimmed" component="span">
                <WhenBy ms={line.at} who={line.who} withSeconds />
              </Text>
            </li>
          ))}
        </ul>
      </Panel>
    </Stack>
  );
}

const outcomes: Record<string, string> = {
  released: "Released",
  refused: "Refused",
  cancelled: "Cancelled",
  expired: "Failed after 30 days",
};

function reasonName({ kind, name }: HoldReasonLine): string {
  return kind === "screening" ? "The receiver matches an entry of a list" : name;
}

function PayoutFacts({ shown: { payout, account } }: { shown: HoldCase }) {
  const changed = account && account.versions.length > 1 ? account.versions[0] : undefined;
  return (
    <Panel title="Payout and account">
      <Facts
        items={[
          {
            label: "Amount",
            value: <Money amount={payout.amount} currency={payout.currency} />,
          },
          { label: reviewsTexts.reference, value: payout.reference },
          payout.note !== "" && { label: reviewsTexts.note, value: payout.note },
          payout.send_on !== "" && { label: "Send on", value: payout.send_on },
          {
            label: reviewsTexts.created,
            value: <WhenBy ms={payout.created_at} who={payout.created_by} withSeconds />,
          },
          account && {
            label: "Account",
            value: [account.account_number, account.bank_name, account.country]
              .filter(Boolean)
              .join(", "),
          },
          account && {
            label: "Account added",
            value: <When ms={account.created_at} withSeconds />,
          },
          changed && {
            label: "Details changed",
            value: <WhenBy ms={changed.created_at} who={whoText(changed.created_by)} withSeconds />,
          },
        ]}
      />
    </Panel>
  );
}

function ReceiverFacts({ shown }: { shown: HoldCase }) {
  const { receiver } = shown;
  return (
    <Panel title={reviewsTexts.receiver}>
      <Facts
        items={[
          { label: reviewsTexts.name, value: receiverNameOf(shown) },
          { label: reviewsTexts.dateOfBirth, value: calendarDayText(receiver.dob) },
          { label: reviewsTexts.country, value: receiver.country },
          { label: reviewsTexts.address, value: addressText(receiver) },
          { label: reviewsTexts.email, value: receiver.email },
          { label: reviewsTexts.created, value: <When ms={receiver.created_at} withSeconds /> },
        ]}
      />
    </Panel>
  );
}
