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
import { shownChanges, titleOf } from "./approval-card.tsx";
import { BankRequestFacts } from "./bank-request.tsx";
import { FieldChanges } from "./field-changes.tsx";

const means = {
  key: "The API key works immediately, with these permissions:",
  rotation:
    "The new secret works immediately. The secret before it works for the grace period, then it ends.",
  limits: "The limits change immediately:",
} as const;

export type Decision =
  | { act: "approve"; items: readonly Approval[] }
  | { act: "decline"; item: Approval };

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
  const declined = decision?.act === "decline" ? decision.item : undefined;
  const decline = async (item: Approval, { note }: Reason) => {
    await send("POST", `${pathOf(item)}/decline`, { reason: note });
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
      <Modal
        opened={decision?.act === "approve"}
        onClose={onClose}
        title={decision?.act === "approve" ? approvalTitle(decision.items) : ""}
        size="lg"
      >
        {decision?.act === "approve" && (
          <ApproveForm
            items={decision.items}
            onClose={onClose}
            onDone={async () => {
              onDone(decision.items);
              await refresh();
            }}
          />
        )}
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
  if (items.length === 1 && first?.change) {
    return (
      <>
        <Text size="sm">{`${first.receiver_name} can be paid to this account from now on. Confirm the change with them through a contact that you already know, not by replying to the message that requested it.`}</Text>
        <FieldChanges changes={first.change.changes} isNew={first.change.is_new} />
      </>
    );
  }
  if (first?.bank) {
    const { what } = first.bank;
    const text =
      what === "file"
        ? "The file is applied with these sums. Compare them with the bank: a user brought the file, and the service did not fetch it."
        : what === "csv_mapping"
          ? "From now on CSV statements of this bank connection are read in this way:"
          : "The decision is applied immediately:";
    return (
      <>
        <Text size="sm">{text}</Text>
        <BankRequestFacts bank={first.bank} />
      </>
    );
  }
  if (first?.kind === "erasure") {
    return (
      <Text size="sm">{`Every name, email, date of birth, phone, address, bank detail and free text about ${first.receiver_name} is overwritten everywhere, immediately. This can't be undone. Payouts keep their amounts and dates.`}</Text>
    );
  }
  if (items.length === 1 && first?.request) {
    return (
      <>
        <Text size="sm">{means[first.kind as keyof typeof means]}</Text>
        <FieldChanges changes={shownChanges(first)} isNew={first.kind !== "limits"} />
      </>
    );
  }
  return (
    <>
      <PayoutsToApprove mode={first?.mode ?? ""} payouts={items.flatMap(toPayout)} />
      <Text size="sm">{`${items.length === 1 ? "The payout is" : "The payouts are"} sent to the bank immediately. This usually can't be reversed.`}</Text>
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
      `${pathOf(first)}/approve`,
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

function pathOf({ kind, subaccount_id, id }: Approval): string {
  if (kind === "bank_request") return `/bank-requests/${id}`;
  const folders = { payout: "payouts", bank_change: "bank-changes" } as Record<string, string>;
  return `/s/${subaccount_id}/${folders[kind] ?? "change-requests"}/${id}`;
}
