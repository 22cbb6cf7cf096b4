// A file of payments as the simulated bank sees it, whatever its format, and the collector of what is wrong with it.

/** One payment of a file. */
export type BankInstruction = {
  /** From 1, in the order of the file. */
  number: number;
  amount: bigint;
  currency: string;
  /** BSB, bank and branch, routing number, sort code or BIC; empty where an IBAN says it all. */
  bank: string;
  account: string;
  name: string;
  /** What the payee is to see. */
  reference: string;
  /** EndToEndId or trace number; empty in formats that give payments no id. */
  id: string;
  /** The InstrId of pain.001. */
  instructionId: string;
  /** The record itself, where a return repeats it. */
  record: string;
  /** What stands above it: the batch header of NACHA, the PmtInfId of pain.001. */
  heading: string;
};

/** The account that pays. */
export type PayerAccount = { bank: string; account: string };

export type InstructionFile = {
  format: string;
  /** The id that the customer gave the file; empty in formats without one. */
  messageId: string;
  /** How the customer calls itself: a User ID, a company id or a name. */
  customer: string;
  payer: PayerAccount;
  currency: string;
  /** YYYY-MM-DD: the day on which we are to pay; empty where it can't be read. */
  processDate: string;
  instructions: BankInstruction[];
  /** As we added it up; empty in formats without one. */
  hashTotal: string;
  /** The first record, where an answer repeats some of it. */
  heading: string;
  /** Each in one sentence. Empty: we take the file. */
  problems: string[];
};

/** A file that nothing could be read of. */
export function emptyFile(format: string): InstructionFile {
  return {
    format,
    messageId: "",
    customer: "",
    payer: { bank: "", account: "" },
    currency: "",
    processDate: "",
    instructions: [],
    hashTotal: "",
    heading: "",
    problems: [],
  };
}

export function instructedSum({ instructions }: Pick<InstructionFile, "instructions">): bigint {
  return instructions.reduce((sum, { amount }) => sum + amount, 0n);
}

/** A list of more is not read. */
const problemsMax = 100;

/** Collects what is wrong. No text repeats names or whole account numbers. */
export class FileComplaints {
  readonly all: string[] = [];

  at(line: number, text: string): void {
    this.about(`line ${line}: ${text}`);
  }

  about(text: string): void {
    if (this.all.length < problemsMax) this.all.push(text);
  }

  /** Complains unless a total of the file is what we added up. */
  compare(line: number, what: string, stated: string, counted: bigint): void {
    if (!/^\d+$/.test(stated)) this.at(line, `${what} is not a number`);
    else if (BigInt(stated) !== counted) {
      this.at(line, `${what} is ${BigInt(stated)}, but the records add up to ${counted}`);
    }
  }
}
