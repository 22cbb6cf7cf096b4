// Makes many payouts from a CSV file: checked whole, agreed to by its totals, then made row by row.

import { Alert, Button, Group, Stack } from "@mantine/core";
import type { FileCheck, ImportLine } from "@server/console/imports/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { addressOf, send, sendForLines } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { useIsBankConnected } from "./balances.ts";
import { FileDrop } from "./file-drop.tsx";
import { type AgreedTotal, CheckedFile } from "./import-check.tsx";
import { fileProblem, rowsProblem } from "./import-file.ts";
import { ImportProgress } from "./import-progress.tsx";
import { newRun, type Run, withLines } from "./import-run.ts";
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
      title="Import payouts"
      above={<PageLink to={pageOf("payouts")}>Payouts</PageLink>}
      actions={
        <Button
          component="a"
          href={addressOf(apiOf("/payouts/import/template.csv"))}
          download
          variant="default"
          leftSection={<Download size={15} aria-hidden />}
        >
          Template
        </Button>
      }
    >
      {mayCreate ? (
        form
      ) : (
        <Alert color="gray">
          {is_closed
            ? "The subaccount is closed: it pays nobody."
            : "Your role may not make payouts."}
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

  const check = useMutation({
    mutationFn: async (file: File) => {
      const csv = await file.text();
      refuse(fileProblem(csv));
      const found = await checkCsv(csv);
      refuse(rowsProblem(found.rows));
      return { name: file.name, csv, check: found };
    },
    onSuccess: setChosen,
  });
  const checkCsv = (csv: string) =>
    send<FileCheck>("POST", apiOf("/payouts/import/check"), { csv });

  const start = useMutation({
    mutationFn: async (totals: AgreedTotal[]) => {
      const body = { csv: chosen?.csv, totals };
      const lines = gathering<ImportLine>((some) =>
        setRun((before) => withLines(before ?? newRun(Date.now()), some)),
      );
      await sendForLines<ImportLine>(apiOf("/payouts/import"), body, lines.add);
      lines.end();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [id] }),
  });
  useWarningBeforeLeaving(start.isPending && run !== undefined);

  const again = () => {
    setChosen(undefined);
    setRun(undefined);
    check.reset();
    start.reset();
  };
  if (run) {
    return (
      <ImportProgress
        run={run}
        name={chosen?.name ?? "payouts"}
        error={start.error}
        onResume={async () => {
          if (!chosen) return;
          setChosen({ ...chosen, check: await checkCsv(chosen.csv) });
          setRun(undefined);
          start.reset();
        }}
        onAgain={again}
      />
    );
  }
  if (chosen) {
    return (
      <Stack gap="md">
        <CheckedFile
          name={chosen.name}
          check={chosen.check}
          isStarting={start.isPending}
          onStart={(totals) => start.mutate(totals)}
          onAgain={again}
        />
        <Problem error={start.error} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <FileDrop isBusy={check.isPending} onFile={(file) => check.mutate(file)} />
      <Problem error={check.error} />
      <Group gap={4}>
        <ImportHint />
      </Group>
    </Stack>
  );
}

function refuse(message: string | undefined): void {
  if (message) throw new ApiProblem(400, message, [{ code: "", message }]);
}

function ImportHint() {
  return (
    <Alert color="gray" variant="light" title="What the file looks like">
      CSV in UTF-8 with commas between columns and a header: receiver_id, account_id, amount (such
      as 12.50), currency; optional: reference, note and allow_duplicate. Every row is checked
      before any payout is created. A row that was imported in the last 30 days is not paid again.
    </Alert>
  );
}

/** Lines come faster than a page should be drawn: they are handed on together, a few times a second. */
function gathering<Line>(hand: (lines: Line[]) => void) {
  let waiting: Line[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) hand(lines);
  };
  return {
    add(line: Line) {
      waiting.push(line);
      timer ??= setTimeout(end, 120);
    },
    end,
  };
}

/** A page that is closed stops the import after the batch under way. */
function useWarningBeforeLeaving(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isUnderWay]);
}
