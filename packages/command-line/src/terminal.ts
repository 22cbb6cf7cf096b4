// What the output is shown on: its width, and whether colour is wanted. The service fits its text to it.

export type Terminal = { columns: number; colour: boolean };

const usualColumns = 80;
/** The service takes no other widths. */
export const columnsMin = 20;
export const columnsMax = 1000;

/** As 2026-11-20 08:29:33, in the time zone of the computer: a day of another order can be misread. */
export const localTime = (ms: number) => new Date(ms).toLocaleString("sv-SE");

/** Undefined: the output goes into a pipe or a file. */
export function ownTerminal(env: NodeJS.ProcessEnv = process.env): Terminal | undefined {
  const { isTTY, columns } = process.stdout;
  if (!isTTY) return undefined;
  return {
    // A terminal may not know its width: then it says 0.
    columns: Math.min(Math.max(columns || usualColumns, columnsMin), columnsMax),
    colour: !env.NO_COLOR && env.TERM !== "dumb",
  };
}
