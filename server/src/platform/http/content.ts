// Content types and encodings: JSON in UTF-8, uncompressed.

import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { type Code, Refusal } from "../refusals/index.ts";
import { parseJson, parseLargeJson } from "./json.ts";

export function isPlainUtf8(headers: IncomingHttpHeaders): boolean {
  const encoding = headers["content-encoding"];
  if (encoding && encoding !== "identity") return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers["content-type"] ?? "")?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

export function readObject(body: unknown, badBody: Code): object {
  try {
    return toObject(parseJson(toText(body, badBody)), badBody);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(badBody);
  }
}

/** Fields as JSON in the first line, then the bytes of a file: in JSON, ten megabytes take long to parse. */
export const fileRequestType = "application/vnd.disburse.file";

/** The fields, with the bytes as `content`. */
export function readFileRequest(body: unknown, badBody: Code): object {
  if (!(body instanceof Buffer)) throw new Refusal(badBody);
  const end = body.indexOf(lineEnd);
  if (end < 0) throw new Refusal(badBody);
  return { ...readObject(body.subarray(0, end), badBody), content: body.subarray(end + 1) };
}

const lineEnd = 0x0a;

/** As readObject, for large bodies: other requests run in between. */
export async function readLargeObject(body: unknown, badBody: Code): Promise<object> {
  try {
    return toObject(await parseLargeJson(toText(body, badBody)), badBody);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(badBody);
  }
}

function toText(body: unknown, badBody: Code): string {
  if (body instanceof Buffer && isUtf8(body)) return body.toString();
  throw new Refusal(badBody);
}

function toObject(value: unknown, badBody: Code): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Refusal(badBody);
}

/** An absent header accepts everything; otherwise one range must match with a weight above zero. */
export function accepts(accept: string | undefined, type: string): boolean {
  if (accept === undefined || accept === "" || accept === "*/*" || accept === type) return true;
  const family = `${type.split("/")[0]}/*`;
  return accept.split(",").some((range) => {
    const [wanted = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const fits = ["*/*", family, type].includes(wanted);
    return fits && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/** True only when the caller accepts CSV but not JSON. */
export function wantsCsv(accept: string | undefined): boolean {
  return !accepts(accept, "application/json") && accepts(accept, "text/csv");
}

/** The same for PDF; a caller that accepts both gets CSV. */
export function wantsPdf(accept: string | undefined): boolean {
  const others = ["application/json", "text/csv"];
  return !others.some((type) => accepts(accept, type)) && accepts(accept, "application/pdf");
}
