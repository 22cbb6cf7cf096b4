// Importing and matching a bank statement among many payouts, against importing receivers by CSV in the same run.

import { applyInbound } from "../../server/src/banking/inbound-files/inbound.ts";
import {
  addBankPayouts,
  amount,
  type BankSide,
  freezeAll,
  newBankSide,
  sendBatch,
} from "../bank-side.ts";
import { settle } from "../database.ts";
import { importReceivers } from "../import-receivers.ts";
import type { Measure } from "../measure.ts";
import { parentOf, processorTimeUs } from "../processor-time.ts";
import { progressBar } from "../progress.ts";
import { atLeast, atMost } from "../requirement.ts";
import { interleave, median } from "../rounds.ts";

/** Of a hundred lines: the others are payments that our files ordered. */
const returnsOf100 = 3;
const creditsOf100 = 3;

export const measureStatements: Measure = async ({ postgres, scale }) => {
  const { payoutsFew, payoutsMany, bankPayoutsFew, bankPayoutsMany, importRows } = scale;
  const few = await newStatementSide("statements_few", payoutsFew);
  const many = await newStatementSide("statements_many", payoutsMany);
  const receivers = await postgres.createDatabase("statements_receivers");
  const databaseUs = await databaseTime(many);
  const usPerLine: { service: number[]; database: number[] } = { service: [], database: [] };

  async function newStatementSide(name: string, payouts: number): Promise<BankSide> {
    const side = await newBankSide(postgres, name, payouts);
    await addOldLines(side);
    return side;
  }

  const importing = (side: BankSide, lines: number) => async () => {
    const { bytes, matched } = await newStatement(side, lines);
    const { db } = side.database;
    const request = {
      name: "statement.xml",
      connection: side.connection,
      who: "bench",
      atMs: Date.now(),
    };
    const before = { service: process.cpuUsage(), database: databaseUs() };
    const startMs = performance.now();
    const { file } = await applyInbound({ db, seal: side.seal }, bytes, request);
    const tookMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(before.service);
    if (side === many && lines === bankPayoutsMany) {
      usPerLine.service.push((user + system) / lines);
      usPerLine.database.push(((databaseUs() ?? 0) - (before.database ?? 0)) / lines);
    }
    await requireMatched(side, file.id, matched);
    return { perSecond: (lines * 1000) / tookMs };
  };

  const noTime = { roundMs: 0, warmUpMs: 0 };
  const against = await interleave(
    [
      { name: `lines, among ${payoutsMany}`, run: importing(many, bankPayoutsMany) },
      {
        name: "receivers by CSV",
        run: async () => {
          const tookMs = await importReceivers(postgres, receivers, importRows);
          return { perSecond: (importRows * 1000) / tookMs };
        },
      },
    ],
    { ...noTime, rounds: scale.importRounds },
  );
  const growth = await interleave(
    [
      { name: `${bankPayoutsFew} lines, among ${payoutsFew}`, run: importing(few, bankPayoutsFew) },
      {
        name: `${bankPayoutsFew} lines, among ${payoutsMany}`,
        run: importing(many, bankPayoutsFew),
      },
    ],
    { ...noTime, rounds: scale.bankRounds },
  );
  const [lines = 0, rows = 0] = Object.values(against).map(({ perSecond }) => perSecond);
  const [amongFew = 0, amongMany = 0] = Object.values(growth).map(({ perSecond }) => perSecond);
  const us = (values: number[]) => Math.round(median(values) ?? 0);
  return {
    title: "Importing and matching bank statements",
    how:
      `a camt.053 with ${bankPayoutsMany} lines: ${returnsOf100} % returns, ${creditsOf100} % unknown credits, ` +
      `the rest payments; receivers: ${importRows} rows a file, from the start of the process to its end`,
    figures: [...Object.values(against), ...Object.values(growth)],
    requirements: [
      atLeast("statement lines a second / receivers by CSV", lines / rows, 0.5),
      atMost("statement lines: time grown", amongFew / amongMany, 1.25),
    ],
    notes: [
      `processor time for each of ${bankPayoutsMany} lines: ${us(usPerLine.service)} µs in the service, ` +
        `${us(usPerLine.database)} µs in PostgreSQL`,
    ],
  };
};

async function databaseTime({ database }: BankSide): Promise<() => number | undefined> {
  const { rows } = await database.db.pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  return () => processorTimeUs(postmaster, { withChildren: true });
}

const oldFiles = 200;
const chunk = 20_000;

/** All payouts so far were in files of last year. */
async function addOldLines({ database, payer, connection }: BankSide): Promise<void> {
  const { pool } = database.db;
  const { subaccountId } = payer.caller;
  await pool.query(
    `insert into bank_batch (id, connection_id, sequence, status, process_date, cutoff_ms, payouts, total, currency,
       file_name, file_sha256, file_bytes, frozen_at_ms, frozen_by, sent_at_ms)
     select uuidv7(), $1, 1000000 + n, 'accepted', (date '2025-01-01' + n)::text, 0, 1, 1, 'AUD', 'old-' || n, md5(n::text),
       1, 0, 'bench', 1
     from generate_series(0, $2::int - 1) n`,
    [connection.id, oldFiles],
  );
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int as count from payout where subaccount_id = $1",
    [subaccountId],
  );
  const count = rows[0]?.count ?? 0;
  const bar = progressBar(`${count} lines of files`, count);
  let after = "00000000-0000-0000-0000-000000000000";
  for (let done = 0; done < count; done += chunk) {
    const page = await pool.query<{ last: string }>(
      `with page as (
         select subaccount_id, id, reference, row_number() over (order by id) + $3::int as n from payout
         where subaccount_id = $1 and id > $2 order by id limit ${chunk}
       ), lines as (
         insert into bank_batch_line (subaccount_id, payout_id, batch_id, line, file_reference, match_key, account_key)
         select p.subaccount_id, p.id, b.id, p.n, p.reference, left(md5(p.id::text), 22), left(md5('a' || p.id), 22)
         from page p join bank_batch b on b.sequence = 1000000 + p.n % ${oldFiles} and b.connection_id = $4
       )
       select id as last from page order by id desc limit 1`,
      [subaccountId, after, done, connection.id],
    );
    after = page.rows[0]?.last ?? after;
    bar(Math.min(done + chunk, count));
  }
  await settle(database.db);
}

let files = 0;

/** A statement about a file that was sent: each payment is a line. `matched` is how many lines the service can match. */
async function newStatement(
  side: BankSide,
  lines: number,
): Promise<{ bytes: Buffer; matched: number }> {
  files += 1;
  const returns = Math.floor((lines * returnsOf100) / 100);
  const credits = Math.floor((lines * creditsOf100) / 100);
  const payments = lines - returns - credits;
  const window = await addBankPayouts(side, payments, { stage: "queued", prefix: `S${files}-` });
  const batchId = await freezeAll(side, window);
  const day = await sendBatch(side, batchId);
  const { rows } = await side.database.db.pool.query<{ id: string }>(
    "select payout_id as id from bank_batch_line where batch_id = $1 order by line",
    [batchId],
  );
  await settle(side.database.db);
  const ids = rows.map(({ id }) => id.replaceAll("-", ""));
  const entries = [
    ...ids.map((id, index) => entry({ day, id, number: index, code: "ICDT", sub: "DMCT" })),
    ...ids
      .slice(0, returns)
      .map((id, index) =>
        entry({ day, id, number: payments + index, code: "RCDT", sub: "RRTN", isCredit: true }),
      ),
    ...Array.from({ length: credits }, (_, index) =>
      entry({ day, id: "", number: -index, code: "RCDT", sub: "DMCT", isCredit: true }),
    ),
  ];
  const change = BigInt((returns + credits - payments) * amount);
  return { bytes: Buffer.from(document(day, entries, change)), matched: payments + returns };
}

type Entry = {
  day: string;
  id: string;
  number: number;
  code: string;
  sub: string;
  isCredit?: boolean;
};

const decimal = (cents: bigint | number) => {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

function entry({ day, id, number, code, sub, isCredit = false }: Entry): string {
  const money = `<Amt Ccy="AUD">${decimal(amount)}</Amt><CdtDbtInd>${isCredit ? "CRDT" : "DBIT"}</CdtDbtInd>`;
  const reference = `<AcctSvcrRef>B${files}N${number}</AcctSvcrRef>`;
  const party = isCredit && id === "" ? "Dbtr" : "Cdtr";
  return (
    `<Ntry>${money}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${reference}` +
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${code}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>` +
    `<NtryDtls><TxDtls><Refs>${reference}<EndToEndId>${id || "NOTPROVIDED"}</EndToEndId></Refs>${money}` +
    `<RltdPties><${party}><Pty><Nm>Ada Lovelace</Nm></Pty></${party}></RltdPties>` +
    `<RmtInf><Ustrd>invoice ${Math.abs(number)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`
  );
}

/** What the account has before each statement. */
const opening = 100_000_000_000n;

function document(day: string, entries: readonly string[], change: bigint): string {
  const created = `<CreDtTm>${day}T22:00:00Z</CreDtTm>`;
  const balance = (code: string, cents: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">${decimal(cents)}</Amt>` +
    `<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">` +
    `<BkToCstmrStmt><GrpHdr><MsgId>M${files}</MsgId>${created}</GrpHdr>\n<Stmt><Id>S${files}</Id>${created}` +
    "<Acct><Id><Othr><Id>12345678</Id></Othr></Id><Ccy>AUD</Ccy></Acct>\n" +
    `${balance("OPBD", opening)}${balance("CLBD", opening + change)}\n${entries.join("")}</Stmt></BkToCstmrStmt></Document>\n`
  );
}

async function requireMatched(side: BankSide, fileId: string, expected: number): Promise<void> {
  const { rows } = await side.database.db.pool.query<{ matched: number }>(
    `select count(*)::int as matched from bank_statement s join bank_statement_line l on l.statement_id = s.id
     where s.file_id = $1 and l.status = 'matched'`,
    [fileId],
  );
  const { matched } = rows[0] ?? {};
  if (matched !== expected) throw new Error(`${matched} of ${expected} lines were matched`);
}
