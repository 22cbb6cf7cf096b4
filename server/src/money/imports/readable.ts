// A file that can't be read is refused with the reason.

import { Refusal } from "../../platform/refusals/index.ts";
import { UnreadableFile } from "../sheets/index.ts";

export async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // A page shows it in one line.
    throw new Refusal("CONS502", { message: error.message.replaceAll("\n", ". ") });
  }
}
