// The identity check by Sumsub: the worker creates applicants and asks for outcomes; reports arrive by webhook.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type Applicant,
  ApplicantRefused,
  type PersonLink,
  type RemoteProvider,
} from "./provider.ts";
import { type SumsubAnswer, type SumsubCall, sumsubCaller } from "./sumsub-call.ts";
import { decisionOf, isApplicantId, type SumsubFields } from "./sumsub-review.ts";
import { sumsubWebhook } from "./sumsub-webhook.ts";

export type SumsubOptions = {
  baseUrl: string;
  appToken: string;
  secretKey: string;
  webhookSecret: string;
  levelName: string;
  pollAfterMs: number;
  fetch?: typeof fetch;
  clock?: Clock;
};

const applicants = "/resources/applicants";
const linkPath = "/resources/sdkIntegrations/levels/-/websdkLink";
const linkCharsMax = 2_000;
const pathOf = (applicantId: string) => `${applicants}/${encodeURIComponent(applicantId)}`;

export function sumsubProvider(options: SumsubOptions): RemoteProvider {
  const { webhookSecret, levelName, pollAfterMs, clock = systemClock } = options;
  const call = sumsubCaller({ ...options, fetch: options.fetch ?? fetch, clock });

  async function ask(request: SumsubCall, signal: AbortSignal): Promise<SumsubFields> {
    const { fields, failure } = await call(request, signal);
    if (!fields) throw new Error(failure);
    return fields;
  }

  async function createApplicant(applicant: Applicant, signal: AbortSignal): Promise<string> {
    const query = `?levelName=${encodeURIComponent(levelName)}`;
    const body = newApplicant(applicant);
    const answer = await call({ method: "POST", path: applicants, query, body }, signal);
    // It exists already, perhaps from a call of ours whose response was lost.
    if (answer.status === 409) return findApplicant(applicant.receiverId, signal);
    if (answer.status === 400 || answer.status === 422) throw new ApplicantRefused(answer.failure);
    return applicantIdIn(answer, applicant.receiverId);
  }

  async function findApplicant(receiverId: string, signal: AbortSignal): Promise<string> {
    const path = `${applicants}/-;externalUserId=${encodeURIComponent(receiverId)}/one`;
    return applicantIdIn(await call({ method: "GET", path }, signal), receiverId);
  }

  async function statusOf(applicantId: string, signal: AbortSignal): Promise<SumsubFields> {
    const request: SumsubCall = { method: "GET", path: `${pathOf(applicantId)}/status` };
    const answer = await call(request, signal);
    if (typeof answer.fields?.reviewStatus !== "string") throw new Error(answer.failure);
    return answer.fields;
  }

  async function personLink(applicant: Applicant, signal: AbortSignal): Promise<PersonLink> {
    const { receiverId, email } = applicant;
    // Taken before the call, so that the link never ends earlier than we say.
    const expiresAtMs = clock() + limits.personLinkMs;
    const body = {
      levelName,
      userId: receiverId,
      applicantIdentifiers: { email, phone: phoneOf(applicant) },
      ttlInSecs: limits.personLinkMs / 1000,
    };
    const answer = await call({ method: "POST", path: linkPath, body }, signal);
    const url = answer.fields?.url;
    if (!isPageUrl(url, options.baseUrl)) throw new Error(answer.failure);
    return { url, expiresAtMs };
  }

  return {
    name: "sumsub",
    askAfterMs: pollAfterMs,
    askAgainMs: pollAfterMs,
    createApplicant,

    async restartApplicant(applicantId, applicant, signal) {
      const path = pathOf(applicantId);
      const body = fixedInfo(applicant);
      await ask({ method: "PATCH", path: `${path}/fixedInfo`, body }, signal);
      const { reviewStatus } = await statusOf(applicantId, signal);
      if (isOpen(reviewStatus)) return;
      await ask({ method: "POST", path: `${path}/reset` }, signal);
    },

    async getStatus(applicantId, _applicant, signal) {
      const { reviewStatus, reviewResult } = await statusOf(applicantId, signal);
      return decisionOf(reviewStatus, reviewResult);
    },

    personLink,

    webhook: sumsubWebhook({ webhookSecret, levelName }),
  };
}

/** A check that has not ended needs no restart, and Sumsub refuses one during a review. */
function isOpen(reviewStatus: unknown): boolean {
  return ["init", "pending", "queued", "prechecked"].includes(String(reviewStatus));
}

/** Rejects a response about another applicant: one person's check must not decide about another. */
function applicantIdIn({ fields, failure }: SumsubAnswer, receiverId: string): string {
  const { id, externalUserId } = fields ?? {};
  const isAboutIt = (externalUserId ?? receiverId) === receiverId;
  if (!isApplicantId(id) || !isAboutIt) throw new Error(failure);
  return id;
}

/** A person opens it in a browser, so it must be a plain address with the scheme of the API, which is https. */
function isPageUrl(value: unknown, baseUrl: string): value is string {
  if (typeof value !== "string" || value.length > linkCharsMax) return false;
  if (!/^[\x21-\x7e]+$/.test(value)) return false;
  return URL.canParse(value) && new URL(value).protocol === new URL(baseUrl).protocol;
}

const phoneOf = ({ dialcode, phone }: Applicant) => `+${dialcode}${phone}`;

function newApplicant(applicant: Applicant) {
  return {
    externalUserId: applicant.receiverId,
    email: applicant.email,
    phone: phoneOf(applicant),
    fixedInfo: fixedInfo(applicant),
  };
}

/** Fields that are empty are left out. */
function fixedInfo(applicant: Applicant) {
  return {
    firstName: applicant.firstName,
    middleName: applicant.middleName || undefined,
    lastName: applicant.lastName,
    // Sumsub knows only these two.
    gender: /^[MF]$/.test(applicant.gender) ? applicant.gender : undefined,
    dob: applicant.dob,
    country: applicant.country,
    addresses: [
      {
        country: applicant.country,
        postCode: applicant.postcode,
        town: applicant.city,
        street: applicant.address,
        subStreet: applicant.address2 || undefined,
        state: applicant.state,
      },
    ],
  };
}
