// Calls the console's API. Adds the headers that the gate requires, asks users to confirm their identity where needed,
// and leads to sign-in when the session is over.

import { backgroundHeader } from "./activity.ts";
import { ApiProblem, problemOf, unreachable } from "./problem.ts";
import { setReachable } from "./reachable.ts";
import { confirmIdentity } from "./step-up.ts";

export type Query = Record<string, string | number | boolean | undefined | null>;
type Method = "POST" | "PUT" | "PATCH" | "DELETE";

const base = "/console/api";

/** `path` is below /console/api and begins with a slash. */
export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return call<T>(addressOf(path, query), {
    headers: backgroundHeader(),
    ...(signal ? { signal } : {}),
  });
}

export async function getText(path: string): Promise<string> {
  const answer = await answerOf(addressOf(path), { headers: backgroundHeader() });
  return answer.text();
}

export function send<T = unknown>(method: Method, path: string, body: object = {}): Promise<T> {
  return call<T>(addressOf(path), sending(method, body));
}

/** For an upload of whole files: they follow one another in the body, and the address names them. */
export function sendFiles<T>(path: string, files: readonly File[]): Promise<T> {
  const named = files.map(({ name, size }) => ({ name: name.slice(0, 200), bytes: size }));
  const { headers, ...request } = sending("POST", {});
  return call<T>(addressOf(path, { files: JSON.stringify(named) }), {
    ...request,
    headers: { ...headers, "content-type": "application/octet-stream" },
    body: new Blob([...files]),
  });
}

/** For a long action that streams its progress as lines. Resolves after the last line. */
export async function sendForLines<Line>(
  path: string,
  body: object,
  onLine: (line: Line) => void,
  /** Ends the action, if it can be ended. */
  signal?: AbortSignal,
): Promise<void> {
  const request = { ...sending("POST", body), ...(signal ? { signal } : {}) };
  const { body: stream } = await answerOf(addressOf(path), request);
  const reader = stream?.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; reader; ) {
    const { done, value } = await reader.read().catch(() => {
      throw unreachable();
    });
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(JSON.parse(line) as Line);
  }
}

/** For a file. The server states its length, so a download that is cut off fails. */
export async function sendForFile(path: string): Promise<Blob> {
  const answer = await answerOf(addressOf(path), sending("POST", {}));
  return answer.blob().catch(() => {
    throw unreachable();
  });
}

/** Names the script of this page: after an update the service tells it to reload. Empty where it was not built. */
const [, script] = /\/assets\/([\w-]+\.js)$/.exec(entryScript()?.src ?? "") ?? [];
const buildHeader: Record<string, string> = script ? { "x-disburse-page": script } : {};

function entryScript(): HTMLScriptElement | null {
  return document.querySelector("script[type=module][src]");
}

/** Of a body with a file as `content`: its fields are in the first line, and the bytes follow. */
const fileRequestType = "application/vnd.disburse.file";

function sending(method: Method, body: object): RequestInit {
  const { content, ...fields } = body as { content?: unknown };
  const isFile = content instanceof Blob;
  return {
    method,
    headers: {
      "content-type": isFile ? fileRequestType : "application/json",
      "x-requested-with": "disburse-console",
      ...buildHeader,
    },
    body: isFile ? new Blob([JSON.stringify(fields), "\n", content]) : JSON.stringify(body),
  };
}

/** The URL of a request, a link or a download. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  );
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${base}${path}${search.size > 0 ? `?${search}` : ""}`;
}

async function call<T>(address: string, init: RequestInit): Promise<T> {
  const text = await (await answerOf(address, init)).text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function answerOf(address: string, init: RequestInit): Promise<Response> {
  try {
    return await askOnce(address, init);
  } catch (error) {
    if (!(error instanceof ApiProblem) || !error.has("CONS103")) throw error;
    if (!(await confirmIdentity())) throw error;
    return askOnce(address, init);
  }
}

async function askOnce(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { credentials: "same-origin", ...init }).catch((error) => {
    // Aborted by us: not an error of the server.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    setReachable(false);
    throw unreachable();
  });
  setReachable(!isFromProxy(response));
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.has("CONS101")) leaveForLogin();
  throw problem;
}

/** An error page of a proxy whose server does not respond: our own errors are JSON. */
function isFromProxy({ status, headers }: Response): boolean {
  const isJson = headers.get("content-type")?.includes("json");
  return [502, 503, 504].includes(status) && !isJson;
}

/** Checks whether the server responds, for code that notices a failure without a request of its own. */
export function checkReachable(): void {
  void get("/me").catch(() => undefined);
}

let leaveForLogin = (): void => {};

/** Registers what happens when the session is over. */
export function onSessionEnd(leave: () => void): void {
  leaveForLogin = leave;
}
