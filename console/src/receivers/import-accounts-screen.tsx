// Adds accounts to receivers from a spreadsheet: shows every row with its problems, then proposes the accounts of the others.

import { Stack } from "@mantine/core";
import type { AccountFileCheck } from "@server/doors/console/imports/schema.ts";
import { useApprover } from "../api/approver.ts";
import { useMay, useSubaccount } from "../api/me.ts";
import { CheckedRows } from "../imports/checked-rows.tsx";
import { ChooseFile } from "../imports/choose-file.tsx";
import { ImportPage } from "../imports/import-page.tsx";
import { ImportProgress } from "../imports/import-progress.tsx";
import { useImport } from "../imports/use-import.ts";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { receiversTexts } from "../texts/receivers.ts";

const path = "/accounts/import";

export function ImportAccountsScreen() {
  const { is_closed } = useSubaccount();
  const mayPropose = useMay("accounts.propose");
  const refusal = mayPropose ? undefined : receiversTexts.youMayNotAddAccounts;
  return (
    <ImportPage
      title={receiversTexts.importAccounts}
      path={path}
      refusal={is_closed ? receiversTexts.closedCantHaveAccounts : refusal}
    >
      <ImportAccounts />
    </ImportPage>
  );
}

function ImportAccounts() {
  const approver = useApprover("accounts.approve");
  const steps = useImport<AccountFileCheck>(path);
  const { chosen, run, check, recheck, starting, start, resume, again } = steps;
  if (run && chosen) {
    return (
      <ImportProgress
        run={run}
        name={chosen.name}
        idName="change_id"
        error={starting.error}
        onResume={resume}
        onAgain={again}
      >
        <ApprovalsLink kind="bank_change" />
      </ImportProgress>
    );
  }
  if (chosen) {
    return (
      <Stack gap="md">
        <CheckedRows
          chosen={chosen}
          thing="account"
          columns={[{ title: "Account", of: ({ account }) => account }]}
          remarksOf={({ remarks }) => remarks}
          isChecking={recheck.isPending}
          onTell={(told) => recheck.mutate(told)}
          isStarting={starting.isPending}
          onStart={() => start({})}
          onAgain={again}
        />
        <Problem error={recheck.error ?? starting.error} />
      </Stack>
    );
  }
  return (
    <ChooseFile
      isBusy={check.isPending}
      hint="Excel (.xlsx) or CSV, max 10 MB and 50,000 rows. You'll see every row before an account is added."
      format={`A header row names the columns, in any order. Each row names a receiver by ID, email or reference, and the account by its number and bank code. Each account has to be approved by ${approver.within}.`}
      error={check.error}
      onFile={(file) => check.mutate(file)}
    />
  );
}
