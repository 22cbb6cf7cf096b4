// The details of a hit: receiver and list entry side by side, which words matched how, other hits and payouts on hold.

import { Alert, Badge, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { Ban, Users } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { addressText } from "../state/address.ts";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { listText } from "../texts/screening.ts";
import { isEmbargo } from "./actions.ts";
import { CaseNotes, Decided, HitItem, percent } from "./case-parts.tsx";
import { type HitCase, receiverNameOf } from "./review.ts";
import styles from "./reviews.module.css";

const says = { same: "Same", close: "Close", other: "Different", unknown: "Unknown" } as const;

const hows = {
  same: "same",
  spelling: "similar spelling",
  sound: "sounds alike",
  initial: "initial",
  glued: "joined or split",
  order: "other order",
  missing: "only on one side",
} as const;

export function HitBody({ shown }: { shown: HitCase }) {
  const { hit, compared, subaccount, other_hits, held } = shown;
  return (
    <Stack gap="sm">
      <Decided decided={hit.decided && { ...hit.decided, outcome: outcomeOf(shown) }} />
      {hit.first && hit.status === "open" && (
        <Alert color="yellow" variant="light" icon={<Users size={18} aria-hidden />}>
          <Text size="sm">
            {hit.first.is_mine
              ? "You confirmed this hit"
              : `${whoText(hit.first.who)} confirmed this hit`}{" "}
            <When ms={hit.first.at} />: {hit.first.reason}. It needs a second reviewer.
          </Text>
        </Alert>
      )}
      {shown.waits && shown.decisions.why_not_different && (
        <Alert color="yellow" variant="light" icon={<Ban size={18} aria-hidden />}>
          <Text size="sm">{`You can't say that it is not the same person: ${shown.decisions.why_not_different}.`}</Text>
        </Alert>
      )}
      <Comparison shown={shown} />
      {compared.words.length > 0 && (
        <Panel title="How the words matched" flush>
          <ul className={styles.lines}>
            {compared.words.map(({ left, right, how, weight }) => (
              <li key={`${left} ${right} ${how}`}>
                <span className={styles.words}>
                  <strong>{left || "–"}</strong>
                  <span aria-hidden>↔</span>
                  <VisuallyHidden>and</VisuallyHidden>
                  <strong>{right || "–"}</strong>
                </span>
                <Badge variant="light" color={how === "missing" ? "gray" : "accent"} tt="none">
                  {hows[how as keyof typeof hows] ?? how}
                </Badge>
                <Text size="sm" c="dimmed" component="span">
                  {`weight ${percent(weight)}`}
                </Text>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {held.length > 0 && (
        <Panel title={reviewsTexts.payoutsOnHold} flush>
          <ul className={styles.lines}>
            {held.map((one) => (
              <li key={one.payout_id}>
                <PageLink to={`/s/${subaccount.id}/payouts/${one.payout_id}`} fz="sm">
                  <Money amount={one.amount} currency={one.currency} />
                </PageLink>
                <Text size="sm" component="span">
                  {one.reference}
                </Text>
                <Text size="sm" c="dimmed" component="span">
                  {one.why_not ?? "Only this hit holds it"}
                </Text>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {other_hits.length > 0 && (
        <Panel title="Other hits of the receiver" flush>
          <ul className={styles.lines}>
            {other_hits.map((one) => (
              <HitItem key={one.id} hit={one} subaccountId={subaccount.id} />
            ))}
          </ul>
        </Panel>
      )}
      <CaseNotes notes={shown.notes} />
    </Stack>
  );
}

function outcomeOf(shown: HitCase): string {
  const { status } = shown.hit;
  if (status === "same")
    return isEmbargo(shown) ? reviewsTexts.mustNotBePaid : reviewsTexts.samePerson;
  if (status === "different")
    return isEmbargo(shown) ? reviewsTexts.mayBePaid : reviewsTexts.notTheSamePerson;
  return status;
}

type Row = { label: string; ours: ReactNode; listed: ReactNode; says?: string };

/** A receiver that has changed since keeps its hit. Then the name that matched is shown too. */
function Comparison({ shown }: { shown: HitCase }) {
  const { hit, compared, entry, account, receiver } = shown;
  const names = entry?.names ?? [{ text: hit.listed_name, is_weak: compared.is_weak }];
  const listed = (entry?.birth_dates.length ? entry.birth_dates : compared.dob.listed).map(dayText);
  const countries = entry?.countries.length ? entry.countries : compared.country.listed;
  const rows: (Row | false)[] = [
    {
      label: reviewsTexts.name,
      ours: account ? (
        <>
          {account.business_name}
          <Text size="xs" c="dimmed">
            {`Account ${account.account_number} of ${receiverNameOf(shown)}`}
          </Text>
        </>
      ) : (
        <>
          {receiverNameOf(shown)}
          {compared.subject.name !== receiverNameOf(shown) && (
            <Text size="xs" c="dimmed">
              {`Matched as ${compared.subject.name}`}
            </Text>
          )}
        </>
      ),
      listed: <ListedNames names={names} matched={hit.listed_name} />,
      says: percent(hit.score),
    },
    hit.subject === "receiver" && {
      label: reviewsTexts.dateOfBirth,
      ours: receiver.dob,
      listed: listed.join(", "),
      says: says[compared.dob.says],
    },
    {
      label: reviewsTexts.country,
      ours: account?.country ?? receiver.country,
      listed: countries.join(", "),
      says: says[compared.country.says],
    },
    hit.subject === "receiver" && {
      label: reviewsTexts.address,
      ours: addressText(receiver),
      listed: "",
    },
    { label: "Programme", ours: "", listed: entry?.program },
    { label: "Remarks", ours: "", listed: entry?.remarks },
  ];
  return (
    <Panel title="Receiver and list entry" flush>
      <table className={styles.compare}>
        <thead>
          <tr>
            <td />
            <th scope="col">{reviewsTexts.receiver}</th>
            <th scope="col">{`List entry: ${listText(hit.list)}, ${hit.entry_key}`}</th>
            <th scope="col">Match</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(
            (row) =>
              row && (
                <tr key={row.label}>
                  <th scope="row">{row.label}</th>
                  <td data-side={reviewsTexts.receiver}>{row.ours || "–"}</td>
                  <td data-side="List entry">{row.listed || "–"}</td>
                  <td>{row.says}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
    </Panel>
  );
}

/** The name that matched comes first. */
function ListedNames({
  names,
  matched,
}: {
  names: readonly { text: string; is_weak: boolean }[];
  matched: string;
}) {
  const others = names.filter(({ text }) => text !== matched);
  const weak = names.find(({ text }) => text === matched)?.is_weak;
  return (
    <>
      {matched && (
        <div>
          <strong>{matched}</strong>
          {weak && ` (${reviewsTexts.weak})`}
        </div>
      )}
      {others.map(({ text, is_weak }) => (
        <Text key={text} size="xs" c="dimmed">
          {text}
          {is_weak && ` (${reviewsTexts.weak})`}
        </Text>
      ))}
    </>
  );
}

/** A range of years is listed as "1960/1965". */
function dayText(day: string): string {
  return day.replace("/", " to ");
}
