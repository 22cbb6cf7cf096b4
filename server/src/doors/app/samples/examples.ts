// Samples as examples of an operation in the OpenAPI document.

import type { Json } from "../openapi-schemas.ts";
import type { Sample } from "./sample.ts";

type Media = Record<string, Json>;
type Responses = Record<string, Json & { content?: Media; headers?: Record<string, Json> }>;

export function withExamples(operation: Json, samples: readonly Sample[]): Json {
  const { requestBody, responses } = operation as {
    requestBody?: Json & { content: Media };
    responses: Responses;
  };
  const withBody = samples.filter(({ body, status }) => body !== undefined && status === 200);
  return {
    ...operation,
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: fill(requestBody.content, "application/json", withBody, ({ body }) => body),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        if (!response.content) return [status, response];
        const own = samples.filter((sample) => String(sample.status) === status);
        const byType = Map.groupBy(own, ({ headers }) => headers?.accept ?? "application/json");
        let { content } = response;
        for (const [type, group] of byType) {
          content = fill(content, type, group, ({ answer }) => answer);
        }
        return [status, { ...response, content }];
      }),
    ),
  };
}

function fill(
  content: Media,
  type: string,
  samples: readonly Sample[],
  toValue: (sample: Sample) => unknown,
): Media {
  if (samples.length === 0) return content;
  const examples = samples.map((sample) => [
    sample.summary.replaceAll(/\W+/g, "-").toLowerCase(),
    { summary: sample.summary, value: toValue(sample) },
  ]);
  return { ...content, [type]: { ...content[type], examples: Object.fromEntries(examples) } };
}
