// The details of an identity check: checks, possible duplicates, personal details, bank accounts and history.

import { Alert, Stack, Text } from "@mantine/core";
import { Facts } from "../parts/facts.tsx";
import { Users } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { History } from "../receivers/history.tsx";
import { genderText } from "../receivers/receiver-form.ts";
import { addressText } from "../state/address.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import type { Duplicate, ReviewCase } from "./review.ts";
import styles from "./reviews.module.css";

export function CaseBody({ shown }: { shown: ReviewCase }) {
  const { duplicates, accounts, approvals, subaccount } = shown;
  return (
    <Stack gap="sm">
      {approvals.map(({ who, is_mine, at }) => (
        <Alert key={who} color="yellow" variant="light" icon={<Users size={18} aria-hidden />}>
          <Text size="sm">
            <Sentence
              text={
                is_mine
                  ? "You approved this {time}. It needs a second reviewer."
                  : "{who} approved this {time}. It needs a second reviewer."
              }
              parts={{ who: whoText(who), time: <When ms={at} /> }}
            />
          </Text>
        </Alert>
      ))}
      <Panel title="Checks" flush>
        <ul className={styles.lines}>
          {shown.checks.map(({ name, result, reason }) => (
            <li key={name}>
              <span className={styles.checkName}>{name}</span>
              <Status of="check" value={result} />
              <Text size="sm" component="span">
                {reason}
              </Text>
            </li>
          ))}
        </ul>
      </Panel>
      {duplicates.length > 0 && (
        <Panel title="Possible duplicates" flush>
          <ul className={styles.lines}>
            {duplicates.map((one) => (
              <li key={`${one.kind} ${one.receiver_id}`}>
                <Text size="sm" component="span">
                  <Sentence
                    text={kinds[one.kind]}
                    parts={{
                      receiver: (
                        <PageLink
                          to={`/s/${subaccount.id}/receivers/${one.receiver_id}`}
                          underline="always"
                        >
                          {one.name}
                        </PageLink>
                      ),
                    }}
                  />
                </Text>
                <Status of="receiver" value={one.status} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <PersonalDetails shown={shown} />
      {accounts.length > 0 && (
        <Panel title="Bank accounts" flush>
          <ul className={styles.lines}>
            {accounts.map((account) => (
              <li key={account.id}>
                <span className={styles.number}>{account.account_number}</span>
                <Text size="sm" component="span">
                  {[account.bank_name, account.country].filter(Boolean).join(", ")}
                </Text>
                <Status of="account" value={account.status} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <History history={shown.history} reports={shown.reports} />
    </Stack>
  );
}

const kinds: Record<Duplicate["kind"], string> = {
  phone: "Same phone as {receiver}",
  birth: "Same date of birth and last name as {receiver}",
  bank_account: "Same bank account as {receiver}",
};

function PersonalDetails({ shown: { receiver } }: { shown: ReviewCase }) {
  const names = [receiver.first_name, receiver.middle_name, receiver.last_name];
  return (
    <Panel title="Personal details">
      <Facts
        items={[
          { label: reviewsTexts.name, value: names.filter(Boolean).join(" ") },
          { label: reviewsTexts.dateOfBirth, value: calendarDayText(receiver.dob) },
          { label: "Gender", value: genderText(receiver.gender) },
          { label: reviewsTexts.email, value: receiver.email },
          { label: "Phone", value: receiver.phone },
          { label: reviewsTexts.address, value: addressText(receiver) },
          { label: reviewsTexts.country, value: receiver.country },
          receiver.reference !== "" && { label: reviewsTexts.reference, value: receiver.reference },
          { label: "Checked by", value: receiver.provider },
          { label: reviewsTexts.created, value: <When ms={receiver.created_at} withSeconds /> },
        ]}
      />
    </Panel>
  );
}
