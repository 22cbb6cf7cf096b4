// Confirms an approval of payouts with their accounts and totals, and asks for the reason of a decline.

import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Approval, ManyDecided } from "@server/doors/console/approvals/schema.ts";
import type { ApprovedRequest } from "@server/money/payouts/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { Problem } from "../parts/problem.tsx";
import { type Reason, ReasonDialog } from "../parts/reason-dialog.tsx";
import {
  accountText,
  PayoutsToApprove,
  type PayoutToApprove,
} from "../payouts/payouts-to-approve.tsx";
import { approvalsTexts } from "../texts/approvals.ts";
import { Changes } from "./approval-facts.tsx";
import { BankRequestFacts } from "./bank-request.tsx";
import { type Decision, kinds, titleOf } from "./kinds.ts";
import { BatchDecision, FileDecision } from "./large-decisions.tsx";

type Refused = { id: string; message: string };
type Outcome = { refused: Refused[]; applicant: ApprovedRequest["applicant"] };

export function DecisionDialogs({
  decision,
  onClose,
  onDone,
}: {
  decision: Decision | undefined;
  onClose: () => void;
  onDone: (decided: readonly Approval[]) => void;
}) {
  const client = useQueryClient();
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ["across", "approvals"] });
    await client.invalidateQueries({ queryKey: ["waiting", "approvals"] });
  };
  const declined =
    decision?.act === "decline" && decision.item.kind !== "batch" ? decision.item : undefined;
  const approved = decision?.act === "approve" ? decision.items : [];
  const [first] = approved;
  const finish = async () => {
    onDone(decision?.act === "decline" ? [decision.item] : approved);
    await refresh();
  };
  const decline = async (item: Approval, { note }: Reason) => {
    await send("POST", `${kinds[item.kind].path?.(item)}/decline`, { reason: note });
    notifications.show({
      message: item.is_own ? "Withdrawn" : "Declined",
      color: "teal",
    });
    await refresh();
  };
  return (
    <>
      <ReasonDialog
        opened={declined !== undefined}
        draft={`decline-${declined?.id}`}
        title={declined ? declineTitle(declined) : ""}
        text={
          declined?.payout
            ? "The amount becomes available again immediately. The subaccount receives an event that the payout failed, with this reason."
            : "Nothing changes. The requester can read this reason."
        }
        noteLabel="Reason"
        label={declined?.is_own ? approvalsTexts.withdraw : approvalsTexts.decline}
        danger
        onReason={(reason) => (declined ? decline(declined, reason) : Promise.resolve())}
        onClose={onClose}
      />
      <BatchDecision decision={decision} onClose={onClose} onDone={() => void finish()} />
      <FileDecision
        row={first?.kind === "bank_file" ? first : undefined}
        onClose={onClose}
        onDone={() => void finish()}
      />
      <Modal
        opened={first !== undefined && first.kind !== "batch" && first.kind !== "bank_file"}
        onClose={onClose}
        title={approvalTitle(approved)}
        size="lg"
      >
        <ApproveForm items={approved} onClose={onClose} onDone={finish} />
      </Modal>
    </>
  );
}

/** A separate component, so that its state is reset whenever the dialog opens. */
function ApproveForm({
  items,
  onClose,
  onDone,
}: {
  items: readonly Approval[];
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const isErasure = items[0]?.kind === "erasure";
  const { bank } = items[0] ?? {};
  const approve = useMutation({
    mutationFn: () => approveAll(items),
    onSuccess: async ({ refused, applicant }) => {
      await onDone();
      const done = items.length - refused.length;
      if (applicant) {
        notifications.show({
          message: `Receiver erased. Erase the applicant ${applicant.id} at ${applicant.provider} too: it has data of its own.`,
          color: "yellow",
          autoClose: false,
        });
      } else if (done > 0) {
        const one = isErasure ? "Receiver erased" : bank ? "Confirmed and applied" : "Approved";
        notifications.show({
          message: done === 1 ? one : `${done} approved`,
          color: "teal",
        });
      }
      if (refused.length === 0) onClose();
    },
  });
  const refused = approve.data?.refused ?? [];
  if (refused.length > 0) {
    return (
      <Stack gap="md">
        <Text size="sm">
          {`${items.length - refused.length} of ${items.length} were approved. These were not:`}
        </Text>
        <List size="sm">
          {refused.map(({ id, message }) => (
            <List.Item key={id}>
              {id}: {message}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <WhatHappens items={items} />
      <Problem error={approve.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(isErasure ? { color: "red" } : {})}
          onClick={() => approve.mutate()}
          loading={approve.isPending}
          data-autofocus
        >
          {isErasure
            ? "Erase for good"
            : bank
              ? approvalsTexts.atBank.confirm
              : approvalsTexts.approve}
        </Button>
      </Group>
    </Stack>
  );
}

function WhatHappens({ items }: { items: readonly Approval[] }) {
  const [first] = items;
  if (!first) return null;
  if (first.payout) {
    return (
      <>
        <PayoutsToApprove mode={first.mode} payouts={items.flatMap(toPayout)} />
        <Text size="sm">
          {items.length === 1
            ? kinds.payout.happens(first)
            : "The payouts are sent to the bank immediately. This usually can't be reversed."}
        </Text>
      </>
    );
  }
  return (
    <>
      <Text size="sm">{kinds[first.kind].happens(first)}</Text>
      <Changes row={first} />
      {first.bank && <BankRequestFacts bank={first.bank} />}
    </>
  );
}

function toPayout({ id, payout, ...row }: Approval): PayoutToApprove[] {
  if (!payout) return [];
  const { amount, currency, reference, bank_name } = payout;
  return [
    {
      id,
      amount,
      currency,
      receiver: row.receiver_name,
      account: accountText({ tail: row.account_number, bank_name }),
      reference,
      subaccount: row.subaccount_name,
    },
  ];
}

function declineTitle(item: Approval): string {
  const title = titleOf(item);
  return item.is_own ? `Withdraw ${title}` : `Decline ${title}`;
}

function approvalTitle(items: readonly Approval[]): string {
  const [first] = items;
  if (first?.bank) return `Confirm: ${titleOf(first)}`;
  return items.length === 1 && first
    ? `Approve ${titleOf(first)}`
    : `Approve ${items.length} payouts`;
}

/** Returns the payouts that were refused. A single refused one throws. */
async function approveAll(items: readonly Approval[]): Promise<Outcome> {
  const [first] = items;
  if (items.length === 1 && first) {
    // Only the response to an approved erasure can name an applicant.
    const { applicant = null } = await send<Partial<ApprovedRequest>>(
      "POST",
      `${kinds[first.kind].path?.(first)}/approve`,
      first.bank ? { sha256: first.bank.sha256 } : {},
    );
    return { refused: [], applicant };
  }
  const asked = items.map(({ subaccount_id, id }) => ({ subaccount_id, payout_id: id }));
  const { results } = await send<ManyDecided>("POST", "/approvals/payouts/approve", {
    items: asked,
  });
  const refused = results
    .filter(({ outcome }) => outcome === "refused")
    .map(({ payout_id, message }) => ({ id: payout_id, message: message ?? "" }));
  return { refused, applicant: null };
}
