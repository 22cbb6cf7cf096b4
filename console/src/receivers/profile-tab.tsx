// The details of a receiver.

import { SimpleGrid } from "@mantine/core";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { MetadataPanel } from "../parts/metadata-panel.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import { addressText } from "../state/address.ts";
import { calendarDayText } from "../state/time.ts";
import { receiversTexts } from "../texts/receivers.ts";
import type { ReceiverDetail } from "./receiver.ts";
import { genderText } from "./receiver-form.ts";

export function ProfileTab({ receiver }: { receiver: ReceiverDetail }) {
  const { json, reference, created_at, created_by, kyc } = receiver;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Panel title="Personal details">
        <Facts
          items={[
            { label: receiversTexts.firstName, value: json.first_name },
            json.middle_name !== "" && {
              label: receiversTexts.middleName,
              value: json.middle_name,
            },
            { label: receiversTexts.lastName, value: json.last_name },
            { label: receiversTexts.dateOfBirth, value: calendarDayText(json.dob) },
            { label: receiversTexts.gender, value: genderText(json.gender) },
            { label: receiversTexts.email, value: json.email },
            { label: receiversTexts.phone, value: json.phone && `+${json.dialcode} ${json.phone}` },
          ]}
        />
      </Panel>
      <Panel title="Address and IDs">
        <Facts
          items={[
            { label: receiversTexts.address, value: addressText(json.address_data) },
            { label: receiversTexts.country, value: json.address_data.country },
            { label: receiversTexts.reference, value: reference },
            { label: "Receiver ID", value: <IdChip id={json.id} /> },
            {
              label: "Applicant ID",
              value: json.applicant_id && <IdChip id={json.applicant_id} short />,
            },
            { label: "Checked by", value: kyc.provider },
            { label: receiversTexts.created, value: <When ms={created_at} withSeconds /> },
            { label: "Created by", value: created_by },
          ]}
        />
      </Panel>
      <MetadataPanel metadata={json.metadata} />
    </SimpleGrid>
  );
}
