// Loads the sanctions lists, and says in words why a version waits and what it changes.

import type {
  ChangedEntry,
  ImportedVersion,
  ListVersion,
  SanctionsList,
  SanctionsLists,
  VersionShown,
  WaitingVersion,
} from "@server/doors/console/screening/schema.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { countText } from "../state/locale.ts";

export type {
  ChangedEntry,
  ImportedVersion,
  ListVersion,
  SanctionsList,
  SanctionsLists,
  WaitingVersion,
};

/** Another user may decide meanwhile. */
const everyMs = 10_000;

export function useLists() {
  return useQuery({
    queryKey: ["screening"],
    queryFn: ({ signal }) => get<SanctionsLists>("/screening", {}, signal),
    refetchInterval: everyMs,
  });
}

export function useVersion(id: string) {
  return useQuery({
    queryKey: ["screening", "version", id],
    queryFn: ({ signal }) => get<VersionShown>(`/screening/versions/${id}`, {}, signal),
    refetchInterval: everyMs,
  });
}

export function useRenewLists(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["screening"] });
}

export function isWaiting(version: ListVersion | WaitingVersion): version is WaitingVersion {
  return version.status === "waiting" && "reason" in version;
}

const reasons: Record<WaitingVersion["reason"], string> = {
  "": "A second user has to approve it.",
  "fewer entries": "It has over 10 % fewer entries than the version in force.",
  "fewer names": "It has over 10 % fewer names than the version in force.",
  "many entries are removed":
    "Over 10 % of the entries in force are not in it. It may be another list.",
  "older than the active version": "It was published before the version in force.",
  "countries are removed": "It removes an embargoed country.",
  "a user imports other entries": "A user imports it, and it removes or changes entries in force.",
};

/** Why the version waits, and for whom. */
export function whyItWaits({ reason, needs_two, first_approved_by }: WaitingVersion): string {
  if (!needs_two) return reasons[reason];
  const who =
    first_approved_by === ""
      ? "It came from the folder, so two users have to approve it."
      : "It came from the folder. One user has approved it, and another one has to.";
  return `${reasons[reason]} ${who}`;
}

/** "12 added, 3 changed, 1 removed" */
export function changesText({ added, changed, removed }: ListVersion): string {
  if (added + changed + removed === 0) return "No changes";
  return [
    added > 0 && `${countText(added)} added`,
    changed > 0 && `${countText(changed)} changed`,
    removed > 0 && `${countText(removed)} removed`,
  ]
    .filter(Boolean)
    .join(", ");
}
