// Creates payouts from a CSV file: checks the whole file, confirms the totals, then imports row by row.

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
import { NoBank } from "./no-bank.tsx";

const path = "/payouts/import";

export function ImportScreen() {
  const pageOf = usePageOf();
  const { is_closed } = useSubaccount();
  const mayCreate = useMay("payouts.create");
  const isBankConnected = useIsBankConnected();
  const refusal = mayCreate ? undefined : payoutsTexts.youMayNotPay;
  return (
    <ImportPage
      title="Import payouts"
      above={<PageLink to={pageOf("payouts")}>{payoutsTexts.payouts}</PageLink>}
      path={path}
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
  const steps = useImport<FileCheck>(path, ({ rows }) => rows);
  const { chosen, setChosen, run, checkCsv, check, starting, start, resume } = steps;
  const [{ retry_of: retryOf }, setFilters] = useFilters();
  const retried = useQuery({
    queryKey: ["refused-rows", id, retryOf],
    queryFn: async () =>
      checkCsv("Refused rows", await getText(apiOf(`/batches/${retryOf}/refused.csv`))),
    enabled: retryOf !== undefined && !chosen,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (retried.data) setChosen(retried.data);
  }, [retried.data, setChosen]);

  const again = () => {
    steps.again();
    setFilters({ retry_of: undefined });
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
          View payouts of this import
        </PageLink>
      </ImportProgress>
    );
  }
  if (chosen) {
    return (
      <Stack gap="md">
        <CheckedFile
          name={chosen.name}
          check={chosen.check}
          isStarting={starting.isPending}
          onStart={(totals) => start({ totals, ...(retryOf && { retry_of: retryOf }) })}
          onAgain={again}
        />
        <Problem error={starting.error} />
      </Stack>
    );
  }
  return (
    <ChooseFile
      isBusy={check.isPending || retried.isFetching}
      hint="Max 4 MB. You'll confirm the totals before anything is paid."
      format="CSV in UTF-8 with commas between columns and a header row. Columns: receiver_id, account_id, amount (for example 12.50), currency; optional: reference, note, allow_duplicate, send_on (YYYY-MM-DD) and statement_reference. All rows are checked before any payout is created. A row that was imported in the last 30 days is not paid again."
      error={check.error ?? retried.error}
      onFile={(file) => check.mutate(file)}
    />
  );
}
