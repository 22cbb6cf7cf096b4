// Uploads the files of a sanctions list, as the console's page does.

import type { ListFile } from "../../src/people/list-files/list-file.ts";
import type { TestPerson } from "./console.ts";
import type { Answer } from "./service.ts";

export async function uploadList(
  origin: string,
  { cookie, ready }: TestPerson,
  list: string,
  files: readonly ListFile[],
  path = `/screening/lists/${list}/versions`,
): Promise<Answer> {
  await ready;
  const named = files.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
  const response = await fetch(
    `${origin}/console/api${path}?files=${encodeURIComponent(JSON.stringify(named))}`,
    {
      method: "POST",
      headers: {
        cookie,
        origin,
        "content-type": "application/octet-stream",
        "sec-fetch-site": "same-origin",
        "x-requested-with": "disburse-console",
      },
      body: Buffer.concat(files.map(({ bytes }) => bytes)),
    },
  );
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text), headers: response.headers };
}
