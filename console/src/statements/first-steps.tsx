// The first steps of a bank connection: its first statement, and what was at the bank before it. Until then the books begin
// somewhere else than the bank. Nothing once they are done.

import { Alert, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { decideAtBank } from "../parts/decide-at-bank.ts";
import { moneyText } from "../state/money.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import type { BankPositionDetail } from "./position.ts";

export function FirstSteps({ position }: { position: BankPositionDetail }) {
  const { id, currency, closing, opening, opening_waits } = position;
  if (closing !== null && opening === null && !opening_waits) return null;
  const amount = opening === null ? "" : moneyText(opening, currency);
  return (
    <Alert color="blue" title={closing === null ? "First statement" : "Opening balance"}>
      <Stack gap="xs" align="flex-start">
        {closing === null && (
          <>
            <Text size="sm">
              No statements yet. Apply the first one. What was at the bank before it is the opening
              balance: then take that into the books, so that they begin where the bank does.
            </Text>
            <ApplyStatement connectionId={id} />
          </>
        )}
        {opening !== null && (
          <Text size="sm">
            {`${amount} were at the bank before the first statement and are not in the books. Until they are, the two differ by it and no month can be closed.`}
          </Text>
        )}
        {opening_waits ? (
          <Text size="sm">
            The opening balance waits for a second user. <ApprovalsLink kind="bank_request" />
          </Text>
        ) : (
          opening !== null && <TakeOpening id={id} amount={amount} />
        )}
      </Stack>
    </Alert>
  );
}

function TakeOpening({ id, amount }: { id: string; amount: string }) {
  const client = useQueryClient();
  if (!useMay("banks.release")) return null;
  return (
    <Act
      label="Take opening balance"
      confirm={{
        title: "Take the opening balance into the books?",
        text: `${amount} were at the bank before the first statement. They become the company's own money in the books.`,
      }}
      onAct={async () => {
        const path = `/reconcile/banks/${id}/opening`;
        await decideAtBank(path, undefined, "Opening balance taken into the books");
        await client.invalidateQueries({ queryKey: ["banks"] });
      }}
    />
  );
}
