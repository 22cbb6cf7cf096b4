// Adds the accounts of the rows of a file by the act of the console: each waits for another user, and is added once.

import { addAccount, type NewReceiverAccount } from "../../people/accounts/index.ts";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import type { ActBy, ActParts } from "../../tenants/acts/index.ts";
import type { Creator, RowResult } from "./create-rows.ts";

export type NewPayeeParts = ActParts & {
  providers: KycProviders;
  screener: Screener;
  /** Called after a commit that made an identity check due. */
  onDue?: (() => void) | undefined;
};

type Added = { id: string } | { problem: Problem } | "waits-already";

export async function addOnce(
  parts: NewPayeeParts,
  by: ActBy,
  account: NewReceiverAccount,
): Promise<Added> {
  try {
    const { change_id, account_id } = await addAccount.perform(parts, by, {}, account);
    return { id: change_id ?? account_id ?? "" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [problem] = error.problems;
    // Another import has proposed it meanwhile.
    return problem.code === "CONS403" ? "waits-already" : { problem };
  }
}

/** For one pass. */
export function accountsOfRows(parts: NewPayeeParts, by: ActBy): Creator<NewReceiverAccount> {
  return {
    batchesAtOnce: 1,
    toCreation: ({ fields }) => fields as unknown as NewReceiverAccount,
    async create(accounts) {
      const results: RowResult[] = [];
      for (const account of accounts) results.push(resultOf(await addOnce(parts, by, account)));
      return results;
    },
  };
}

function resultOf(added: Added): RowResult {
  if (added === "waits-already") return { outcome: "already_imported" };
  if ("problem" in added) return { outcome: "refused", code: added.problem.code };
  return { outcome: "created", id: added.id };
}
