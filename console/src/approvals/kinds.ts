// What each kind of request for approval is called, where it is decided, and what happens when it is approved.

import type { Approval } from "@server/doors/console/approvals/schema.ts";
import {
  ArrowLeftRight,
  Eraser,
  FileUp,
  type Icon,
  KeyRound,
  Landmark,
  Layers,
  ListChecks,
  RefreshCw,
  ScrollText,
  Send,
  Trash2,
  UserCog,
} from "../parts/icons.tsx";
import { moneyText } from "../state/money.ts";
import { approvalsTexts } from "../texts/approvals.ts";
import { bankRequestTitle } from "./bank-request.tsx";

type Kind = {
  icon: Icon;
  /** In the filter. */
  label: string;
  /** As the title of its card and in dialogs; `payout to Maria Garcia`. */
  title: (row: Approval) => string;
  /** What approving does. */
  happens: (row: Approval) => string;
  /** Where it is approved and declined, below /console/api. Undefined: on its page. */
  path?: (row: Approval) => string;
  /** The page of the console that has all of it. */
  page?: (row: Approval) => string;
};

const ofSubaccount = ({ subaccount_id }: Approval, ...parts: string[]) =>
  `/s/${[subaccount_id, ...parts].join("/")}`;
const changeRequest = (row: Approval) => ofSubaccount(row, "change-requests", row.id);
const receiverPage = (row: Approval) => ofSubaccount(row, "receivers", row.receiver_id);
const bankFilePage = ({ id }: Approval) => `/banks/batches/${id}`;
const object = ({ request }: Approval) => request?.object ?? "";
const fileText = ({ file }: Approval) =>
  file ? `${moneyText(file.total, file.currency)} from ${file.connection_name}` : "";

export const kinds: Record<Approval["kind"], Kind> = {
  payout: {
    icon: ArrowLeftRight,
    label: "Payout",
    title: ({ receiver_name }) => `payout to ${receiver_name}`,
    happens: () => "The payout is sent to the bank immediately. This usually can't be reversed.",
    path: (row) => ofSubaccount(row, "payouts", row.id),
    page: (row) => ofSubaccount(row, "payouts", row.id),
  },
  batch: {
    icon: Layers,
    label: "Batch of payouts",
    title: () => "batch of payouts",
    happens: () => "Each payout is decided by itself, and sent to the bank immediately.",
    path: (row) => ofSubaccount(row, "batches", row.id),
    page: (row) => ofSubaccount(row, "batches", row.id),
  },
  resolution: {
    icon: ArrowLeftRight,
    label: "Payout ended by hand",
    title: ({ receiver_name, request }) =>
      `payout to ${receiver_name}, ended by hand as ${request?.verb}`,
    happens: ({ request }) =>
      request?.verb === "paid"
        ? "The payout counts as paid."
        : "The payout fails, and its money is available again.",
    page: (row) => ofSubaccount(row, "payouts", row.id),
  },
  bank_change: {
    icon: Landmark,
    label: "Bank details",
    title: ({ change, receiver_name }) =>
      `${change?.is_new ? "new bank account" : "change of bank details"} of ${receiver_name}`,
    happens: ({ receiver_name }) =>
      `${receiver_name} can be paid to this account from now on. Confirm the change with them through a contact that you already know, not by replying to the message that requested it.`,
    path: (row) => ofSubaccount(row, "bank-changes", row.id),
    page: receiverPage,
  },
  key: {
    icon: KeyRound,
    label: "API key",
    title: (row) => `API key ${object(row)}`,
    happens: () => "The API key works immediately, with these permissions.",
    path: changeRequest,
  },
  rotation: {
    icon: RefreshCw,
    label: "Rotated secret",
    title: (row) => `new secret of API key ${object(row)}`,
    happens: () =>
      "The new secret works immediately. The secret before it works for the grace period, then it ends.",
    path: changeRequest,
  },
  limits: {
    icon: KeyRound,
    label: "Limits",
    title: (row) => `limits in ${object(row)}`,
    happens: () => "The limits change immediately.",
    path: changeRequest,
  },
  erasure: {
    icon: Eraser,
    label: approvalsTexts.erasure,
    title: ({ receiver_name }) => `erasure of ${receiver_name}`,
    happens: ({ receiver_name }) =>
      `Every name, email, date of birth, phone, address, bank detail and free text about ${receiver_name} is overwritten everywhere, immediately. This can't be undone. Payouts keep their amounts and dates.`,
    path: changeRequest,
    page: receiverPage,
  },
  bank_file: {
    icon: Send,
    label: "File to a bank",
    title: (row) => `bank file, ${fileText(row)}`,
    happens: ({ file }) =>
      (file?.approvals_missing ?? 1) > 1
        ? "More users have to approve the file before it can go to the bank."
        : "The file can go to the bank.",
    path: bankFilePage,
    page: bankFilePage,
  },
  bank_discard: {
    icon: Trash2,
    label: "Bank file to discard",
    title: (row) => `discard of a bank file, ${fileText(row)}`,
    happens: () =>
      "The payouts go back into the queue. If the bank has the file, they are paid twice: ask the bank first.",
    page: bankFilePage,
  },
  bank_request: {
    icon: FileUp,
    label: "File or decision from a bank",
    title: ({ bank }) => (bank ? bankRequestTitle(bank) : ""),
    happens: ({ bank }) =>
      bank?.what === "file"
        ? "The file is applied with these sums. Compare them with the bank: a user brought the file, and the service did not fetch it."
        : bank?.what === "csv_mapping"
          ? "From now on CSV statements of this bank connection are read in this way."
          : "The decision is applied immediately.",
    path: ({ id }) => `/bank-requests/${id}`,
  },
  bank_connection: {
    icon: Landmark,
    label: "Bank connection",
    title: (row) => `${row.request?.verb} bank connection ${object(row)}`,
    happens: () => "The connection is saved immediately.",
    path: ({ id }) => `/banks/requests/${id}`,
    page: () => "/banks",
  },
  rules: {
    icon: ListChecks,
    label: "Rules",
    title: (row) => `version ${object(row)} of the rules`,
    happens: () =>
      "From now on these rules decide on new payouts. Existing payouts stay as they are.",
    path: ({ id }) => `/rules/versions/${id}`,
    page: () => "/rules",
  },
  screening_list: {
    icon: ScrollText,
    label: "Sanctions list",
    title: (row) =>
      isEmbargo(row)
        ? `end of the embargo of ${object(row)}`
        : ["sanctions list", object(row), row.request?.verb && `of ${row.request.verb}`]
            .filter(Boolean)
            .join(" "),
    happens: (row) =>
      isEmbargo(row)
        ? "Payouts to receivers and accounts there are no longer on hold for the embargo."
        : "Receivers are screened against this version from now on.",
    path: ({ id }) => `/screening/versions/${id}`,
    page: ({ id }) => `/screening/versions/${id}`,
  },
  finance_approval: {
    icon: UserCog,
    label: "Approval by finance",
    title: () => "approval by the role finance",
    happens: () => "Users of the role finance can approve payouts, bank details and bank files.",
    page: () => "/users",
  },
  token: {
    icon: KeyRound,
    label: "Operator token",
    title: (row) => `operator token ${object(row)}`,
    happens: () =>
      "A program with this token can do what its role may do, except approve. It counts as the admin who made it.",
    path: ({ id }) => `/tokens/${id}`,
    page: () => "/tokens",
  },
};

const isEmbargo = ({ request }: Approval) => request?.verb === "embargo";

export const titleOf = (row: Approval) => kinds[row.kind].title(row);

/** What a user is about to decide: several payouts, or one request. */
export type Decision =
  | { act: "approve"; items: readonly Approval[] }
  | { act: "decline"; item: Approval };
