// New Zealand's banks by number: the branches each has, and how its account numbers are checked.
// From Inland Revenue's specifications of 2016 and 2020; what came later has to be added by hand.

/** "AB" is A for small base numbers and B for the others. X checks nothing. */
export type CheckMethod = "AB" | "D" | "E" | "F" | "G" | "X";

export type NewZealandBank = {
  /** Empty where a bank was merged into another and we are not sure which name it has today. */
  name: string;
  /** First and last branch of each range. */
  branches: readonly (readonly [first: number, last: number])[];
  method: CheckMethod;
  /** The specification names no method. The usual one is tried, and can only warn. */
  isMethodAssumed?: true;
};

export const banksByNumber: ReadonlyMap<string, NewZealandBank> = new Map(
  Object.entries({
    "01": bank("ANZ", "AB", [1, 999], [1100, 1199], [1800, 1899]),
    "02": bank("BNZ", "AB", [1, 999], [1200, 1299]),
    "03": bank(
      "Westpac",
      "AB",
      [1, 999],
      [1300, 1399],
      [1500, 1599],
      [1700, 1799],
      [1900, 1999],
      [7350, 7399],
    ),
    "04": { ...bank("ANZ", "AB", [2020, 2024]), isMethodAssumed: true },
    "06": bank("ANZ", "AB", [1, 999], [1400, 1499]),
    "08": bank("National Australia Bank", "D", [6500, 6599]),
    "09": bank("", "E", [0, 0]),
    "10": bank("Industrial and Commercial Bank of China", "AB", [5165, 5169]),
    "11": bank("ANZ", "AB", [5000, 6499], [6600, 8999]),
    "12": bank("ASB", "AB", [3000, 3299], [3400, 3499], [3600, 3699]),
    "13": bank("", "AB", [4900, 4999]),
    "14": bank("", "AB", [4700, 4799]),
    "15": bank("TSB", "AB", [3900, 3999]),
    "16": bank("", "AB", [4400, 4499]),
    "17": bank("", "AB", [3300, 3399]),
    "18": bank("", "AB", [3500, 3599]),
    "19": bank("", "AB", [4600, 4649]),
    "20": bank("", "AB", [4100, 4199]),
    "21": bank("", "AB", [4800, 4899]),
    "22": bank("", "AB", [4000, 4049]),
    "23": bank("", "AB", [3700, 3799]),
    "24": bank("", "AB", [4300, 4349]),
    "25": bank("", "F", [2500, 2599]),
    "26": bank("", "G", [2600, 2699]),
    "27": bank("", "AB", [3800, 3849]),
    "28": bank("", "G", [2100, 2149]),
    "29": bank("", "G", [2150, 2299]),
    "30": bank("HSBC", "AB", [2900, 2949]),
    "31": bank("Citibank", "X", [2800, 2849]),
    "33": bank("", "F", [6700, 6799]),
    "35": bank("", "AB", [2400, 2499]),
    "38": bank("Kiwibank", "AB", [9000, 9499]),
    "88": { ...bank("Bank of China", "AB", [8800, 8805]), isMethodAssumed: true },
  } satisfies Record<string, NewZealandBank>),
);

function bank(
  name: string,
  method: CheckMethod,
  ...branches: (readonly [first: number, last: number])[]
): NewZealandBank {
  return { name, method, branches };
}
