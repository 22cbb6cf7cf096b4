// Creates receivers from a CSV file: shows every row with its problems, then imports those without any.

import { Stack } from "@mantine/core";
import type { ReceiverFileCheck } from "@server/doors/console/imports/schema.ts";
import { useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { ChooseFile } from "../imports/choose-file.tsx";
import { ImportPage } from "../imports/import-page.tsx";
import { ImportProgress } from "../imports/import-progress.tsx";
import { useImport } from "../imports/use-import.ts";
import { PageLink } from "../parts/page-link.tsx";
import { Problem } from "../parts/problem.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import { CheckedReceivers, rowsIn } from "./checked-receivers.tsx";

const path = "/receivers/import";

export function ImportReceiversScreen() {
  const pageOf = usePageOf();
  const { is_closed } = useSubaccount();
  const mayWrite = useMay("receivers.write");
  const refusal = mayWrite ? undefined : receiversTexts.youMayNotAdd;
  return (
    <ImportPage
      title={receiversTexts.importReceivers}
      above={<PageLink to={pageOf("receivers")}>{receiversTexts.receivers}</PageLink>}
      path={path}
      refusal={is_closed ? receiversTexts.closedCantAdd : refusal}
    >
      <ImportReceivers />
    </ImportPage>
  );
}

function ImportReceivers() {
  const pageOf = usePageOf();
  const { chosen, run, check, starting, start, resume, again } = useImport<ReceiverFileCheck>(
    path,
    rowsIn,
  );
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
    return (
      <Stack gap="md">
        <CheckedReceivers
          name={chosen.name}
          check={chosen.check}
          isStarting={starting.isPending}
          onStart={() => start({})}
          onAgain={again}
        />
        <Problem error={starting.error} />
      </Stack>
    );
  }
  return (
    <ChooseFile
      isBusy={check.isPending}
      hint="Max 4 MB. You'll see every row before a receiver is created."
      format="CSV in UTF-8, with commas between columns and a header row. The template has every column. Bank accounts are added to each receiver afterwards, and approved by a second user."
      error={check.error}
      onFile={(file) => check.mutate(file)}
    />
  );
}
