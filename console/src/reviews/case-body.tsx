// What is known of the person and what was found: facts, checks, others who are alike, accounts, reports, history.

import { Alert, Stack, Text } from "@mantine/core";
import { Users } from "lucide-react";
import { Facts } from "../parts/facts.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { History } from "../receivers/history.tsx";
import type { Duplicate, ReviewCase } from "./review.ts";
import styles from "./reviews.module.css";

export function CaseBody({ shown }: { shown: ReviewCase }) {
  const { duplicates, accounts, approvals, subaccount } = shown;
  return (
    <Stack gap="sm">
      {approvals.map(({ who, is_mine, at }) => (
        <Alert key={who} color="yellow" variant="light" icon={<Users size={18} aria-hidden />}>
          <Text size="sm">
            {is_mine ? "You approved it" : `${who.replace(/^operator:/, "")} approved it`}{" "}
            <When ms={at} />. It takes a second person.
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
        <Panel title="Others who are alike" flush>
          <ul className={styles.lines}>
            {duplicates.map((one) => (
              <li key={`${one.kind} ${one.receiver_id}`}>
                <Text size="sm" component="span">
                  {kinds[one.kind]} as{" "}
                  <PageLink
                    to={`/s/${subaccount.id}/receivers/${one.receiver_id}`}
                    underline="always"
                  >
                    {one.name}
                  </PageLink>
                </Text>
                <Status of="receiver" value={one.status} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <PersonFacts shown={shown} />
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
  phone: "Same phone",
  birth: "Same date of birth and last name",
  bank_account: "Same bank account",
};

function PersonFacts({ shown: { person } }: { shown: ReviewCase }) {
  const { address, address2, city, state, postcode, country } = person;
  const names = [person.first_name, person.middle_name, person.last_name];
  return (
    <Panel title="Person">
      <Facts
        items={[
          { label: "Name", value: names.filter(Boolean).join(" ") },
          { label: "Date of birth", value: person.dob },
          { label: "Gender", value: person.gender },
          { label: "E-mail", value: person.email },
          { label: "Phone", value: person.phone },
          {
            label: "Address",
            value: [address, address2, city, state, postcode].filter(Boolean).join(", "),
          },
          { label: "Country", value: country },
          person.reference !== "" && { label: "Reference", value: person.reference },
          { label: "Checked by", value: person.provider },
          { label: "Created", value: <When ms={person.created_at} withSeconds /> },
        ]}
      />
    </Panel>
  );
}
