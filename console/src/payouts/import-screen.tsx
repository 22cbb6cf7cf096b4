// Creates payouts from a CSV file: checks the whole file, confirms the totals, then imports row by row.

import { Alert, Button, Group, Stack } from "@mantine/core";
import type { FileCheck } from "@server/console/imports/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { addressOf, getText, send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { FileDrop } from "../imports/file-drop.tsx";
import { readFile, refuse, rowsProblem } from "../imports/import-file.ts";
import { ImportProgress } from "../imports/import-progress.tsx";
import { type Run, runImport } from "../imports/import-run.ts";
import { useWarningBeforeLeaving } from "../imports/leave-warning.ts";
import { useOnce } from "../imports/use-once.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { useIsBankConnected } from "./balances.ts";
import { type AgreedTotal, CheckedFile } from "./import-check.tsx";
import { NoBank } from "./no-bank.tsx";

type Chosen = { name: string; csv: string; check: FileCheck };

export function ImportScreen() {
  const pageOf = usePageOf();
  const apiOf = useApiOf();
  const { is_closed } = useSubaccount();
  const mayCreate = useMay("payouts.create") && !is_closed;
  const isBankConnected = useIsBankConnected();
  const form = isBankConnected ? <Import /> : <NoBank />;
  return (
    <Screen
      title={payoutsTexts.importPayouts}
      above={<PageLink to={pageOf("payouts")}>{payoutsTexts.payouts}</PageLink>}
      actions={
        <Button
          component="a"
          href={addressOf(apiOf("/payouts/import/template.csv"))}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden />}
        >
          {payoutsTexts.downloadTemplate}
        </Button>
      }
    >
      {mayCreate ? (
        form
      ) : (
        <Alert color="gray">
          {is_closed
            ? payoutsTexts.thisSubaccountIsClosedItCant
            : payoutsTexts.youDontHavePermissionToMake}
        </Alert>
      )}
    </Screen>
  );
}

function Import() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const [run, setRun] = useState<Run>();
  const pageOf = usePageOf();

  const check = useMutation({
    mutationFn: async (file: File) => {
      const csv = await readFile(file);
      const found = await checkCsv(csv);
      refuse(rowsProblem(found.rows));
      return { name: file.name, csv, check: found };
    },
    onSuccess: setChosen,
  });
  const [{ retry_of: retryOf }, setFilters] = useFilters();
  const retried = useQuery({
    queryKey: ["refused-rows", id, retryOf],
    queryFn: async (): Promise<Chosen> => {
      const csv = await getText(apiOf(`/batches/${retryOf}/refused.csv`));
      return { name: payoutsTexts.retriedRows, csv, check: await checkCsv(csv) };
    },
    enabled: retryOf !== undefined && !chosen,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (retried.data) setChosen(retried.data);
  }, [retried.data]);
  const checkCsv = (csv: string) =>
    send<FileCheck>("POST", apiOf("/payouts/import/check"), { csv });

  const start = useMutation({
    mutationFn: async (totals: AgreedTotal[]) => {
      const { csv, name: file_name } = chosen ?? {};
      const file = { csv, file_name, ...(retryOf && { retry_of: retryOf }) };
      await runImport(apiOf("/payouts/import"), { ...file, totals }, setRun);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [id] }),
  });
  const startOnce = useOnce(start.isIdle);
  useWarningBeforeLeaving(start.isPending && run !== undefined);

  const again = () => {
    setChosen(undefined);
    setRun(undefined);
    setFilters({ retry_of: undefined });
    check.reset();
    start.reset();
  };
  if (run) {
    return (
      <ImportProgress
        run={run}
        name={chosen?.name ?? "payouts"}
        idName="payout_id"
        error={start.error}
        onResume={async () => {
          if (!chosen) return;
          setChosen({ ...chosen, check: await checkCsv(chosen.csv) });
          setRun(undefined);
          start.reset();
        }}
        onAgain={again}
      >
        <PageLink to={pageOf("batches", run.id)} fz="sm">
          {payoutsTexts.viewPayoutsOfThisImport}
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
          isStarting={start.isPending}
          onStart={(totals) => startOnce(() => start.mutate(totals))}
          onAgain={again}
        />
        <Problem error={start.error} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <FileDrop
        isBusy={check.isPending || retried.isFetching}
        hint={payoutsTexts.max4MbYoullConfirmThe}
        onFile={(file) => check.mutate(file)}
      />
      <Problem error={check.error ?? retried.error} />
      <Group gap={4}>
        <ImportHint />
      </Group>
    </Stack>
  );
}

function ImportHint() {
  return (
    <Alert color="gray" variant="light" title={payoutsTexts.fileFormat}>
      {payoutsTexts.csvInUtf8WithCommas}
    </Alert>
  );
}
