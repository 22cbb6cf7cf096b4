// Reads a list in a thread of its own: a long file must not delay the requests that this process serves.

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Problem, Refusal } from "../../refusals/refusals.ts";
import type { NewList } from "./import.ts";
import type { ListFile } from "./list-file.ts";
import { type FileListName, readNewList } from "./readers.ts";

type Work = { list: FileListName; files: ListFile[] };
type Answer = { given: NewList } | { problems: [Problem, ...Problem[]] };

export function readInThread(list: FileListName, files: ListFile[]): Promise<NewList> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { list, files } });
    worker.once("message", (answer: Answer) => {
      if ("given" in answer) resolve(answer.given);
      else reject(new Refusal(answer.problems));
    });
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the thread ended without an answer")));
  });
}

function answer({ list, files }: Work): Answer {
  try {
    return { given: readNewList(list, files) };
  } catch (error) {
    if (error instanceof Refusal) return { problems: [...error.problems] };
    throw error;
  }
}

if (!isMainThread) parentPort?.postMessage(answer(workerData as Work));
