// The Sumsub provider of identity checks: its calls to a test server that responds as Sumsub does.

import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Applicant,
  ApplicantRefused,
  isRemote,
  type RemoteProvider,
} from "../../../src/people/kyc-providers/provider.ts";
import { type SumsubOptions, sumsubProvider } from "../../../src/people/kyc-providers/sumsub.ts";
import { callSignature } from "../../../src/people/kyc-providers/sumsub-call.ts";
import {
  type Misbehaviour,
  type SumsubApplicant,
  type SumsubServer,
  startSumsub,
} from "../../support/sumsub-server.ts";

let sumsub: SumsubServer;
let provider: RemoteProvider;
beforeEach(async () => {
  sumsub = await startSumsub();
  provider = providerWith({});
});
afterEach(() => sumsub.close());

function providerWith(options: Partial<SumsubOptions>): RemoteProvider {
  const { baseUrl, appToken, secretKey, webhookSecret, levelName } = sumsub;
  const configured = { baseUrl, appToken, secretKey, webhookSecret, levelName };
  return sumsubProvider({ ...configured, pollAfterMs: 60_000, ...options });
}

const ada = (changes: Partial<Applicant> = {}): Applicant => ({
  receiverId: randomUUID(),
  firstName: "Ada",
  middleName: "King",
  lastName: "Lovelace",
  email: "ada@example.com",
  dob: "1990-12-10",
  gender: "F",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "Flat 2",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
  ...changes,
});

const soon = () => AbortSignal.timeout(10_000);
const create = (applicant = ada()) => provider.createApplicant(applicant, soon());
const restart = (id: string, applicant = ada()) => provider.restartApplicant(id, applicant, soon());
const status = (id: string) => provider.getStatus(id, ada(), soon());
const applicantCalled = (id: string) => sumsub.applicants.get(id) as SumsubApplicant;

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return error;
}

test("the provider is remote, is called sumsub, and is polled after a configurable time", () => {
  expect(isRemote(provider)).toBe(true);
  expect(provider).toMatchObject({ name: "sumsub", askAfterMs: 60_000, askAgainMs: 60_000 });
});

describe("signing a call", () => {
  test("the signature is the published one", () => {
    const text =
      '1700000000POST/resources/applicants?levelName=basic-kyc-level{"externalUserId":"u1"}';
    expect(callSignature("sec", text)).toBe(
      "29def78b999f884c8ce6de834af56d3f049ef469b45c5c9518c557a7786960e2",
    );
  });

  test.each([
    ["another token", { appToken: "another" }],
    ["another key", { secretKey: "another" }],
    ["a clock that is two minutes fast", { clock: () => Date.now() + 120_000 }],
  ])("with %s, the call is refused as unauthorised", async (_with, options) => {
    provider = providerWith(options);
    const failure = await failureOf(create());
    expect(failure).not.toBeInstanceOf(ApplicantRefused);
    expect(failure.message).toBe("Sumsub answered POST /resources/applicants with 401.");
  });

  test("non-ASCII names, a level with special characters and a slash after the host are signed as sent", async () => {
    await sumsub.close();
    sumsub = await startSumsub({ levelName: "kyc & more @ 100%+ ü" });
    provider = providerWith({ baseUrl: `${sumsub.baseUrl}/` });
    const id = await create(ada({ firstName: "Zoë 張 👩‍🔬", address: 'O"Higgins \\ 5' }));
    expect(applicantCalled(id).fixedInfo).toMatchObject({ firstName: "Zoë 張 👩‍🔬" });
  });

  test("each call uses the given fetch and the given clock", async () => {
    const nowMs = Date.now() + 30_999;
    const sent: (RequestInit | undefined)[] = [];
    provider = providerWith({
      clock: () => nowMs,
      fetch: (url, init) => {
        sent.push(init);
        return fetch(url, init);
      },
    });
    await create();
    const seconds = `${Math.floor(nowMs / 1000)}`;
    expect(sent.map((init) => new Headers(init?.headers).get("x-app-access-ts"))).toEqual([
      seconds,
    ]);
  });
});

describe("creating an applicant", () => {
  test("sends the receiver's data", async () => {
    const applicant = ada();
    const id = await create(applicant);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(applicantCalled(id)).toEqual({
      id,
      externalUserId: applicant.receiverId,
      email: "ada@example.com",
      phone: "+61412345678",
      reviewStatus: "init",
      creations: 1,
      fixedInfo: {
        firstName: "Ada",
        middleName: "King",
        lastName: "Lovelace",
        gender: "F",
        dob: "1990-12-10",
        country: "AUS",
        addresses: [
          {
            country: "AUS",
            postCode: "3004",
            town: "Melbourne",
            street: "1 St. Kilda Road",
            subStreet: "Flat 2",
            state: "VIC",
          },
        ],
      },
    });
  });

  test("leaves out empty fields, and a gender that Sumsub doesn't know", async () => {
    const id = await create(ada({ middleName: "", address2: "", gender: "X" }));
    const { fixedInfo } = applicantCalled(id);
    expect(fixedInfo).not.toHaveProperty("middleName");
    expect(fixedInfo).not.toHaveProperty("gender");
    expect(fixedInfo).not.toHaveProperty("addresses.0.subStreet");
  });

  test("creates one applicant for repeated and concurrent calls", async () => {
    const applicant = ada();
    const ids = await Promise.all(Array.from({ length: 8 }, () => create(applicant)));
    expect(new Set([...ids, await create(applicant)]).size).toBe(1);
    expect(sumsub.applicants.size).toBe(1);
    expect(applicantCalled(ids[0] as string).creations).toBe(9);
    expect(await create()).not.toBe(ids[0]);
  });

  test("finds the applicant of an earlier call whose response was lost", async () => {
    const applicant = ada();
    sumsub.mode.slowMs = 5_000;
    const failure = await failureOf(provider.createApplicant(applicant, AbortSignal.timeout(300)));
    expect(failure.message).toBe(
      "Sumsub gave no answer to POST /resources/applicants: TimeoutError.",
    );
    sumsub.mode.slowMs = 0;
    const [made] = sumsub.applicants.keys();
    expect(await create(applicant)).toBe(made);
  });

  test("never returns the applicant of another receiver, created or found", async () => {
    const applicant = ada();
    sumsub.mode.answerForAnother = true;
    for (const method of ["POST", "GET"]) {
      const failure = await failureOf(create(applicant));
      expect(failure).not.toBeInstanceOf(ApplicantRefused);
      expect(failure.message).toContain(`Sumsub answered ${method} /resources/applicants`);
      expect(failure.message).toContain("but not with the expected fields");
    }
    sumsub.mode.answerForAnother = false;
    expect(applicantCalled(await create(applicant)).externalUserId).toBe(applicant.receiverId);
  });

  test.each([400, 422])("%i refuses the applicant permanently", async (code) => {
    sumsub.mode.status = code;
    const failure = await failureOf(create());
    expect(failure).toBeInstanceOf(ApplicantRefused);
    expect(failure.message).toBe(`Sumsub answered POST /resources/applicants with ${code}.`);
  });

  test.each([401, 403, 404, 408, 409, 429, 500, 502, 503])("%i is temporary", async (code) => {
    sumsub.mode.status = code;
    const failure = await failureOf(create());
    expect(failure).not.toBeInstanceOf(ApplicantRefused);
    expect(failure.message).toMatch(/^Sumsub answered (POST|GET) \/resources\/applicants/);
    expect(failure.message).toContain(`with ${code}.`);
  });

  test("a level that Sumsub doesn't have is our mistake, not the applicant's", async () => {
    provider = providerWith({ levelName: "no-such-level" });
    expect(await failureOf(create())).not.toBeInstanceOf(ApplicantRefused);
  });
});

describe("asking for the status", () => {
  const said = { rejectLabels: ["FORGERY"], moderationComment: "A scan.", clientComment: "Odd." };
  const received = { labels: ["FORGERY"], publicComment: "A scan.", privateComment: "Odd." };
  const nothing = { labels: [], publicComment: "", privateComment: "" };

  test.each(["init", "pending", "prechecked", "queued"] as const)(
    "%s is pending, also after an earlier result",
    async (reviewStatus) => {
      const id = await create();
      const reviewResult = { reviewAnswer: "GREEN", ...said };
      Object.assign(applicantCalled(id), { reviewStatus, reviewResult });
      expect(await status(id)).toEqual({ outcome: "pending", ...nothing });
    },
  );

  test.each([
    [{ reviewAnswer: "GREEN" }, "approved"],
    [{ reviewAnswer: "RED", reviewRejectType: "FINAL" }, "rejected"],
    [{ reviewAnswer: "RED", reviewRejectType: "RETRY" }, "retry"],
    [{ reviewAnswer: "RED" }, "on_hold"],
    [{ reviewAnswer: "RED", reviewRejectType: "EXTERNAL" }, "on_hold"],
    [{ reviewAnswer: "YELLOW", reviewRejectType: "FINAL" }, "on_hold"],
    [{ reviewAnswer: "green" }, "on_hold"],
    [{}, "on_hold"],
  ])("completed with %j is %s", async (reviewResult, outcome) => {
    const id = await create();
    sumsub.decide(id, { ...reviewResult, ...said });
    expect(await status(id)).toEqual({ outcome, ...received });
    const { body } = sumsub.webhook(id, "applicantReviewed");
    expect(provider.webhook.parse(body)?.decision).toEqual({ outcome, ...received });
  });

  test("on hold stays on hold, and completed without a result needs an operator", async () => {
    const id = await create();
    const reviewResult = { reviewAnswer: "GREEN", ...said };
    Object.assign(applicantCalled(id), { reviewStatus: "onHold", reviewResult });
    expect(await status(id)).toEqual({ outcome: "on_hold", ...received });
    Object.assign(applicantCalled(id), { reviewStatus: "completed", reviewResult: undefined });
    expect(await status(id)).toEqual({ outcome: "on_hold", ...nothing });
  });

  test("comments and labels are shortened and without control characters", async () => {
    const id = await create();
    sumsub.decide(id, {
      reviewAnswer: "RED",
      reviewRejectType: "RETRY",
      rejectLabels: ["A\u0000B", 7, ...Array(100).fill("L".repeat(500))],
      moderationComment: `One.\r\nTwo.\u0007 ${"👩".repeat(3_000)}`,
      clientComment: { not: "a text" },
    });
    const { labels, publicComment, privateComment } = await status(id);
    expect(labels.slice(0, 3)).toEqual(["A B", "", "L".repeat(100)]);
    expect(labels).toHaveLength(50);
    expect(publicComment).toMatch(/^One\. Two\. {2}👩+$/u);
    expect(Array.from(publicComment)).toHaveLength(2_000);
    expect(privateComment).toBe("");
  });
});

describe("restarting", () => {
  const verbs = () => sumsub.calls.map(({ method, path }) => `${method} ${path.split("/")[4]}`);

  test.each(["completed", "onHold"] as const)(
    "from %s, the applicant's data is replaced and the check restarts",
    async (reviewStatus) => {
      const id = await create();
      sumsub.decide(id, { reviewAnswer: "RED", reviewRejectType: "RETRY" });
      applicantCalled(id).reviewStatus = reviewStatus;
      await restart(id, ada({ lastName: "Byron", city: "London" }));
      expect(applicantCalled(id)).toMatchObject({
        reviewStatus: "init",
        fixedInfo: { firstName: "Ada", lastName: "Byron", addresses: [{ town: "London" }] },
      });
      expect(applicantCalled(id)).not.toHaveProperty("reviewResult");
      await restart(id, ada({ lastName: "Byron", city: "London" }));
      expect(verbs().slice(1)).toEqual([
        ...["PATCH fixedInfo", "GET status", "POST reset"],
        ...["PATCH fixedInfo", "GET status"],
      ]);
    },
  );

  test.each(["init", "pending", "queued", "prechecked"] as const)(
    "from %s, the running check is kept",
    async (reviewStatus) => {
      const id = await create();
      applicantCalled(id).reviewStatus = reviewStatus;
      await restart(id, ada({ lastName: "Byron" }));
      expect(applicantCalled(id)).toMatchObject({ reviewStatus, fixedInfo: { lastName: "Byron" } });
      expect(verbs()).not.toContain("POST reset");
    },
  );

  test("an applicant that Sumsub has deleted can't be restarted or polled", async () => {
    const id = await create();
    sumsub.applicants.delete(id);
    for (const failure of [await failureOf(restart(id)), await failureOf(status(id))]) {
      expect(failure).not.toBeInstanceOf(ApplicantRefused);
      expect(failure.message).toContain("with 404.");
    }
  });
});

describe("when Sumsub misbehaves", () => {
  const modes: [Partial<Misbehaviour>, RegExp][] = [
    [{ down: true }, /^Sumsub gave no answer to [A-Z]+ \/resources\/[^?]+: UND_ERR_SOCKET\.$/],
    [{ redirect: true }, /^Sumsub answered [A-Z]+ \/resources\/[^?]+ with 307\.$/],
    [{ notJson: true }, /^Sumsub answered [A-Z]+ \/resources\/[^?]+ with 20[01], but not with/],
    [{ tooLong: true }, /^Sumsub answered [A-Z]+ \/resources\/[^?]+ with 20[01], but not with/],
    [{ status: 500 }, /^Sumsub answered [A-Z]+ \/resources\/[^?]+ with 500\.$/],
    [{ status: 400 }, /^Sumsub answered [A-Z]+ \/resources\/[^?]+ with 400\.$/],
  ];

  function expectNoSecret(failure: Error) {
    const text = inspect(failure).replace(/^ +at .*$/gm, "");
    for (const [field, value] of Object.entries(ada({ receiverId: "-" }))) {
      if (value.length > 3) expect(text, field).not.toContain(value);
    }
    for (const secret of [sumsub.appToken, sumsub.secretKey, sumsub.webhookSecret, "Ada"]) {
      expect(text).not.toContain(secret);
    }
  }

  test.each(modes)(
    "%j: each call fails, names only the step, and works afterwards",
    async (mode, message) => {
      const applicant = ada();
      const id = await create(applicant);
      sumsub.decide(id, { reviewAnswer: "GREEN" });
      const well = { ...sumsub.mode };
      Object.assign(sumsub.mode, mode);
      const asked = [() => create(ada()), () => status(id), () => restart(id)];
      for (const [index, ask] of asked.entries()) {
        const failure = await failureOf(ask());
        expect(failure.message).toMatch(message);
        expect(failure instanceof ApplicantRefused).toBe(index === 0 && mode.status === 400);
        expectNoSecret(failure);
      }
      expect(sumsub.calls.map(({ path }) => path)).not.toContain("/followed");
      Object.assign(sumsub.mode, well);
      expect(await create(applicant)).toBe(id);
      expect((await status(id)).outcome).toBe("approved");
      await restart(id);
    },
  );

  test("a closed port, an invalid address and an invalid token are reported the same way", async () => {
    const { baseUrl, appToken } = sumsub;
    const away = await startSumsub();
    await away.close();
    for (const [options, reason] of [
      [{ baseUrl: away.baseUrl }, /: ECONNREFUSED\.$/],
      [{ baseUrl: baseUrl.replace("//", `//${appToken}@`) }, /: TypeError\.$/],
      [{ appToken: `${appToken}\n2` }, /: TypeError\.$/],
    ] as const) {
      provider = providerWith(options);
      const failure = await failureOf(create());
      expect(failure.message).toMatch(reason);
      expectNoSecret(failure);
    }
    expect(sumsub.calls).toEqual([]);
  });

  test("an aborted call ends at once", async () => {
    const signal = AbortSignal.abort();
    const failure = await failureOf(provider.getStatus("5cb56e8e0a975a35f333cb83", ada(), signal));
    expect(failure.message).toContain(": AbortError.");
    expect(sumsub.calls).toEqual([]);
  });
});
