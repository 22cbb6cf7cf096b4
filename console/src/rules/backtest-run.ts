// Runs a backtest and reports its progress. One that is stopped ends on the server too.

import type { Backtest, BacktestLine, Rule } from "@server/doors/console/rules/schema.ts";
import { useEffect, useRef, useState } from "react";
import { sendForLines } from "../api/call.ts";

export type BacktestRun = {
  /** The rules that it was started with, as text: a later change makes its result outdated. */
  rulesText: string;
  /** Undefined: not running. */
  progress: { payouts: number; done: number } | undefined;
  result: Backtest | undefined;
  error: unknown;
  /** The server ended it. */
  isStopped?: boolean;
};

export function textOfRules(rules: readonly Rule[]): string {
  return JSON.stringify(rules);
}

export function useBacktest() {
  const [run, setRun] = useState<BacktestRun>();
  const stopping = useRef<AbortController>(undefined);
  const stop = () => stopping.current?.abort();
  useEffect(() => () => stopping.current?.abort(), []);
  const start = async (rules: readonly Rule[]) => {
    stop();
    const controller = new AbortController();
    stopping.current = controller;
    const blank = { rulesText: textOfRules(rules), result: undefined, error: undefined };
    setRun({ ...blank, progress: { payouts: 0, done: 0 } });
    const { signal } = controller;
    const onLine = (line: BacktestLine) => {
      if (signal.aborted) return;
      if (line.kind === "progress") setRun({ ...blank, progress: line });
      else if (line.kind === "result")
        setRun({ ...blank, progress: undefined, result: line.result });
      else setRun({ ...blank, progress: undefined, isStopped: true });
    };
    try {
      await sendForLines<BacktestLine>("/rules/backtest", { rules }, onLine, signal);
    } catch (error) {
      if (!signal.aborted) setRun({ ...blank, progress: undefined, error });
    }
    if (signal.aborted) setRun((now) => (now?.progress ? undefined : now));
  };
  return { run, start, stop };
}
