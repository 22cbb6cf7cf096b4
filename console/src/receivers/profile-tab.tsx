// What is known of the person.

import { SimpleGrid } from "@mantine/core";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Panel } from "../parts/panel.tsx";
import { When } from "../parts/when.tsx";
import type { ReceiverDetail } from "./receiver.ts";

const genders: Record<string, string> = { F: "Female", M: "Male", X: "X" };

export function ProfileTab({ receiver }: { receiver: ReceiverDetail }) {
  const { json, reference, created_at, created_by, kyc } = receiver;
  const { address, address2, city, state, postcode, country } = json.address_data;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Panel title="Person">
        <Facts
          items={[
            { label: "First name", value: json.first_name },
            json.middle_name !== "" && { label: "Middle name", value: json.middle_name },
            { label: "Last name", value: json.last_name },
            { label: "Date of birth", value: json.dob },
            { label: "Gender", value: genders[json.gender] ?? json.gender },
            { label: "E-mail", value: json.email },
            { label: "Phone", value: `+${json.dialcode} ${json.phone}` },
          ]}
        />
      </Panel>
      <Panel title="Address and records">
        <Facts
          items={[
            {
              label: "Address",
              value: [address, address2, city, state, postcode].filter(Boolean).join(", "),
            },
            { label: "Country", value: country },
            { label: "Reference", value: reference },
            { label: "Receiver", value: <IdChip id={json.id} /> },
            {
              label: "Applicant",
              value: json.applicant_id && <IdChip id={json.applicant_id} short />,
            },
            { label: "Checked by", value: kyc.provider },
            { label: "Created", value: <When ms={created_at} withSeconds /> },
            { label: "Created by", value: created_by },
          ]}
        />
      </Panel>
    </SimpleGrid>
  );
}
