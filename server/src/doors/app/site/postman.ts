// A Postman collection of the public API, with a recorded call for each operation. Bruno and Insomnia import it too.

import { readFileSync } from "node:fs";
import type { Sample } from "../samples/sample.ts";
import { shownBaseUrl } from "./code-samples.ts";
import type { ApiDocument } from "./operation-pages.ts";

export function postmanCollection(document: ApiDocument, samples: readonly Sample[]): object {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const byTag = [...Map.groupBy(operations, ({ tags }) => tags[0] as string)];
  const script = readFileSync(new URL("postman-sign.js", import.meta.url), "utf8");
  return {
    info: {
      name: "Disburse",
      description: "Every operation of the API. Set the variables baseUrl, apiKey and apiSecret.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [
      { key: "baseUrl", value: shownBaseUrl },
      { key: "apiKey", value: "" },
      { key: "apiSecret", value: "", type: "secret" },
    ],
    event: [
      {
        listen: "prerequest",
        script: { type: "text/javascript", exec: script.trimEnd().split("\n") },
      },
    ],
    item: byTag.map(([name, group]) => ({
      name,
      item: group.flatMap(({ operationId, summary, description = "" }) => {
        const sample = samples.find((one) => one.operationId === operationId && one.status === 200);
        return sample ? [{ name: summary, request: { description, ...requestOf(sample) } }] : [];
      }),
    })),
  };
}

function requestOf({ method, path, headers = {}, body }: Sample): object {
  const [pathname = "", search] = path.split("?");
  const query = [...new URLSearchParams(search)].map(([key, value]) => ({ key, value }));
  const given = { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
  return {
    method,
    header: Object.entries(given).map(([key, value]) => ({ key, value })),
    url: {
      raw: `{{baseUrl}}${path}`,
      host: ["{{baseUrl}}"],
      path: pathname.slice(1).split("/"),
      ...(query.length > 0 && { query }),
    },
    ...(body !== undefined && { body: { mode: "raw", raw: JSON.stringify(body, null, 2) } }),
  };
}
