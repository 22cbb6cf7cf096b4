// When the simulated bank answers: the delays of a real one, shortened by its speed.

import type { DecidedFile } from "./decision.ts";

export type BankAnswer = {
  /** The name of the file. The same answer always has the same name. */
  name: string;
  dueMs: number;
  write(): string;
};

const minuteMs = 60_000;
/** After a file has come. */
export const delays = {
  acknowledge: minuteMs,
  pay: 60 * minuteMs,
  comeBack: 24 * 60 * minuteMs,
  statementDay: 24 * 60 * minuteMs,
};

/** `speed` is how much faster than a real bank: 3600 makes a second of an hour. */
export function timesOf({ receivedMs }: Pick<DecidedFile, "receivedMs">, speed: number) {
  return {
    acknowledgeMs: receivedMs + delays.acknowledge / speed,
    payMs: receivedMs + delays.pay / speed,
    returnMs: receivedMs + delays.comeBack / speed,
  };
}
