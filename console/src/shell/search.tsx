// ⌘K: finds a thing by id, e-mail, reference or the last four digits of an account, and any page by its name.

import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search as SearchIcon } from "lucide-react";
import { useState } from "react";
import { get } from "../api/call.ts";
import { useCurrentSubaccount, useMe } from "../api/me.ts";
import { isSeen, navGroups } from "./nav-items.ts";

/** What the server finds. `href_kind` names the page that shows it. */
type Hit = { kind: string; id: string; title: string; detail: string; href_kind: string };

const pages: Record<string, (id: string) => string> = {
  payout: (id) => `payouts/${id}`,
  receiver: (id) => `receivers/${id}`,
  event: (id) => `webhooks/events/${id}`,
  request: (id) => `requests/${id}`,
};

export function Search() {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text.trim(), 200);
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  const navigate = useNavigate();
  const { data, isFetching } = useQuery({
    queryKey: [subaccount?.id, "search", asked],
    queryFn: ({ signal }) =>
      get<{ hits: Hit[] }>(`/s/${subaccount?.id}/search`, { q: asked }, signal),
    enabled: subaccount !== undefined && asked.length >= 3,
    retry: false,
  });
  const go = (to: string) => void navigate({ to: to as never });
  const hits = asked.length >= 3 ? (data?.hits ?? []) : [];
  const named = navGroups
    .flatMap(({ items }) => items)
    .filter((item) => !item.href && isSeen(item, me) && (!item.page || subaccount))
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={["mod + K", "/"]}
      maxHeight={420}
      scrollable
    >
      <Spotlight.Search
        placeholder="Id, e-mail, reference or last four digits"
        aria-label="Search"
        leftSection={<SearchIcon size={17} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {hits.length > 0 && (
          <Spotlight.ActionsGroup label={subaccount?.name ?? ""}>
            {hits.map(({ href_kind, id, title, detail }) => (
              <Spotlight.Action
                key={`${href_kind} ${id}`}
                label={title}
                description={detail}
                onClick={() => go(`/s/${subaccount?.id}/${pages[href_kind]?.(id) ?? "overview"}`)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {named.length > 0 && (
          <Spotlight.ActionsGroup label="Pages">
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
          <Spotlight.Empty>{isFetching ? "Looking …" : "Nothing found"}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
