// Creates payouts from a spreadsheet: checks the whole file, confirms the totals, then imports row by row.

import { Stack } from "@mantine/core";
import type { FileCheck } from "@server/doors/console/imports/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { getText } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { ChooseFile } from "../imports/choose-file.tsx";
import { ImportPage } from "../imports/import-page.tsx";
import { ImportProgress } from "../imports/import-progress.tsx";
import { useImport } from "../imports/use-import.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { useFilters } from "../state/filters.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { useIsBankConnected } from "./balances.ts";
import { CheckedFile } from "./import-check.tsx";
import { NewPayeeColumns } from "./new-payee-columns.tsx";
import { NoBank } from "./no-bank.tsx";

const path = "/payouts/import";
const templates = [
  { label: "Download template", file: "template" },
  { label: "Template with new payees", file: "template-new-payees" },
];

export function ImportScreen() {
  const { is_closed } = useSubaccount();
  const mayCreate = useMay("payouts.create");
  const isBankConnected = useIsBankConnected();
  const refusal = mayCreate ? undefined : payoutsTexts.youMayNotPay;
  return (
    <ImportPage
      title="Import payouts"
      path={path}
      templates={templates}
      refusal={is_closed ? payoutsTexts.closedCantPay : refusal}
    >
      {isBankConnected ? <ImportPayouts /> : <NoBank />}
    </ImportPage>
  );
}

function ImportPayouts() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const steps = useImport<FileCheck>(path);
  const { chosen, setChosen, run, checkFile, check, recheck, starting, start, resume } = steps;
  const [{ retry_of: refusedOf, waiting_of: waitingOf }, setFilters] = useFilters();
  const retryOf = waitingOf ?? refusedOf;
  const retried = useQuery({
    queryKey: ["kept-rows", id, retryOf, waitingOf !== undefined],
    queryFn: async () =>
      checkFile(
        waitingOf ? "Rows that waited" : "Refused rows",
        new Blob([
          await getText(apiOf(`/batches/${retryOf}/${waitingOf ? "waiting" : "refused"}.csv`)),
        ]),
        { decimal: "." },
      ),
    enabled: retryOf !== undefined && !chosen,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (retried.data) setChosen(retried.data);
  }, [retried.data, setChosen]);

  const again = () => {
    steps.again();
    setFilters({ retry_of: undefined, waiting_of: undefined });
  };
  if (run && chosen) {
    return (
      <ImportProgress
        run={run}
        name={chosen.name}
        idName="payout_id"
        error={starting.error}
        onResume={resume}
        onAgain={again}
      >
        <PageLink to={pageOf("batches", run.id)} fz="sm">
          View this import
        </PageLink>
      </ImportProgress>
    );
  }
  if (chosen) {
    return (
      <Stack gap="md">
        <CheckedFile
          chosen={chosen}
          isChecking={recheck.isPending}
          isStarting={starting.isPending}
          onTell={(told) => recheck.mutate(told)}
          onStart={(agreed) => start({ ...agreed, ...(retryOf && { retry_of: retryOf }) })}
          onAgain={again}
        />
        <Problem error={recheck.error ?? starting.error} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <ChooseFile
        isBusy={check.isPending || retried.isFetching}
        hint="Excel (.xlsx) or CSV, max 10 MB and 50,000 rows. You'll confirm the totals before anything is paid."
        format="A header row names the columns, in any order. Each row needs an amount, a currency and who is paid: the receiver's ID, email or reference, or the account's ID or number. Optional: reference, note, send on, statement reference, purpose. You see how each column is read, and correct cells before anything is paid. A row that was imported in the last 30 days is not paid again."
        error={check.error ?? retried.error}
        onFile={(file) => check.mutate(file)}
      />
      <NewPayeeColumns />
    </Stack>
  );
}
