// Days as texts, YYYY-MM-DD.

const dayMs = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

const isWeekday = (day: string) => ![0, 6].includes(new Date(day).getUTCDay());

export function nextWeekday(day: string): string {
  const next = addDays(day, 1);
  return isWeekday(next) ? next : nextWeekday(next);
}

/** Mondays to Fridays of the month, YYYY-MM. */
export function weekdaysOf(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
    if (isWeekday(day)) days.push(day);
  }
  return days;
}
