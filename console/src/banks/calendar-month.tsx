// A month of a bank connection as a calendar or a table.

import type {
  BankCalendar,
  BankDay,
  BankFilesOfDay,
} from "@server/doors/console/bank-calendar/schema.ts";
import type { CSSProperties } from "react";
import { Plot } from "../parts/plot.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { countText, dateFormat } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { calendarTexts } from "../texts/calendar.ts";
import styles from "./calendar.module.css";

const kinds = {
  banking: "Banking day",
  weekend: "Weekend",
  holiday: "Bank holiday",
  closed: "Closed by you",
} as const;

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

export function CalendarMonth({ calendar }: { calendar: BankCalendar }) {
  const { month, days } = calendar;
  return (
    <Plot
      title={calendarTexts.titleOf(monthText(month))}
      isEmpty={false}
      label={saidOf(calendar)}
      plot={
        <div className={styles.month}>
          <ul className={styles.heads} aria-hidden>
            {weekdays.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
          <ol className={styles.days}>
            {days.map((day, place) => (
              <Day
                key={day.date}
                day={day}
                calendar={calendar}
                column={place === 0 ? columnOf(day.date) : undefined}
              />
            ))}
          </ol>
        </div>
      }
      table={<CalendarTable calendar={calendar} />}
    />
  );
}

function Day({
  day,
  calendar: { today, now, currency },
  column,
}: {
  day: BankDay;
  calendar: BankCalendar;
  /** Of the first day. The others follow it. */
  column: number | undefined;
}) {
  const { date, kind, is_clearing, sent, arriving } = day;
  const isToday = date === today;
  return (
    <li
      data-kind={is_clearing && kind !== "banking" ? "clearing" : kind}
      data-today={isToday || undefined}
      style={column ? ({ "--column": column } as CSSProperties) : undefined}
    >
      <span className={styles.date}>
        <span aria-hidden>{Number(date.slice(8))}</span>
        <span className={styles.said}>{dateText(date)}</span>
        {isToday && <span className={styles.today}>Today</span>}
      </span>
      {kind !== "banking" && (
        <span className={styles.kind}>
          {kinds[kind]}
          {is_clearing && ", processes files"}
        </span>
      )}
      {date === now.process_date && (
        <span className={styles.mark} data-tone="process">
          Released now: processed
        </span>
      )}
      {date === now.expected_arrival && (
        <span className={styles.mark} data-tone="arrive">
          Released now: arrives
        </span>
      )}
      {sent.files > 0 && (
        <span className={styles.files} title={moneyText(sent.total, currency)}>
          {`${payoutsText(sent)} to the bank`}
        </span>
      )}
      {arriving.files > 0 && (
        <span className={styles.files} title={moneyText(arriving.total, currency)}>
          {`${payoutsText(arriving)} arriving`}
        </span>
      )}
    </li>
  );
}

function payoutsText({ payouts }: BankFilesOfDay): string {
  return calendarTexts.payouts(payouts, countText(payouts));
}

/** Monday is the first column. */
function columnOf(date: string): number {
  return ((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
}

const dates = dateFormat({
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** "Tue, 17 Nov 2026" */
export function dateText(date: string): string {
  return dates.format(Date.parse(`${date}T00:00:00Z`));
}

function saidOf({ month, days }: BankCalendar): string {
  const free = days.filter(({ kind }) => kind === "holiday" || kind === "closed");
  const arriving = days.reduce((sum, day) => sum + day.arriving.payouts, 0);
  return `Calendar of ${monthText(month)}: ${days.filter(({ is_clearing }) => is_clearing).length} days on which the bank processes files. ${
    free.length > 0
      ? `Bank holidays and closed days: ${free.map(({ date }) => dateText(date)).join("; ")}.`
      : "No bank holidays."
  } ${calendarTexts.payouts(arriving, countText(arriving))} expected to arrive.`;
}

function CalendarTable({ calendar }: { calendar: BankCalendar }) {
  const { month, days, currency, freeze_at, bank_cutoff } = calendar;
  const filesText = (files: BankFilesOfDay) =>
    files.files === 0 ? "–" : `${payoutsText(files)}, ${moneyText(files.total, currency)}`;
  return (
    <PlotTable
      caption={calendarTexts.titleOf(monthText(month))}
      heads={[
        "Day",
        "Kind",
        "Frozen",
        "Cut-off",
        "Payouts of the day arrive",
        "To the bank",
        "Arriving",
      ]}
      rows={days.map((day) => ({
        key: day.date,
        head: dateText(day.date),
        cells: [
          kinds[day.kind],
          day.is_clearing ? freeze_at : "–",
          day.is_clearing ? bank_cutoff : "–",
          day.arrives ? dateText(day.arrives) : "–",
          filesText(day.sent),
          filesText(day.arriving),
        ],
      }))}
    />
  );
}
