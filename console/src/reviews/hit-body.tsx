// The details of a hit: the receiver and every list entry that may be the same person, other hits and payouts on hold.

import { Alert, Badge, Stack, Text } from "@mantine/core";
import { Ban } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { addressText } from "../state/address.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { reviewsTexts } from "../texts/reviews.ts";
import { listText } from "../texts/screening.ts";
import { isEmbargo } from "./actions.ts";
import { CaseNotes, Decided, HitItem, percent } from "./case-parts.tsx";
import { entriesOf, type HitCase, type HitEntry, receiverNameOf } from "./review.ts";
import styles from "./reviews.module.css";
import { scoreWords } from "./score-words.ts";

export function HitBody({ shown }: { shown: HitCase }) {
  const { hit, subaccount, other_hits, held } = shown;
  return (
    <Stack gap="sm">
      <Decided decided={hit.decided && { ...hit.decided, outcome: outcomeOf(shown) }} />
      {shown.waits && shown.decisions.why_not_different && (
        <Alert color="yellow" variant="light" icon={<Ban size={18} aria-hidden />}>
          <Text size="sm">{`You can't say that it is not the same person: ${shown.decisions.why_not_different}.`}</Text>
        </Alert>
      )}
      <Evidence shown={shown} />
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
                  {one.why_not ?? "Only this case holds it"}
                </Text>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {other_hits.length > 0 && (
        <Panel title="Other cases of the receiver" flush>
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

/** Ours in the first line and each list entry below it: what identifies a person comes before what was compared. */
function Evidence({ shown }: { shown: HitCase }) {
  const { account, receiver, compared, hit } = shown;
  const isReceiver = hit.subject === "receiver";
  const name = account?.business_name ?? receiverNameOf(shown);
  return (
    <Panel title="Evidence" flush>
      <table className={styles.compare}>
        <thead>
          <tr>
            <td />
            {isReceiver && <th scope="col">{reviewsTexts.dateOfBirth}</th>}
            <th scope="col">{reviewsTexts.country}</th>
            <th scope="col">Names</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{account ? "Account" : reviewsTexts.receiver}</th>
            {isReceiver && (
              <td data-title={reviewsTexts.dateOfBirth}>{calendarDayText(receiver.dob) || "–"}</td>
            )}
            <td data-title={reviewsTexts.country}>{account?.country ?? receiver.country}</td>
            <td data-title="Names">
              <strong>{name}</strong>
              {account && (
                <Quiet>{`Account ${account.account_number} of ${receiverNameOf(shown)}`}</Quiet>
              )}
              {/* A receiver that has changed since keeps its hit. */}
              {compared.subject.name !== name && (
                <Quiet>{`Matched as ${compared.subject.name}`}</Quiet>
              )}
            </td>
          </tr>
        </tbody>
        {entriesOf(shown).map((one) => (
          <EntryRows key={one.id} one={one} />
        ))}
      </table>
      <ul className={styles.lines}>
        <li>
          <span className={styles.checkName}>{reviewsTexts.address}</span>
          <Text size="sm" component="span">
            {addressText(receiver)}
          </Text>
        </li>
        {entriesOf(shown).map(({ id, hit, entry }) => (
          <li key={id}>
            <span className={styles.checkName}>{`${listText(hit.list)} ${hit.entry_key}`}</span>
            <Text size="sm" component="span">
              {[entry?.program, entry?.remarks].filter(Boolean).join(". ") || "No remarks"}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function EntryRows({ one }: { one: HitEntry }) {
  const { hit, compared, entry } = one;
  const listed = (entry?.birth_dates.length ? entry.birth_dates : compared.dob.listed).map(dayText);
  const countries = entry?.countries.length ? entry.countries : compared.country.listed;
  const words = scoreWords(compared);
  return (
    <tbody>
      <tr>
        <th scope="row">
          {listText(hit.list)}
          <Quiet>{hit.entry_key}</Quiet>
        </th>
        {hit.subject === "receiver" && (
          <td data-title={reviewsTexts.dateOfBirth}>
            <Said says={compared.dob.says}>{listed.join(", ")}</Said>
          </td>
        )}
        <td data-title={reviewsTexts.country}>
          <Said says={compared.country.says}>{countries.join(", ")}</Said>
        </td>
        <td data-title="Names">
          <ListedNames one={one} />
        </td>
      </tr>
      <tr className={styles.inWords}>
        <td colSpan={hit.subject === "receiver" ? 4 : 3}>
          <strong>{percent(hit.score)}</strong> {words}
          {hit.first && hit.status === "open" && (
            <Text size="sm" component="span" fw={500}>
              {" "}
              {hit.first.is_mine
                ? "You said that it is the same person"
                : `${whoText(hit.first.who)} said that it is the same person`}{" "}
              <When ms={hit.first.at} />: {hit.first.reason}. It needs a second reviewer.
            </Text>
          )}
        </td>
      </tr>
    </tbody>
  );
}

const saidWords = { same: "Same", close: "Close", other: "Different", unknown: "Unknown" } as const;
const saidColors = { same: "red", close: "yellow", other: "gray", unknown: "gray" } as const;

function Said({ says, children }: { says: keyof typeof saidWords; children: string }) {
  return (
    <>
      {children || "–"}
      <div>
        <Badge variant="light" color={saidColors[says]} tt="none" size="sm">
          {saidWords[says]}
        </Badge>
      </div>
    </>
  );
}

function Quiet({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" component="div">
      {children}
    </Text>
  );
}

const hows: Record<string, string> = {
  same: "same",
  spelling: "similar spelling",
  sound: "sounds alike",
  initial: "initial",
  glued: "joined or split",
  order: "other order",
  missing: "only on one side",
  other: "another word",
  repeated: "twice",
};

/** The name that matched comes first, with what matched in it. */
function ListedNames({ one: { hit, compared, entry } }: { one: HitEntry }) {
  const names = entry?.names ?? [{ text: hit.listed_name, is_weak: compared.is_weak }];
  const matched = names.find(({ text }) => text === hit.listed_name);
  const others = names.filter((name) => name !== matched);
  return (
    <>
      {hit.listed_name && (
        <div>
          <strong>{hit.listed_name}</strong>
          {matched?.is_weak && ` (${reviewsTexts.weak})`}
        </div>
      )}
      <ul className={styles.matched}>
        {compared.words
          .filter(({ left, right }) => left || right)
          .map(({ left, right, how }) => (
            <li key={`${left} ${right} ${how}`}>
              {left === right ? left : [left, right].filter(Boolean).join(" and ")}
              <span>{hows[how] ?? how}</span>
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <Quiet>
          {`Also: ${others.map(({ text, is_weak }) => text + (is_weak ? ` (${reviewsTexts.weak})` : "")).join("; ")}`}
        </Quiet>
      )}
    </>
  );
}

/** A range of years is listed as "1960/1965". */
function dayText(day: string): string {
  return calendarDayText(day.replace("/", " to "));
}
