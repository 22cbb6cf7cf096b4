// A button that creates a link for the person and copies it. The link is a secret, so no cache keeps it.

import { Button, CopyButton, Group, Modal, Stack, Text } from "@mantine/core";
import type { PersonLinkShown } from "@server/console/receivers/schema.ts";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { Act } from "../parts/act.tsx";
import { CodeBlock } from "../parts/code-block.tsx";
import { When } from "../parts/when.tsx";
import { receiversTexts } from "../texts/receivers.ts";

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
        label={receiversTexts.linkForThePerson}
        size="compact-sm"
        onAct={async () => setLink(await send<PersonLinkShown>("POST", path))}
      />
      <Modal
        opened={link !== undefined}
        onClose={() => setLink(undefined)}
        title={receiversTexts.linkForThePersonTitle}
        size="lg"
      >
        {link && (
          <Stack gap="md">
            <Text size="sm">
              {receiversTexts.sendItOnlyToThePerson} {receiversTexts.itWorksUntil}{" "}
              <When ms={link.expires_at} />.
            </Text>
            <CodeBlock text={link.url} label={receiversTexts.link} wrap />
            <Group justify="flex-end">
              <CopyButton value={link.url}>
                {({ copied, copy }) => (
                  <Button onClick={copy} data-autofocus>
                    {copied ? receiversTexts.linkCopied : receiversTexts.copyLink}
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
