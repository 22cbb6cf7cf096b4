// Calls what is behind the console. Adds what the gate asks for, confirms who the person is where that is asked
// for, and leads to log-in when the session is over.

import { backgroundHeader } from "./activity.ts";
import { ApiProblem, problemOf, unreachable } from "./problem.ts";
import { setReachable } from "./reachable.ts";
import { confirmPerson } from "./step-up.ts";

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

export function send<T = unknown>(method: Method, path: string, body: object = {}): Promise<T> {
  return call<T>(addressOf(path), sending(method, body));
}

/** Of a long act that tells line by line how far it is. Resolves when the last line was told. */
export async function sendForLines<Line>(
  path: string,
  body: object,
  onLine: (line: Line) => void,
): Promise<void> {
  const { body: stream } = await answerOf(addressOf(path), sending("POST", body));
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

function sending(method: Method, body: object): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json", "x-requested-with": "disburse-console" },
    body: JSON.stringify(body),
  };
}

/** Of a link or a download, which the browser asks for by itself. */
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
    if (!(await confirmPerson())) throw error;
    return askOnce(address, init);
  }
}

async function askOnce(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { credentials: "same-origin", ...init }).catch((error) => {
    // Given up by ourselves: not the server's failure.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    setReachable(false);
    throw unreachable();
  });
  setReachable(!isFromProxy(response));
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.has("CONS101")) leaveForLogIn();
  throw problem;
}

/** A proxy says that the server behind it doesn't answer: our own refusals are JSON. */
function isFromProxy({ status, headers }: Response): boolean {
  const isJson = headers.get("content-type")?.includes("json");
  return [502, 503, 504].includes(status) && !isJson;
}

/** Finds out whether the server answers, for what notices a failure without a call of its own. */
export function checkReachable(): void {
  void get("/me").catch(() => undefined);
}

let onLoggedOut = (): void => {};

/** The router says what to do when a session is over. */
export function whenLoggedOut(leave: () => void): void {
  onLoggedOut = leave;
}

function leaveForLogIn(): void {
  onLoggedOut();
}
