// How to fund the subaccount: for each currency the deposit reference, and the bank accounts that take its money.

import { Stack, Text } from "@mantine/core";
import type { FundingAccount, FundingInstructions } from "@server/banking/connections/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { PageLoading } from "../shell/page-states.tsx";

export function HowToFund() {
  const { id, mode } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const mayFund = useMay("balances.fund");
  const { data, error, refetch } = useQuery({
    queryKey: [id, "funding"],
    queryFn: ({ signal }) => get<FundingInstructions>(apiOf("/funding"), {}, signal),
  });
  if (!data) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  return (
    <Stack gap="md">
      <Text size="sm" maw={720}>
        {mode === "test" ? (
          <Sentence
            text={`Test money does not come from a bank: ${mayFund ? "choose Add test funds" : "an operator or finance adds test funds"} on the {balances} page. Bank accounts, if there are any, belong to a bank simulator.`}
            parts={{
              balances: (
                <PageLink to={pageOf("balances")} underline="always">
                  Balances
                </PageLink>
              ),
            }}
          />
        ) : (
          data.instructions
        )}
      </Text>
      {data.currencies.map(({ currency, deposit_reference, bank_accounts }) => (
        <Panel key={currency} title={`Fund ${currency}`}>
          <Stack gap="md">
            <Facts
              items={[
                {
                  label: "Deposit reference",
                  value: <IdChip id={deposit_reference} shown={inGroups(deposit_reference)} />,
                },
              ]}
            />
            {bank_accounts.map((account) => (
              <Facts key={account.bank} items={factsOf(account)} />
            ))}
            {bank_accounts.length === 0 && (
              <Text size="sm" c="dimmed">
                {`No bank account takes ${currency}.`}
              </Text>
            )}
          </Stack>
        </Panel>
      ))}
    </Stack>
  );
}

/** Without the parts that an account does not have. */
function factsOf(account: FundingAccount) {
  const copied = [
    ["Account holder", account.holder_name],
    ["BSB", account.bsb],
    ["Bank code", account.bank_code],
    ["Account number", account.account_number],
    ["BIC", account.bic],
  ] as const;
  return [
    { label: "Bank", value: account.bank },
    ...copied.map(([label, text]) => text !== "" && { label, value: <IdChip id={text} /> }),
  ];
}

/** Easier to read aloud and to type. What is copied has no space. */
function inGroups(reference: string): string {
  return `${reference.slice(0, 5)} ${reference.slice(5)}`;
}
