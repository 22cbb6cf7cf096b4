// Reads a list in a thread of its own: a long file must not delay the requests that this process serves.

import { serveCalls, WorkThread } from "../../platform/documents/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import type { NewList } from "./list-entry.ts";
import type { ListFile } from "./list-file.ts";
import { type FileListName, readNewList } from "./readers.ts";

type Work = { list: FileListName; files: ListFile[] };
type Answer = { given: NewList } | { problems: [Problem, ...Problem[]] };

const calls = { read: answer };

serveCalls(import.meta.url, calls);

export async function readInThread(list: FileListName, files: ListFile[]): Promise<NewList> {
  const thread = new WorkThread<typeof calls>(import.meta.url);
  try {
    const read = await thread.call("read", { list, files });
    if ("problems" in read) throw new Refusal(read.problems);
    return read.given;
  } finally {
    await thread.end();
  }
}

function answer({ list, files }: Work): Answer {
  try {
    return { given: readNewList(list, files) };
  } catch (error) {
    if (error instanceof Refusal) return { problems: [...error.problems] };
    throw error;
  }
}
