// A button that creates a link for the person and copies it. The link is a secret, so no cache keeps it.

import { Button, CopyButton, Group, Modal, Stack, Text } from "@mantine/core";
import type { PersonLinkShown } from "@server/doors/review-list/receivers/schema.ts";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { When } from "../parts/when.tsx";

/** Shown while the check waits for the person, at a provider that has a page for the person. */
export function PersonLink({
  subaccountId,
  receiverId,
  status,
  kycStatus,
  provider,
}: {
  subaccountId: string;
  receiverId: string;
  status: string;
  kycStatus: string;
  provider: string;
}) {
  const mayWrite = useMay("receivers.write");
  const [link, setLink] = useState<PersonLinkShown>();
  const isWaiting = kycStatus === "pending" && status !== "creating";
  if (!mayWrite || !isWaiting || provider === "manual") return null;
  const path = `/s/${subaccountId}/receivers/${receiverId}/kyc-link`;
  return (
    <>
      <Act
        label="Copy link for the person…"
        size="compact-sm"
        onAct={async () => setLink(await send<PersonLinkShown>("POST", path))}
      />
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title="Link for the person"
        size="lg"
      >
        {link && (
          <Stack gap="md">
            <Text size="sm">
              With this link the person gives the documents that the identity check needs. Send it
              only to the person. It works until <When ms={link.expires_at} isDeadline />.
            </Text>
            <CodeBlock text={link.url} label="Link" wrap />
            <Group justify="flex-end">
              <CopyButton value={link.url}>
                {({ copied, copy }) => (
                  <Button onClick={copy} data-autofocus>
                    {copied ? "Link copied" : "Copy link"}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
