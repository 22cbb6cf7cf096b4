// The receiver's bank accounts, with masked numbers, and changes that await approval.

import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { Plus } from "../parts/icons.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { WhenBy } from "../parts/when-by.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import { AccountDialog } from "./account-dialog.tsx";
import { BankChanges } from "./bank-changes.tsx";
import { choiceLabels } from "./choice-labels.ts";
import { type AccountLine, type ReceiverDetail, useRenewReceivers } from "./receiver.ts";
import { RevealedNumber } from "./revealed-number.tsx";

const addressOutcomes = {
  valid: "Valid",
  unchecked: "Not checked",
  postcode_mismatch: "Postcode does not match the country",
} as Record<string, string>;

export function AccountsTab({ receiver }: { receiver: ReceiverDetail }) {
  const [editing, setEditing] = useState<AccountLine | "new">();
  const { is_closed } = useSubaccount();
  const mayPropose = useMay("accounts.propose") && !is_closed;
  const { accounts, json } = receiver;
  return (
    <Stack gap="md">
      {mayPropose && (
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<Plus size={15} aria-hidden />}
            onClick={() => setEditing("new")}
          >
            {receiversTexts.addBankAccount}
          </Button>
        </Group>
      )}
      <BankChanges receiverId={json.id} />
      {accounts.length === 0 && (
        <Panel>
          <Empty title="No bank accounts yet" hint="Add a bank account to pay this receiver." />
        </Panel>
      )}
      {accounts.map((account) => (
        <Account
          key={account.id}
          account={account}
          onEdit={mayPropose && account.status === "active" ? () => setEditing(account) : undefined}
        />
      ))}
      <AccountDialog
        editing={editing}
        receiver={{ id: json.id, country: json.address_data.country }}
        onClose={() => setEditing(undefined)}
      />
    </Stack>
  );
}

function VersionAuthor({ version }: { version: AccountLine["versions"][number] }) {
  return <WhenBy ms={version.created_at} who={version.created_by || "an API key"} />;
}

function PayeeNameCheck({ account }: { account: AccountLine }) {
  const { payee_name_check, payee_name_checked_at } = account;
  return (
    <Group gap="xs">
      <Status of="payeeName" value={payee_name_check ?? "unavailable"} />
      {payee_name_checked_at !== null && <When ms={payee_name_checked_at} />}
    </Group>
  );
}

function Account({ account, onEdit }: { account: AccountLine; onEdit: (() => void) | undefined }) {
  const { id, status, bank_name, country, versions } = account;
  const business = account.type === "B" ? account.business_name : "";
  const apiOf = useApiOf();
  const renew = useRenewReceivers();
  const earlier = versions.filter(({ version }) => version !== account.version);
  const current = versions.find(({ version }) => version === account.version);
  const first = versions.find(({ version }) => version === 1);
  return (
    <Panel
      title={[business, bank_name || "Bank account", country].filter(Boolean).join(", ")}
      actions={
        <>
          <Status of="account" value={status} />
          {onEdit && (
            <>
              <Button size="compact-sm" variant="default" onClick={onEdit}>
                Change…
              </Button>
              <Act
                size="compact-sm"
                danger
                label="Close…"
                confirm={{
                  title: `Close account ${account.account_number}?`,
                  text: "A closed account can't be paid and can't be opened again. Earlier payouts keep it.",
                  label: "Close account",
                }}
                done="Account closed"
                onAct={async () => {
                  await send("POST", apiOf(`/accounts/${id}/close`));
                  await renew();
                }}
              />
            </>
          )}
        </>
      }
    >
      <Stack gap="sm">
        <Facts
          items={[
            {
              label: "Account number",
              value: <RevealedNumber accountId={id} masked={account.account_number} />,
            },
            account.bsb !== "" && { label: "BSB", value: account.bsb },
            account.bank_code !== "" && {
              label: "Bank code",
              value: account.bank_code,
            },
            {
              label: "Account holder type",
              value: account.type === "B" ? receiversTexts.business : receiversTexts.individual,
            },
            account.business_name !== "" && {
              label: "Business name",
              value: account.business_name,
            },
            account.checking_or_savings !== "" && {
              label: "Checking or savings",
              value: choiceLabels[account.checking_or_savings],
            },
            account.aka !== "" && { label: receiversTexts.alsoKnownAs, value: account.aka },
            account.address_outcome !== null && {
              label: "Address check",
              value: addressOutcomes[account.address_outcome],
            },
            account.payee_name_check !== null && {
              label: "Payee name check",
              value: <PayeeNameCheck account={account} />,
            },
            {
              label: "Added",
              value: first ? <VersionAuthor version={first} /> : <When ms={account.created_at} />,
            },
            current !== undefined &&
              current !== first && {
                label: "Last changed",
                value: <VersionAuthor version={current} />,
              },
            ...Object.entries(account.metadata ?? {}).map(([label, value]) => ({ label, value })),
            { label: "Account ID", value: <IdChip id={id} short /> },
          ]}
        />
        {earlier.length > 0 && (
          <Stack gap={4}>
            <Text size="xs" fw={600}>
              Previous bank details, used by earlier payouts
            </Text>
            {earlier.map((one) => (
              <Text key={one.version} size="sm" c="dimmed">
                {one.account_number} {one.bsb} {one.bank_name} · {`version ${one.version}`} ·{" "}
                <VersionAuthor version={one} />
              </Text>
            ))}
          </Stack>
        )}
      </Stack>
    </Panel>
  );
}
