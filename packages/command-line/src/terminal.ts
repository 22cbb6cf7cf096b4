// What the output is shown on: its width, and whether colour is wanted. The service fits its text to it.

export type Terminal = { columns: number; colour: boolean };

const usualColumns = 80;
/** The service takes no other widths. */
export const columnsMin = 20;
export const columnsMax = 1000;

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
