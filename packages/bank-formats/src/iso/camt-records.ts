// What account statements (camt.053), reports (camt.052) and notifications (camt.054) hold, as typed records.

export type Direction = "credit" | "debit";

/** Empty where the bank gives none. */
export type EntryReferences = {
  messageId: string;
  accountServicerReference: string;
  paymentInformationId: string;
  instructionId: string;
  endToEndId: string;
  uetr: string;
  transactionId: string;
};

/** Why a payment came back. */
export type ReturnReason = { code: string; text: string };

type Booking = {
  line: number;
  column: number;
  /** The statement, report or notification around it. */
  statementId: string;
  /** Our account, as the bank writes it. */
  account: string;
  /** YYYY-MM-DD: when the bank made the statement; empty where it does not say. */
  createdOn: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  direction: Direction;
  /** BOOK, PDNG, INFO or FUTR. Only booked entries move the balance. */
  status: string;
  isReversal: boolean;
  /** YYYY-MM-DD, or empty. */
  bookingDate: string;
  valueDate: string;
  references: EntryReferences;
  /** Domain, family and subfamily, such as PMNT/ICDT/RRTN, or the bank's own code. */
  transactionCode: string;
  /** Undefined where nothing says that it is a return. */
  returnReason: ReturnReason | undefined;
};

/** One line of the statement. Comes after its transactions. Its references are those of the batch that it books. */
export type StatementEntry = Booking & {
  kind: "entry";
  /** How many transactions the bank lists inside it. */
  transactions: number;
  /** How many it says there are; undefined where it does not say. */
  announcedTransactions: number | undefined;
  information: string;
};

/**
 * One transaction inside an entry. Its amount is the entry's where it has none of its own. Where it names no message or
 * block, those of the batch around it are its own.
 */
export type EntryTransaction = Booking & {
  kind: "transaction";
  /** Line of the entry around it. */
  entryLine: number;
  debtorName: string;
  debtorAccount: string;
  creditorName: string;
  creditorAccount: string;
  remittance: string;
  /** The structured reference of the payee, such as RF18…; also part of the remittance. */
  creditorReference: string;
  information: string;
};

/** Signed, in minor units. */
export type StatementBalance = { code: string; amount: bigint; currency: string; date: string };

/** A whole statement. Comes after its entries. */
export type StatementSummary = {
  kind: "statement";
  line: number;
  column: number;
  id: string;
  account: string;
  /** Of the account; empty where the bank does not say. */
  currency: string;
  sequence: string;
  /** YYYY-MM-DD, or empty. */
  fromDay: string;
  toDay: string;
  createdOn: string;
  balances: StatementBalance[];
  entries: number;
};

export type CamtRecord = StatementEntry | EntryTransaction | StatementSummary;
