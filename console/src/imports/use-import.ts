// The steps of an import: a file is chosen and checked, its import is started once, and its progress is shown.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { readFile, refuse, rowsProblem } from "./import-file.ts";
import { type Run, runImport } from "./import-run.ts";
import { useWarningBeforeLeaving } from "./leave-warning.ts";
import { useOnce } from "./use-once.ts";

/** A file and the result of its check. */
export type Chosen<Check> = { name: string; csv: string; check: Check };

/** `path`: of the import, below the subaccount. `rowsIn`: how many rows a checked file has. */
export function useImport<Check>(path: string, rowsIn: (check: Check) => number) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Chosen<Check>>();
  const [run, setRun] = useState<Run>();

  const checkCsv = async (name: string, csv: string): Promise<Chosen<Check>> => {
    const check = await send<Check>("POST", apiOf(`${path}/check`), { csv });
    refuse(rowsProblem(rowsIn(check)));
    return { name, csv, check };
  };
  const check = useMutation({
    mutationFn: async (file: File) => checkCsv(file.name, await readFile(file)),
    onSuccess: setChosen,
  });
  const starting = useMutation({
    /** `extra`: what is sent beside the file. */
    mutationFn: async (extra: object) => {
      const { csv, name: file_name } = chosen ?? {};
      await runImport(apiOf(path), { csv, file_name, ...extra }, setRun);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [id] }),
  });
  const startOnce = useOnce(starting.isIdle);
  useWarningBeforeLeaving(starting.isPending && run !== undefined);

  return {
    chosen,
    setChosen,
    run,
    checkCsv,
    check,
    starting,
    start: (extra: object) => startOnce(() => starting.mutate(extra)),
    /** Checks the same file again: rows that were imported are left out. */
    async resume() {
      if (!chosen) return;
      setChosen(await checkCsv(chosen.name, chosen.csv));
      setRun(undefined);
      starting.reset();
    },
    again() {
      setChosen(undefined);
      setRun(undefined);
      check.reset();
      starting.reset();
    },
  };
}
