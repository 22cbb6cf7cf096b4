// Calls of the operator API that the samples show, after the story of the subaccount: what each list and its objects look like.

import type { Call } from "./story.ts";

export async function tellOperatorStory(call: Call, subaccountId: string): Promise<void> {
  const read = (path: string) => call(operationIdOf(path), `GET /operator/v1/${path}`);
  await read("me");
  await read("subaccounts");
  await read("users");
  await read("approvals");
  await read("approvals/count");
  await read("reviews");
  await read("reviews/count");
  await read("rules");
  await read("rules/versions");
  await read("banks");
  await read("banks/batches");
  await read("banks/suspense");
  const of = (path: string) => read(`s/${subaccountId}/${path}`);
  const receivers = await of("receivers");
  await of(`receivers/${receivers.rows[0].id}`);
  // A payout by its id shows how many milliseconds deliveries took, and those are never the same.
  await of("payouts");
  for (const path of ["payouts/counts", "batches", "funding", "limits", "settings"]) await of(path);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** As the document of the operator API names them: an id has the name of its place. */
function operationIdOf(path: string): string {
  const parts = (path.split("?")[0] ?? "").split("/");
  const names = parts.map((part, index) => {
    if (!uuid.test(part)) return part;
    return parts[index - 1] === "s" ? "subaccountId" : "id";
  });
  return ["get", ...names].join("-");
}
