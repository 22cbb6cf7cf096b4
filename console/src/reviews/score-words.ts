// Why a hit has its score, in words: what is the same in the names, and what date of birth and country say. Pure.

type Word = { left: string; right: string; how: string };
type Said = { says: "same" | "close" | "other" | "unknown"; listed: readonly string[] };
type Compared = {
  words: readonly Word[];
  /** As it was compared. */
  subject: { dob: string };
  dob: Said;
  country: Said;
};

export function scoreWords({ words, subject, dob, country }: Compared): string {
  return [nameWords(words), birthWords(subject.dob, dob), countryWords(country)]
    .filter(Boolean)
    .join(" ");
}

function nameWords(words: readonly Word[]): string {
  // An embargoed country has no name to compare.
  if (words.length === 0) return "";
  const differences = [typingErrors(words), ...words.map(differenceOf)].filter((one) => one !== "");
  return differences.length === 0
    ? "The name is the same."
    : `The name is the same but for ${listed(differences)}.`;
}

const isNear = ({ how }: Word) => how === "spelling" || how === "sound";

function typingErrors(words: readonly Word[]): string {
  const near = words.filter(isNear);
  if (near.length === 0) return "";
  const letters = near.reduce((sum, { left, right }) => sum + lettersBetween(left, right), 0);
  const pairs = near.map(({ left, right }) => `${left}, ${right}`).join("; ");
  return `${letters === 1 ? "one letter" : `${letters} letters`} (${pairs})`;
}

function differenceOf({ how, left, right }: Word): string {
  switch (how) {
    case "missing":
      return left ? `“${left}” (not on the list)` : `“${right}” (only on the list)`;
    case "other":
      return `“${left}” (on the list “${right}”)`;
    case "initial":
      return `an initial (${left}, ${right})`;
    case "glued":
      return `a space (${left}, ${right})`;
    case "order":
      return "the order of the words";
    case "repeated":
      return `“${left || right}” (twice)`;
    case "father":
      return "son and father (in each other's place)";
    case "form":
      return `the legal form (${left}, ${right})`;
    default:
      return "";
  }
}

function listed(parts: readonly string[]): string {
  return parts.length === 1
    ? `${parts[0]}`
    : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Letters that are more, less or other, or two that are swapped. */
function lettersBetween(one: string, other: string): number {
  const rows = [[...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (rows[i - 1]?.[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}

function birthWords(ours: string, { says, listed: dates }: Said): string {
  if (says === "same") return "The date of birth is the same.";
  if (ours === "") return "";
  if (says === "unknown") return "The list has no date of birth.";
  const whole = dates.filter((date) => /^\d{4}-\d\d-\d\d$/.test(date));
  if (says === "other") {
    const years = dates.flatMap((date) => date.match(/\d{4}/g) ?? []);
    return years.includes(ours.slice(0, 4))
      ? "The date of birth differs."
      : "The year of birth differs.";
  }
  const slip = whole.map((date) => slipBetween(ours, date)).find((words) => words !== "");
  if (slip) return slip;
  const year = ours.slice(0, 4);
  const isWithin = (range: string) => {
    const [from = "", to] = range.split("/");
    return to !== undefined && year >= from && year <= to;
  };
  if (dates.some(isWithin)) return "The year of birth is within the years on the list.";
  return dates.some((date) => date.startsWith(year))
    ? "The year of birth is the same, and the list has no day."
    : "The year of birth is near the one on the list, which has no day.";
}

/** The one part that differs. */
function slipBetween(ours: string, listed: string): string {
  const [year, month, day] = ours.split("-");
  const [listedYear, listedMonth, listedDay] = listed.split("-");
  const equal = [year === listedYear, month === listedMonth, day === listedDay];
  if (equal[0] && month === listedDay && day === listedMonth) {
    return "Day and month of birth are swapped.";
  }
  if (equal.filter(Boolean).length !== 2) return "";
  return `The ${equal[0] ? (equal[1] ? "day" : "month") : "year"} of birth differs.`;
}

function countryWords({ says }: Said): string {
  if (says === "same") return "The country is the same.";
  return says === "unknown" ? "The list has no country." : "The country differs.";
}
