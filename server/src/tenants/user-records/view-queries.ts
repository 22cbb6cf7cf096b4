// The SQL of the views that users save.

import { type Runner, statement } from "../../platform/db/index.ts";

export type SavedView = { name: string; search: Record<string, string> };
type ViewKey = { userId: string; list: string; name: string };

const listOf = statement<SavedView>(
  "user-views",
  "select name, search from user_view where user_id = $1 and list = $2 order by lower(name), name",
);

export function listViews(
  db: Runner,
  { userId, list }: Omit<ViewKey, "name">,
): Promise<SavedView[]> {
  return db.run(listOf, [userId, list]);
}

const save = statement<{ name: string }>(
  "user-view-save",
  `insert into user_view (user_id, list, name, search)
   select $1, $2, $3, $4::jsonb
   where (select count(*) from user_view where user_id = $1 and list = $2 and name <> $3) < $5
   on conflict (user_id, list, name) do update set search = excluded.search
   returning name`,
);

/** Replaces the view with the same name. False: the user has `most` others already. */
export async function saveView(
  db: Runner,
  { userId, list, name }: ViewKey,
  { search, most }: { search: Record<string, string>; most: number },
): Promise<boolean> {
  return (await db.run(save, [userId, list, name, JSON.stringify(search), most])).length > 0;
}

const remove = statement<{ name: string }>(
  "user-view-delete",
  "delete from user_view where user_id = $1 and list = $2 and name = $3 returning name",
);

/** Whether there was one. */
export async function deleteView(db: Runner, { userId, list, name }: ViewKey): Promise<boolean> {
  return (await db.run(remove, [userId, list, name])).length > 0;
}
