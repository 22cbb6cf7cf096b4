// A list of the console: its declaration makes the route of its pages and, where it has one, that of its CSV file.

import type { Static, TObject, TSchema } from "typebox";
import { cutPage, type ListPage } from "../../platform/db/index.ts";
import { csvOf, isoTime } from "../../platform/documents/index.ts";
import { input } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import type { Permission } from "../../tenants/roles/index.ts";
import { csvPagesOf, pageOf, pageSizeOf } from "../lists/index.ts";
import { type ConsoleAccess, inSubaccount, type SubaccountAccess, sendCsv } from "./route.ts";

type Cells = Record<string, unknown>;

/** What a page is read for. `access` has the subaccount where the path names one. */
type Asked<Query extends TObject> = {
  access: SubaccountAccess;
  subaccountId: string;
  params: { id: string };
  query: Static<Query>;
  /** The rows of a page, and how many to look for: one more tells whether there is a next page. */
  size: number;
  limit: number;
};

type List<Query extends TObject, Found, Row extends TObject> = {
  /** The permission for its pages. Everybody may read and export what is in a subaccount that they see. */
  may?: Permission;
  /** Filters, sort, limit and cursor. */
  query: Query;
  /** The schema of a row. */
  row: Row;
  /** The schema of a page, where it says more than rows and the next cursor. */
  page?: TSchema;
  /** The longest page, where it is shorter than that of other lists. */
  sizeMax?: number;
  /** The list is read from its first row on: its cursor is the number of rows before the page. */
  isWhole?: boolean;
  /** Up to `limit` rows, which are cut to a page, or a page. */
  find(asked: Asked<Query>): Promise<readonly Found[] | ListPage<Found>>;
  /** The cursor after a row. Default: its id. */
  cursorOf?: (row: Found) => string;
  /** Default: rows are shown as they are found. */
  present?: (rows: Found[], asked: Asked<Query>) => Static<Row>[] | Promise<Static<Row>[]>;
  csv?: Csv<Query, Found, Static<Row>>;
};

type Csv<Query extends TObject, Found, Shown> = {
  /** The name of the file. */
  name: string;
  /** Default: the filters and the sort of the list. */
  query?: TObject;
  /** Default: the fields of a row. */
  columns?: readonly string[];
  /** Cells that are not fields of the row, or not written like other fields. */
  cells?: (row: Shown) => Cells;
  /** All cells, where the file has more than a page shows. */
  cellsOfFound?: (row: Found, asked: Asked<Query>) => Cells;
};

/** Returns what reads a page, for acts that are answered with the list as it is then. */
export function listRoute<Query extends TObject, Found, Row extends TObject>(
  api: Api,
  path: string,
  list: List<Query, Found, Row>,
): (access: ConsoleAccess, query: Static<Query>) => Promise<ListPage<Static<Row>>> {
  const { may = "read", query, row, page = pageOf(row), find, csv } = list;
  const { cursorOf = (found) => (found as { id: string }).id } = list;
  const { sizeMax = Infinity, isWhole = false } = list;
  const { present = (found: unknown[]) => found as Static<Row>[] } = list;

  type Request = { access: ConsoleAccess; params?: unknown };
  const askedOf = (request: Request, given: unknown): Asked<Query> => {
    const isOfSubaccount = path.includes("/:subaccountId/");
    const access = isOfSubaccount ? inSubaccount(request) : (request.access as SubaccountAccess);
    const { cursor = 0, ...page } = given as { limit?: string; cursor?: string };
    const size = Math.min(pageSizeOf(page), sizeMax);
    return {
      access,
      subaccountId: access.subaccount?.id,
      params: request.params as { id: string },
      query: given as Static<Query>,
      size,
      limit: (isWhole ? Number(cursor) : 0) + size + 1,
    };
  };
  const findPage = async (asked: Asked<Query>): Promise<ListPage<Found>> => {
    const found = await find(asked);
    if ("next" in found) return found;
    if (!isWhole) return cutPage(found, asked.size, cursorOf);
    const end = asked.limit - 1;
    return cutPage(found.slice(end - asked.size), asked.size, () => String(end));
  };
  const readPage = async (request: Request, given: unknown) => {
    const asked = askedOf(request, given);
    const found = await findPage(asked);
    return { ...found, rows: await present(found.rows, asked) };
  };

  api.get(
    path,
    { config: { may }, schema: { querystring: query, response: { 200: page } } },
    async (request) => (await readPage(request, request.query)) as never,
  );

  const read = (access: ConsoleAccess, given: Static<Query>) => readPage({ access }, given);
  if (!csv) return read;
  const { limit: _limit, cursor: _cursor, after: _after, ...filters } = query.properties;
  const { name, query: querystring = input(filters), columns = Object.keys(row.properties) } = csv;
  const { cellsOfFound, cells } = csv;
  api.get(
    `${path}.csv`,
    { config: { may: may === "read" ? "export" : may }, schema: { querystring } },
    async (request, reply) => {
      const nextPage = csvPagesOf(request.query as object, async (given) => {
        const asked = askedOf(request, given);
        const { rows, next } = await findPage(asked);
        if (cellsOfFound) return { rows: rows.map((one) => cellsOfFound(one, asked)), next };
        const shown = await present(rows, asked);
        return { rows: shown.map((one) => ({ ...cellsOf(one), ...cells?.(one) })), next };
      });
      return sendCsv(reply, name, csvOf(columns, nextPage)) as never;
    },
  );
  return read;
}

/** Times as ISO 8601, texts with a space between them, and objects as JSON. */
function cellsOf(row: object): Cells {
  const entries = Object.entries(row).map(([name, value]) => {
    if (/(^|_)at$/.test(name)) return [name, isoTime(value)];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
      return [name, value.join(" ")];
    }
    return [name, typeof value === "object" && value !== null ? JSON.stringify(value) : value];
  });
  return Object.fromEntries(entries);
}
