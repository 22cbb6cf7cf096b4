// Marks a connection of test subaccounts, and its files.

import { Status } from "../parts/status.tsx";
import { banksTexts } from "../texts/banks.ts";

/** Nothing for a live one. */
export function TestMark({ mode }: { mode: string }) {
  return mode === "test" && <Status of="mode" value={mode} title={banksTexts.testHint} />;
}
