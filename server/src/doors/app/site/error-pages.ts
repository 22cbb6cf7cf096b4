// A page for each code: what it means, what to do, and which operations refuse with it. Refusals link to it.

import { type Code, refusals } from "../../../platform/refusals/index.ts";
import type { ApiDocument } from "./operation-pages.ts";
import type { SitePage } from "./site-page.ts";

export function errorPages(document: ApiDocument): SitePage[] {
  return Object.keys(refusals).map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    group: "Reference",
    markdown: () => pageOf(code as Code, document),
    isAside: true,
  }));
}

function pageOf(code: Code, { paths }: ApiDocument): string {
  const [status, text, cure] = refusals[code];
  const body = { message: "…", error: [{ code, message: text }] };
  const refusing = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses[status]?.description.includes(`${code} `))
    .map(({ operationId, summary }) => `- [${summary}](/docs/operations/${operationId})`);
  const parts = [
    `# ${code}`,
    `Status ${status}: ${text}`,
    `## What to do\n\n${cure}`,
    `## Response\n\n\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``,
    "Its meaning never changes. The message can say more about the single case. [All codes](/docs/reference/errors).",
    refusing.length > 0 ? `## Operations\n\n${refusing.join("\n")}` : "",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** The address of a code's page, where the text is a code. */
export function codePage(text: string): string | undefined {
  return Object.hasOwn(refusals, text as Code) ? `/docs/errors/${text}` : undefined;
}
