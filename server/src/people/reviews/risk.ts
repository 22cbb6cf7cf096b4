// The risks that make the approval of an identity need two users: an earlier rejection, or another receiver like it.

import { newestId } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type LockedReceiver, listHistory, type ReceiverKey } from "../receivers/index.ts";
import { type LikeRow, listSameAccount, listSameBirth, listSamePhone } from "./case-queries.ts";
import { hasFailedCheck } from "./identity.ts";

type LikeReceiver = LikeRow & { kind: "phone" | "birth" | "bank_account" };

export async function findRisk(
  { db, seal }: { db: Runner; seal: Seal },
  key: ReceiverKey,
  receiver: LockedReceiver,
) {
  const page = { beforeId: newestId, limit: limits.receiverShownMax };
  const history = await listHistory(db, key, page);
  const hasFailed = hasFailedCheck(history);
  const as = (kind: LikeReceiver["kind"]) => (row: LikeRow) => ({ ...row, kind });
  const duplicates: LikeReceiver[] = [
    ...(await listSamePhone({ db, seal }, key, receiver)).map(as("phone")),
    ...(await listSameBirth({ db, seal }, key, receiver)).map(as("birth")),
    ...(await listSameAccount({ db, seal }, key)).map(as("bank_account")),
  ];
  return { history, hasFailed, duplicates, isHigh: hasFailed || duplicates.length > 0 };
}
