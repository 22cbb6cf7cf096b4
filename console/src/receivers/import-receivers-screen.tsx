// Creates receivers from a spreadsheet: shows every row with its problems, then imports those without any.

import { Stack, Text } from "@mantine/core";
import type { ReceiverFileCheck } from "@server/doors/console/imports/schema.ts";
import { useApprover } from "../api/approver.ts";
import { useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { CheckedRows } from "../imports/checked-rows.tsx";
import { ChooseFile } from "../imports/choose-file.tsx";
import { ImportPage } from "../imports/import-page.tsx";
import { ImportProgress } from "../imports/import-progress.tsx";
import { useImport } from "../imports/use-import.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { receiversTexts } from "../texts/receivers.ts";

const path = "/receivers/import";

export function ImportReceiversScreen() {
  const { is_closed } = useSubaccount();
  const mayWrite = useMay("receivers.write");
  const refusal = mayWrite ? undefined : receiversTexts.youMayNotAdd;
  return (
    <ImportPage
      title={receiversTexts.importReceivers}
      path={path}
      refusal={is_closed ? receiversTexts.closedCantAdd : refusal}
    >
      <ImportReceivers />
    </ImportPage>
  );
}

function ImportReceivers() {
  const approver = useApprover("accounts.approve");
  const pageOf = usePageOf();
  const steps = useImport<ReceiverFileCheck>(path);
  const { chosen, run, check, recheck, starting, start, resume, again } = steps;
  if (run && chosen) {
    return (
      <ImportProgress
        run={run}
        name={chosen.name}
        idName="receiver_id"
        error={starting.error}
        onResume={resume}
        onAgain={again}
      >
        <PageLink to={pageOf("receivers")} fz="sm">
          View receivers
        </PageLink>
      </ImportProgress>
    );
  }
  if (chosen) {
    const { countries } = chosen.check;
    return (
      <Stack gap="md">
        <CheckedRows
          chosen={chosen}
          thing="receiver"
          columns={[
            { title: "Email", of: ({ email }) => email },
            { title: "Country", of: ({ country }) => country },
          ]}
          note={
            countries.length > 0 && (
              <Text size="sm">
                New receivers by country:{" "}
                {countries.map(({ country, receivers }) => `${country} ${receivers}`).join(", ")}
              </Text>
            )
          }
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
      hint="Excel (.xlsx) or CSV, max 10 MB and 50,000 rows. You'll see every row before a receiver is created."
      format={`A header row names the columns, in any order. The template has every column. Bank accounts are added afterwards, by hand or from a file of accounts, and approved by ${approver.within}.`}
      error={check.error}
      onFile={(file) => check.mutate(file)}
    />
  );
}
