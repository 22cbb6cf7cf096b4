// The interface that every identity check provider implements.

export type ProviderName = "sandbox" | "manual" | "sumsub";

/** The person to check. */
export type Applicant = {
  receiverId: string;
  firstName: string;
  middleName: string;
  lastName: string;
  email: string;
  dob: string;
  gender: string;
  dialcode: string;
  phone: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  postcode: string;
  /** ISO 3166-1 alpha-3. */
  country: string;
};

const outcomes = ["pending", "approved", "rejected", "retry", "on_hold"] as const;

export type ProviderDecision = {
  /** `rejected` is final; `retry` asks the person for better documents; `on_hold` needs a user's decision. */
  outcome: (typeof outcomes)[number];
  labels: readonly string[];
  /** May be shown to the caller. */
  publicComment: string;
  /** For users of the console only. */
  privateComment: string;
};

/** A report that a provider sends by itself, perhaps more than once. */
export type Report = {
  /** The same for every delivery of one report. */
  eventId: string;
  applicantId: string;
  /** The receiver that the provider names for the applicant, where it names one. */
  receiverId: string | undefined;
  occurredAtMs: number;
  decision: ProviderDecision;
};

/** A page of the provider where the person gives what the check needs. Its URL is a secret: it needs no sign-in. */
export type PersonLink = { url: string; expiresAtMs: number };

/** The provider will never accept this applicant. Any other error is retried. */
export class ApplicantRefused extends Error {}

/** A header's value by its lower-case name. */
export type WebhookHeaders = Record<string, string | string[] | undefined>;

export type ProviderWebhook = {
  /** Whether these bytes come from the provider. */
  verify(body: Buffer, headers: WebhookHeaders): boolean;
  /** Reads verified bytes. Undefined if they are not about a check; throws if they are invalid. */
  parse(body: Buffer): Report | undefined;
};

type Asked = {
  readonly name: ProviderName;
  /** The delay from the start of a check to the first request for its status. Undefined: never. */
  readonly askAfterMs: number | undefined;
  /** The delay to the next request after `pending`. Undefined: never. */
  readonly askAgainMs: number | undefined;
  getStatus(
    applicantId: string,
    applicant: Applicant,
    signal: AbortSignal,
  ): Promise<ProviderDecision>;
  /** Makes a link for the person. Absent: the provider has no page for the person. */
  personLink?(applicant: Applicant, signal: AbortSignal): Promise<PersonLink>;
};

/** Needs no remote applicant: a receiver has its applicant id from the first commit. */
export type LocalProvider = Asked & { applicantIdFor(receiverId: string): string };

/** A remote service, which may be slow or down: only the worker calls it. */
export type RemoteProvider = Asked & {
  /** Returns the applicant's id. Safe to repeat: a receiver has one applicant. */
  createApplicant(applicant: Applicant, signal: AbortSignal): Promise<string>;
  /** The person's details changed, or the check restarts. Safe to repeat. */
  restartApplicant(applicantId: string, applicant: Applicant, signal: AbortSignal): Promise<void>;
  readonly webhook: ProviderWebhook;
};

export type KycProvider = LocalProvider | RemoteProvider;

export function isRemote(provider: KycProvider): provider is RemoteProvider {
  return "createApplicant" in provider;
}

/** The applicant id of a local provider. */
export function localApplicantId(receiverId: string): string {
  const part = (start: number, end?: number) => receiverId.slice(start, end);
  return `applicant_${part(0, 8)}${part(9, 13)}${part(14, 18)}${part(19, 23)}${part(24)}`;
}
