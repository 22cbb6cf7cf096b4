// The steps of an import: a file is chosen and checked, corrected and checked again, its import is started once, and its
// progress is shown.

import type { FileReading } from "@server/doors/console/imports/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { readFile, refuse, rowsProblem } from "./import-file.ts";
import { type Run, runImport } from "./import-run.ts";
import { useWarningBeforeLeaving } from "./leave-warning.ts";
import { useOnce } from "./use-once.ts";

/** What a user says about a file. Everything else is found by the server. */
export type ToldReading = {
  columns?: Record<string, number>;
  fixed?: Record<string, string>;
  decimal?: string;
  edits?: { row: number; field: string; value: string }[];
};

type AnyCheck = { rows: number; reading: FileReading };

/** A file and the result of its check. */
export type Chosen<Check> = { name: string; content: Blob; told: ToldReading; check: Check };

/** `path`: of the import, below the subaccount. */
export function useImport<Check extends AnyCheck>(path: string) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen<Check>>();
  const [run, setRun] = useState<Run>();

  const checkFile = async (
    name: string,
    content: Blob,
    told: ToldReading = {},
  ): Promise<Chosen<Check>> => {
    const check = await send<Check>("POST", apiOf(`${path}/check`), { content, ...told });
    refuse(rowsProblem(check.rows));
    return { name, content, told, check };
  };
  const check = useMutation({
    mutationFn: async (file: File) => checkFile(file.name, await readFile(file)),
    onSuccess: setChosen,
  });
  const recheck = useMutation({
    mutationFn: async (more: ToldReading) => {
      const { name = "", content = new Blob(), told } = chosen ?? {};
      return checkFile(name, content, { ...told, ...more });
    },
    onSuccess: setChosen,
  });
  const starting = useMutation({
    /** `extra`: what is sent beside the file. */
    mutationFn: async (extra: object) => {
      const { content, told, name: file_name, check } = chosen ?? {};
      // As it was shown: another user may have imported a file with other columns meanwhile.
      const { columns, fixed, decimals } = check?.reading ?? {};
      const decimal = decimals?.mark === "undecided" ? {} : { decimal: decimals?.mark };
      const shown = { ...decimal, ...told, columns, fixed };
      await runImport(apiOf(path), { content, file_name, ...shown, ...extra }, setRun);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [id] }),
  });
  const startOnce = useOnce(starting.isIdle);
  useWarningBeforeLeaving(starting.isPending && run !== undefined);

  return {
    chosen,
    setChosen,
    run,
    checkFile,
    check,
    recheck,
    starting,
    start: (extra: object) => startOnce(() => starting.mutate(extra)),
    /** Checks the same file again: rows that were imported are left out. */
    async resume() {
      if (!chosen) return;
      setChosen(await checkFile(chosen.name, chosen.content, chosen.told));
      setRun(undefined);
      starting.reset();
    },
    again() {
      setChosen(undefined);
      setRun(undefined);
      check.reset();
      recheck.reset();
      starting.reset();
    },
  };
}
