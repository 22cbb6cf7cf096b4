// Folders of banks that can't be polled, and files in them that were refused. Nothing where all is well.

import { Alert, List } from "@mantine/core";
import type { FolderProblems as Problems } from "@server/doors/console/bank-inbound/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { When } from "../parts/when.tsx";

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
        <Alert color="red" title="Folders of banks that can't be read">
          <List size="sm">
            {folders.map(({ connection_name, problem, good_at }) => (
              <List.Item key={connection_name}>
                {`${connection_name}: ${problem}. Last read`} <When ms={good_at} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {files.length > 0 && (
        <Alert color="red" title="Files from banks that were refused">
          Nothing of them was applied. A file is read again when the bank changes it. To read it
          again now, or to ignore it: disburse banks poll, disburse banks ignore-file.
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
