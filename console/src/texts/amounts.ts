// The texts of fields in which an amount is typed.

export const amountsTexts = {
  readAs: (amount: string) => `Read as ${amount}`,
  example: (examples: readonly string[]) => `Enter an amount like ${examples.join(" or ")}`,
  beforeDecimals: (separator: string, most: number) =>
    `${separator} before the decimals (at most ${most})`,
  noDecimals: (currency: string) => `${currency} has no decimals`,
  betweenThousands: (separators: string) => `${separators} only between thousands`,
  separators: {
    point: { one: "a point", many: "points" },
    comma: { one: "a comma", many: "commas" },
    space: { one: "a space", many: "spaces" },
    apostrophe: { one: "an apostrophe", many: "apostrophes" },
  },
} as const;
