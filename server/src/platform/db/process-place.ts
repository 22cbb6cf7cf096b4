// The place of this process among the processes of one `disburse serve`, which share its limits and its polls.

export type ProcessPlace = {
  /** From 1 to `processes`. */
  number: number;
  processes: number;
};

export const onlyProcess: ProcessPlace = { number: 1, processes: 1 };

/** The part of a limit that one process gets, at least 1: together they stay within the limit for all. */
export function shareOf(limit: number, { processes }: ProcessPlace): number {
  return Math.max(1, Math.floor(limit / processes));
}
