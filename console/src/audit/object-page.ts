// The page of an object that the audit log names, below /console.

export type ObjectOf = {
  object_kind: string;
  object_id: string;
  subaccount_id: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

const pages: Record<string, (id: string) => string> = {
  payout: (id) => `payouts/${id}`,
  batch: (id) => `batches/${id}`,
  receiver: (id) => `receivers/${id}`,
  event: (id) => `webhooks/events/${id.startsWith("evt_") ? id : `evt_${id}`}`,
  recovery: () => "webhooks?tab=recoveries",
  month: () => "reconcile",
  transfer: () => "reconcile",
  api_key: () => "keys",
  limit: () => "settings?tab=limits",
  subaccount: () => "settings",
};

/** Undefined where there is none. */
export function objectPage(of: ObjectOf): string | undefined {
  const { object_kind, object_id, subaccount_id } = of;
  if (object_kind === "person") return "/users";
  if (object_kind === "operator_token") return "/tokens?status=all";
  if (object_kind === "rules") return "/rules";
  if (object_kind === "bank_batch") return `/banks/batches/${object_id}`;
  if (object_kind === "bank_inbound_file") return `/banks/inbound/${object_id}`;
  if (object_kind === "bank_suspense_item") return `/banks/suspense/${object_id}`;
  if (object_kind === "bank_statement_line") return `/reconcile/lines/${object_id}`;
  if (object_kind === "bank_exception") return "/reconcile/exceptions";
  if (object_kind === "screening_hit") return `/reviews?case=hit.${subaccount_id}.${object_id}`;
  if (object_kind.startsWith("bank_connection")) return "/banks";
  const own = Object.hasOwn(pages, object_kind) ? pages[object_kind]?.(object_id) : undefined;
  const page = object_kind === "account" ? receiverPage(of) : own;
  // A subaccount's own entry may be noted under no other.
  const owner = subaccount_id ?? (object_kind === "subaccount" ? object_id : null);
  return page !== undefined && owner !== null ? `/s/${owner}/${page}` : undefined;
}

/** An account is shown with its receiver. */
function receiverPage({ before, after }: ObjectOf): string | undefined {
  const id = after?.receiver_id ?? before?.receiver_id;
  return typeof id === "string" ? `receivers/${id}` : undefined;
}
