// Creates receivers from a CSV file: shows every row with its problems, then imports those without any.

import { Alert, Button, Stack } from "@mantine/core";
import type { ReceiverFileCheck } from "@server/console/imports/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { addressOf, send } from "../api/call.ts";
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
import { importsTexts } from "../texts/imports.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { CheckedReceivers } from "./checked-receivers.tsx";

type Chosen = { name: string; csv: string; check: ReceiverFileCheck };

export function ImportReceiversScreen() {
  const pageOf = usePageOf();
  const apiOf = useApiOf();
  const { is_closed } = useSubaccount();
  const mayWrite = useMay("receivers.write");
  return (
    <Screen
      title={receiversTexts.importReceivers}
      above={<PageLink to={pageOf("receivers")}>{receiversTexts.receivers}</PageLink>}
      actions={
        <Button
          component="a"
          href={addressOf(apiOf("/receivers/import/template.csv"))}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden />}
        >
          {importsTexts.downloadTemplate}
        </Button>
      }
    >
      {mayWrite && !is_closed ? (
        <ImportReceivers />
      ) : (
        <Alert color="gray">
          {is_closed ? receiversTexts.closedCantAdd : receiversTexts.youMayNotAdd}
        </Alert>
      )}
    </Screen>
  );
}

function ImportReceivers() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const [run, setRun] = useState<Run>();

  const checkCsv = async (name: string, csv: string): Promise<Chosen> => {
    const path = apiOf("/receivers/import/check");
    const check = await send<ReceiverFileCheck>("POST", path, { csv });
    refuse(rowsProblem(Object.values(check.counts).reduce((sum, count) => sum + count, 0)));
    return { name, csv, check };
  };
  const check = useMutation({
    mutationFn: async (file: File) => checkCsv(file.name, await readFile(file)),
    onSuccess: setChosen,
  });
  const start = useMutation({
    mutationFn: ({ csv, name: file_name }: Chosen) =>
      runImport(apiOf("/receivers/import"), { csv, file_name }, setRun),
    onSettled: () => void client.invalidateQueries({ queryKey: [id] }),
  });
  const startOnce = useOnce(start.isIdle);
  useWarningBeforeLeaving(start.isPending && run !== undefined);

  const again = () => {
    setChosen(undefined);
    setRun(undefined);
    check.reset();
    start.reset();
  };
  if (run && chosen) {
    return (
      <ImportProgress
        run={run}
        name={chosen.name}
        idName="receiver_id"
        error={start.error}
        onResume={async () => {
          setChosen(await checkCsv(chosen.name, chosen.csv));
          setRun(undefined);
          start.reset();
        }}
        onAgain={again}
      >
        <PageLink to={pageOf("receivers")} fz="sm">
          {importsTexts.viewReceivers}
        </PageLink>
      </ImportProgress>
    );
  }
  if (chosen) {
    return (
      <Stack gap="md">
        <CheckedReceivers
          name={chosen.name}
          check={chosen.check}
          isStarting={start.isPending}
          onStart={() => startOnce(() => start.mutate(chosen))}
          onAgain={again}
        />
        <Problem error={start.error} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <FileDrop
        isBusy={check.isPending}
        hint={importsTexts.receiverHint}
        onFile={(file) => check.mutate(file)}
      />
      <Problem error={check.error} />
      <Alert color="gray" variant="light" title={importsTexts.fileFormat}>
        {importsTexts.receiverFormat}
      </Alert>
    </Stack>
  );
}
