// Folders of banks that can't be polled, and files in them that were refused. Nothing where all is well.

import { Alert, List } from "@mantine/core";
import type { FolderProblems as Problems } from "@server/console/bank-inbound/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { When } from "../parts/when.tsx";
import { inboundTexts } from "../texts/bank-inbound.ts";

const everyMs = 10_000;

export function FolderProblems() {
  const { data } = useQuery({
    queryKey: ["banks", "folders"],
    queryFn: ({ signal }) => get<Problems>("/banks/inbound/folders", {}, signal),
    refetchInterval: everyMs,
  });
  if (!data) return null;
  const { folders, files } = data;
  return (
    <>
      {folders.length > 0 && (
        <Alert color="red" title={inboundTexts.foldersFail}>
          <List size="sm">
            {folders.map(({ connection_name, problem, good_at }) => (
              <List.Item key={connection_name}>
                {inboundTexts.folderFails(connection_name, problem)} <When ms={good_at} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {files.length > 0 && (
        <Alert color="red" title={inboundTexts.refusedFiles}>
          {inboundTexts.refusedHint}
          <List size="sm">
            {files.map(({ connection_name, name, code, message, refused_at }) => (
              <List.Item key={`${connection_name}/${name}`}>
                <strong>{name}</strong> ({connection_name}, <When ms={refused_at} />
                ): {message} ({code})
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
