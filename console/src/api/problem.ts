// An API error. One shape for every failure, also for a missing response.

type FieldProblem = {
  code: string;
  message: string;
  field?: string | undefined;
  /** The cure. */
  cure?: string | undefined;
};

export class ApiProblem extends Error {
  /** 0: there was no response. */
  readonly status: number;
  readonly problems: readonly FieldProblem[];
  /** To quote in a support request. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    message: string,
    problems: readonly FieldProblem[],
    requestId?: string | undefined,
  ) {
    super(message);
    this.name = "ApiProblem";
    this.status = status;
    this.problems = problems;
    this.requestId = requestId;
  }

  has(code: string): boolean {
    return this.problems.some((problem) => problem.code === code);
  }

  /** The errors of a form, by field. */
  byField(): Record<string, string> {
    const named = this.problems.filter(({ field }) => field !== undefined);
    return Object.fromEntries(
      named.map((problem) => [problem.field, textOf(problem).replaceAll("`", "")]),
    );
  }

  /** The problems that are left when a form shows those of these fields itself. */
  without(fields: readonly string[]): ApiProblem | undefined {
    const left = this.problems.filter(({ field }) => !field || !fields.includes(field));
    if (left.length === this.problems.length) return this;
    if (left.length === 0) return undefined;
    return new ApiProblem(this.status, this.message, left, this.requestId);
  }
}

/** The problem, then the cure. Cures of missing fields are left out, because they address programs. */
export function textOf({ message, cure }: FieldProblem): string {
  if (!cure || /required$|^Fill this in|^This is not valid|^Field is unknown/.test(message))
    return message;
  return `${message.replace(/\.$/, "")}. ${cure}`;
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const body: unknown = await response.json().catch(() => undefined);
  const { message, error, code } = (body ?? {}) as {
    message?: string;
    error?: FieldProblem[];
    code?: string;
  };
  const text = message ?? `The server responded with ${response.status}`;
  // The sign-in endpoints respond in another shape: a code and a message.
  const problems = Array.isArray(error) ? error : [{ code: code ?? "", message: text }];
  const waitS = Number(response.headers.get("retry-after"));
  return new ApiProblem(
    response.status,
    text,
    problems.map(({ cure, ...problem }) => ({ ...problem, cure: cureForUsers(cure, waitS) })),
    requestId,
  );
}

/** Programs read Retry-After. Users are told how long to wait. */
function cureForUsers(cure: string | undefined, waitS: number): string | undefined {
  if (!waitS) return cure;
  return cure?.replace(
    /^Wait as long as Retry-After says/,
    `Try again in ${Math.ceil(waitS / 60)} min`,
  );
}

export function unreachable(): ApiProblem {
  const message = "The server can't be reached";
  return new ApiProblem(0, message, [{ code: "", message }]);
}
