// The table of promises: what is published, and with what is ours.

import { eventPromises } from "./events.ts";
import { requestPromises } from "./our-requests.ts";
import { resourcePromises } from "./our-resources.ts";
import type { Promised } from "./promise.ts";
import { publishedPromises } from "./published.ts";

/** The published document, by its title. It has no version number. */
export const publishedDocument = "Payout Receiver Service Interface";

/** Asked of any server that speaks what is published. */
export const basePromises = publishedPromises;

/** Asked with --disburse too: published, but only what is ours can cause and read it; and what is ours. */
export const addedPromises: readonly Promised[] = [
  ...eventPromises,
  ...requestPromises,
  ...resourcePromises,
];

/** The published document numbers its parts; ours have headings. */
export const isPublished = ({ section }: Pick<Promised, "section">) =>
  section === "Envelope" || /^\d/.test(section);
