// Changes of bank details that wait for approval.

import { Alert, Stack, Text } from "@mantine/core";
import type { BankChangePage } from "@server/doors/console/bank-changes/schema.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApprover } from "../api/approver.ts";
import { get } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Hourglass } from "../parts/icons.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { When } from "../parts/when.tsx";
import { whoText } from "../state/who.ts";

export function BankChanges({
  receiverId,
  children,
}: {
  receiverId: string;
  /** Shown with the changes, where there are any. */
  children?: ReactNode;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const approver = useApprover("accounts.approve");
  const mayDecide = useMay("accounts.approve");
  const { data } = useQuery({
    queryKey: [id, "receivers", receiverId, "bank-changes"],
    queryFn: ({ signal }) =>
      get<BankChangePage>(apiOf("/bank-changes"), { receiver_id: receiverId }, signal),
  });
  const waiting = data?.rows.filter(({ status }) => status === "waiting") ?? [];
  if (waiting.length === 0) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<Hourglass size={18} aria-hidden />}
      title="Awaiting approval"
    >
      <Stack gap={4}>
        {waiting.map((change) => (
          <Text size="sm" key={change.id}>
            <Sentence
              text={
                change.is_new
                  ? "New account to {account}, requested by {user} {time}"
                  : "Change to {account}, requested by {user} {time}"
              }
              parts={{
                account: `${change.account_number}, ${change.country}`,
                user: whoText(change.made_by),
                time: <When ms={change.made_at} />,
              }}
            />
            {change.changes.length > 0 && !change.is_new && (
              <> ({change.changes.map(({ field }) => field.replaceAll("_", " ")).join(", ")})</>
            )}
          </Text>
        ))}
        {children}
        {mayDecide && (
          <Text size="sm">
            <PageLink to="/approvals" underline="always">
              Approvals
            </PageLink>
            :{" "}
            {approver.isOneEnough
              ? "the requester or another user"
              : "another user than the requester"}{" "}
            decides.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
