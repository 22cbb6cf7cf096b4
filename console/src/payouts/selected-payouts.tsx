// What can be done with the selected payouts. Each is decided by the same write as on its own page.

import type { ManyDecided } from "@server/doors/console/approvals/schema.ts";
import type { PayoutLine } from "@server/doors/console/payouts/schema.ts";
import type { EachResult } from "@server/tenants/acts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { ActOnMany } from "../parts/act-on-many.tsx";
import type { Selection } from "../parts/selection.ts";
import { SelectionBar } from "../parts/selection-bar.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { unsentStages } from "./filters.ts";
import { PayoutsToApprove, toPayoutToApprove } from "./payouts-to-approve.tsx";

const unsent: readonly string[] = unsentStages.split(",");

/** "1,250.00 AUD, 80.00 NZD" */
export function sumText(rows: readonly { amount: number; currency: string }[]): string {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of rows) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sum]) => moneyText(sum.toString(), currency))
    .join(", ");
}

export function SelectedPayouts({ selection }: { selection: Selection<PayoutLine> }) {
  const { id: subaccount_id, mode, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const mayCreate = useMay("payouts.create");
  const mayApprove = useMay("payouts.approve") && !is_closed;
  const failed = selection.rows.filter(({ status }) => status === "failed");
  const cancellable = selection.rows.filter(({ stage }) => unsent.includes(stage));
  const waiting = selection.rows.filter(({ stage }) => stage === "awaiting_approval");
  const each = (act: string) => async (ids: string[]) =>
    (await send<EachResult>("POST", apiOf(`/payouts/many/${act}`), { ids })).results;
  const approve = async (ids: string[]) => {
    const items = ids.map((payout_id) => ({ subaccount_id, payout_id }));
    const path = "/approvals/payouts/approve";
    const { results } = await send<ManyDecided>("POST", path, { items });
    return results.map(({ payout_id, outcome, message }) => ({
      id: payout_id,
      is_done: outcome === "approved",
      message,
    }));
  };
  const done = () => {
    selection.clear();
    void client.invalidateQueries({ queryKey: [subaccount_id] });
    void client.invalidateQueries({ queryKey: ["waiting", "approvals"] });
  };
  const of = (rows: readonly PayoutLine[]) => ({
    items: rows.map((row) => ({ id: row.id, name: nameOf(row) })),
    sum: sumText(rows),
    onDone: done,
  });
  return (
    <SelectionBar selection={selection} sum={sumText(selection.rows)}>
      {mayApprove && waiting.length > 0 && (
        <ActOnMany
          {...of(waiting)}
          label={`Approve ${countText(waiting.length)}`}
          title={`Approve ${countText(waiting.length)} ${waiting.length === 1 ? "payout" : "payouts"}`}
          text="Each is decided separately. You can't approve payouts that you made, or whose bank details you changed."
          details={<PayoutsToApprove mode={mode} payouts={waiting.map(toPayoutToApprove)} />}
          onAct={approve}
        />
      )}
      {mayCreate && !is_closed && failed.length > 0 && (
        <ActOnMany
          {...of(failed)}
          label={`Retry ${countText(failed.length)}`}
          title={`Retry ${countText(failed.length)} ${failed.length === 1 ? "payout" : "payouts"}`}
          text="Each failed payout is created again, with the same receiver, receiver account, amount and reference. A payout is retried once."
          onAct={each("retry")}
        />
      )}
      {mayCreate && cancellable.length > 0 && (
        <ActOnMany
          {...of(cancellable)}
          label={`Cancel ${countText(cancellable.length)}`}
          title={`Cancel ${countText(cancellable.length)} ${cancellable.length === 1 ? "payout" : "payouts"}`}
          text="Payouts that were not sent yet are cancelled, and their money is available again."
          keep="Keep payouts"
          danger
          onAct={each("cancel")}
        />
      )}
    </SelectionBar>
  );
}

function nameOf({ amount, currency, receiver }: PayoutLine): string {
  return payoutsTexts.payoutOfTo(moneyText(amount, currency), receiver.name);
}
