// ⌘K: searches objects by ID, email, reference or the last four digits of an account, subaccounts by the start of their
// name or ID, and pages by name.

import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import type { Hit } from "@server/console/search/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  ArrowLeftRight,
  Building2,
  Landmark,
  Layers,
  type LucideIcon,
  Search as SearchIcon,
  SquareTerminal,
  Users,
  Webhook,
} from "lucide-react";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useCurrentSubaccount, useMe } from "../api/me.ts";
import { parseSearch } from "../state/filters.ts";
import { shellTexts } from "../texts/shell.ts";
import { isSeen, navGroups } from "./nav-items.ts";

const icons: Record<string, LucideIcon> = {
  subaccount: Building2,
  payout: ArrowLeftRight,
  batch: Layers,
  receiver: Users,
  account: Landmark,
  event: Webhook,
  request: SquareTerminal,
};

function KindIcon({ kind }: { kind: string }) {
  const Icon = icons[kind] ?? SearchIcon;
  return <Icon size={16} strokeWidth={1.8} aria-label={kind} />;
}

const pages: Record<string, (hit: Hit) => string> = {
  subaccount: () => "overview",
  payout: ({ id }) => `payouts/${id}`,
  batch: ({ id }) => `payouts?batch_id=${id}`,
  receiver: ({ id }) => `receivers/${id}`,
  account: ({ receiver_id }) => `receivers/${receiver_id}`,
  event: ({ id }) => `webhooks/events/${id}`,
  request: ({ id }) => `requests/${id}`,
};

/** An ID is searched in all subaccounts when the current one does not have it. Other texts only in the current one. */
const idPattern = /^(evt_(test_)?)?[0-9a-f]{8}-[0-9a-f-]{27}$/i;

type Found = { hits: Hit[] };

export function Search() {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text.trim(), 200);
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  const navigate = useNavigate();
  const { data, isFetching } = useQuery({
    queryKey: [subaccount?.id, "search", asked],
    queryFn: async ({ signal }) => {
      const inView = await get<Found>(`/s/${subaccount?.id}/search`, { q: asked }, signal);
      if (inView.hits.length > 0 || !idPattern.test(asked)) return inView;
      return get<Found>("/search", { q: asked }, signal);
    },
    enabled: subaccount !== undefined && asked.length >= 3,
    retry: false,
  });
  const go = (address: string) => {
    const [to, search = ""] = address.split("?");
    void navigate({ to: to as never, search: parseSearch(search) as never });
  };
  const hits = asked.length >= 3 ? (data?.hits ?? []) : [];
  const named = navGroups
    .flatMap(({ items }) => items)
    .filter((item) => !item.href && isSeen(item, me) && (!item.page || subaccount))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={null}
      centered={false}
      attributes={{ content: { "aria-label": shellTexts.search } }}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      maxHeight={420}
      scrollable
    >
      <Spotlight.Search
        placeholder={shellTexts.idEmailReferenceLastFourDigits}
        aria-label={shellTexts.search}
        leftSection={<SearchIcon size={17} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label={shellTexts.results}>
            {hits.map((hit) => (
              <Spotlight.Action
                key={`${hit.kind} ${hit.id}`}
                label={hit.title}
                leftSection={<KindIcon kind={hit.kind} />}
                description={hit.detail}
                onClick={() =>
                  go(`/s/${hit.subaccount_id}/${pages[hit.kind]?.(hit) ?? "overview"}`)
                }
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {named.length > 0 && (
          <Spotlight.ActionsGroup label={shellTexts.pages}>
            {named.map(({ label, page, to, icon: Icon }) => (
              <Spotlight.Action
                key={label}
                label={label}
                leftSection={<Icon size={16} strokeWidth={1.8} aria-hidden />}
                onClick={() => go(page ? `/s/${subaccount?.id}/${page}` : (to as string))}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {hits.length + named.length === 0 && (
          <Spotlight.Empty>
            {isFetching ? shellTexts.searching : shellTexts.noMatches}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
