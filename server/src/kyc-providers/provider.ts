// The port to identity checks: what a provider does for us, whoever it is.

export type ProviderName = "sandbox" | "manual" | "sumsub";

/** The person to be checked, as we know them. */
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

export const outcomes = ["pending", "approved", "rejected", "retry", "on_hold"] as const;

export type ProviderDecision = {
  /** `rejected` is for good; `retry` asks the person for something better; `on_hold` asks for a human. */
  outcome: (typeof outcomes)[number];
  labels: readonly string[];
  /** May be shown to the caller. */
  publicComment: string;
  /** For operators alone. */
  privateComment: string;
};

/** What a provider says by itself, later and perhaps more than once. */
export type Report = {
  /** The same for every delivery of one report. */
  eventId: string;
  applicantId: string;
  /** The receiver that the provider takes the applicant for, where it says so. */
  receiverId: string | undefined;
  occurredAtMs: number;
  decision: ProviderDecision;
};

/** The provider won't take this applicant, however often it is asked. Anything else is worth another try. */
export class ApplicantRefused extends Error {}

/** A header's value by its lower-case name. */
export type WebhookHeaders = Record<string, string | string[] | undefined>;

export type ProviderWebhook = {
  /** Whether these bytes come from the provider. */
  verify(body: Buffer, headers: WebhookHeaders): boolean;
  /** Of verified bytes. Undefined where they say nothing about a check; throws where they make no sense. */
  parse(body: Buffer): Report | undefined;
};

type Asked = {
  readonly name: ProviderName;
  /** How long after a check began it is asked for its status; undefined: never. */
  readonly askAfterMs: number | undefined;
  /** How long after an answer of `pending` it is asked again; undefined: never. */
  readonly askAgainMs: number | undefined;
  getStatus(
    applicantId: string,
    applicant: Applicant,
    signal: AbortSignal,
  ): Promise<ProviderDecision>;
};

/** Asks nobody to make an applicant: a receiver has its own from the first commit. */
export type LocalProvider = Asked & { applicantIdFor(receiverId: string): string };

/** Somebody else's service, which may be slow or away: it is called in the background alone. */
export type RemoteProvider = Asked & {
  /** The applicant's id. Asked twice about one receiver, it makes one applicant. */
  createApplicant(applicant: Applicant, signal: AbortSignal): Promise<string>;
  /** The person changed, or is to be checked anew. Safe to repeat. */
  restartApplicant(applicantId: string, applicant: Applicant, signal: AbortSignal): Promise<void>;
  readonly webhook: ProviderWebhook;
};

export type KycProvider = LocalProvider | RemoteProvider;

export function isRemote(provider: KycProvider): provider is RemoteProvider {
  return "createApplicant" in provider;
}

/** The name that a provider of our own gives to an applicant. */
export function localApplicantId(receiverId: string): string {
  const part = (start: number, end?: number) => receiverId.slice(start, end);
  return `applicant_${part(0, 8)}${part(9, 13)}${part(14, 18)}${part(19, 23)}${part(24)}`;
}
