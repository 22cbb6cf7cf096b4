// How this browser writes numbers and dates. The console's words are English; its figures follow the user's language.

/** The first of the user's languages that can be formatted. */
export function localeOf(languages: readonly string[]): string {
  const known = languages.find((language) => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
    } catch {
      return false;
    }
  });
  return known ?? "en-GB";
}

export const userLocale = localeOf(navigator.languages);

const countFormats = new Map<string, Intl.NumberFormat>();

/** 12345 is "12,345", and "12,345+" where there are more. */
export function countText(count: number, isMore = false, locale = userLocale): string {
  const format = countFormats.get(locale) ?? new Intl.NumberFormat(locale);
  countFormats.set(locale, format);
  return `${format.format(count)}${isMore ? "+" : ""}`;
}

/** 0.125 is "12.5%": at most this number of decimals, and none where it is whole. */
export function percentText(share: number, decimals = 1, locale = userLocale): string {
  return new Intl.NumberFormat(locale, {
    style: "percent",
    maximumFractionDigits: decimals,
  }).format(share);
}

/** Dates of banks and of the ledger are Gregorian, so all are. */
export function dateFormat(
  options: Intl.DateTimeFormatOptions,
  locale = userLocale,
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { calendar: "gregory", ...options });
}
