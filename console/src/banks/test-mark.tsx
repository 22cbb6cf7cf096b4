// Marks a connection of test subaccounts, and its files.

import { Status } from "../parts/status.tsx";

/** Nothing for a live one. */
export function TestMark({ mode }: { mode: string }) {
  return (
    mode === "test" && (
      <Status
        of="mode"
        value={mode}
        title="No real money moves: these files are for the bank simulator. Never upload them at a real bank."
      />
    )
  );
}
