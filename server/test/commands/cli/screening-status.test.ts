// disburse screening status and hits; and receivers that a command creates are screened.

import { afterAll, beforeAll, expect, test } from "vitest";
import { person, putList } from "../../scenarios/screening-lists.ts";
import { type OperatorTest, operatorTest, optionsOf } from "../../support/cli-operator.ts";
import { ada } from "../../support/service.ts";

let operator: OperatorTest;
let setId: number;
beforeAll(async () => {
  operator = await operatorTest();
  setId = await putList(operator.db, "un", [person("QD.1", "Grigor Tossunbek")]);
  await operator.db.pool.query(
    `insert into screening_list_version (id, list, hash, reader, published_day, entries, names, added, changed, removed,
       status, made_by, at_ms, set_id)
     values (gen_random_uuid(), 'un', 'x', 1, '2026-11-01', 1, 1, 1, 0, 0, 'active', 'operator:ada', 1, $1)`,
    [setId],
  );
});
afterAll(() => operator.close());

test("status counts who was screened against each list, and hits lists the open ones", async () => {
  const { json, run, newReceiver, subaccountId } = operator;
  await newReceiver();
  const un = async () =>
    (await json("screening", "status")).find(({ list }: { list: string }) => list === "un");
  expect(await un()).toMatchObject({ published: "2026-11-01", set: setId, complete: 0, behind: 1 });
  expect(await json("screening", "hits")).toEqual([]);

  const listed = ada({ first_name: "Grigor", last_name: "Tossunbek" });
  const { receiver_id } = await json("receivers", "create", ...optionsOf(listed));
  expect(await un()).toMatchObject({ complete: 1, behind: 1 });
  const [hit, ...others] = await json("screening", "hits", "--subaccount", subaccountId);
  expect(others).toEqual([]);
  expect(hit).toMatchObject({
    receiver_id,
    list: "un",
    entry_key: "QD.1",
    subject_kind: "receiver",
  });
  expect(hit.explanation.words).toHaveLength(2);
  const { stdout } = await run("screening", "hits");
  expect(stdout).toContain("Grigor Tossunbek");
  const nowhere = "00000000-0000-7000-8000-000000000000";
  expect(await json("screening", "hits", "--subaccount", nowhere)).toEqual([]);
});
