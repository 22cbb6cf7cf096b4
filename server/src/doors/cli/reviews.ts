// disburse reviews list

import { type Command, InvalidArgumentError, Option } from "commander";
import { format } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { caseKinds, type ReviewLine, readQueue, readReviewCursor } from "../review-list/index.ts";
import { withDatabase } from "./database.ts";
import { readCount, readUuid } from "./option-values.ts";
import { printPage, time } from "./output.ts";

type ListOptions = {
  kind?: string;
  subaccount?: string;
  decided?: boolean;
  limit: number;
  cursor?: string;
  json?: boolean;
};

export function addReviewCommands(reviews: Command): void {
  reviews
    .command("list")
    .description("identity checks, hits and payouts on hold that wait for a decision, oldest first")
    .addOption(new Option("--kind <kind>", "only one kind").choices(caseKinds))
    .option("--subaccount <id>", "only those of a subaccount", readUuid)
    .option("--decided", "decisions instead, newest first")
    .option("--limit <count>", "maximum number of cases", readCount, limits.listDefault)
    .option("--cursor <cursor>", "continue where the page before ended", readCursorOption)
    .option("--json", "print JSON")
    .action((options: ListOptions) =>
      withDatabase("reviews list", async ({ db }) => {
        const { kind, subaccount, decided, limit, cursor } = options;
        const filter = {
          ...(kind !== undefined && { kind }),
          ...(subaccount !== undefined && { subaccount_id: subaccount }),
          ...(decided && { tab: "decided" }),
          limit: String(limit),
          ...(cursor !== undefined && { cursor }),
        };
        const viewer = { userId: "", subaccountId: undefined, isEachHit: true };
        printPage("reviews", await readQueue(db, filter, viewer, Date.now()), options, inShort);
      }),
    );
}

function readCursorOption(text: string): string {
  if (readReviewCursor(text)) return text;
  throw new InvalidArgumentError("Give the cursor that the page before printed.");
}

function inShort({
  kind,
  case_id,
  subaccount,
  name,
  since,
  hit,
  hold,
  decision,
  claim,
}: ReviewLine) {
  return {
    kind,
    id: case_id,
    subaccount: subaccount.name,
    receiver: name,
    since: time(String(since)),
    about: hit
      ? `${hit.listed_name || hit.list} ${Math.round(hit.score * 100)}%`
      : hold
        ? format(BigInt(hold.amount), hold.currency)
        : "",
    assigned: claim?.who ?? "",
    ...(decision && { outcome: decision.outcome, by: decision.who, reason: decision.reason }),
  };
}
