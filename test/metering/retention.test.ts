/** What grows without end leaves when it is past its retention (issue 53): every table is swept or bounded. */
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { RETENTION, retentionDays } from '../../src/kernel/retention.ts';
import type { Retained } from '../../src/kernel/retention.ts';
import { parseMonth } from '../../src/metering/calendar.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { readPlans } from '../../src/account/plans.ts';
import { readSwept, sweep } from '../../src/ops/retention-sweep.ts';
import { sharedStore } from '../support/store.ts';
import { runAdmin } from '../account/admin-run.ts';
import { readText } from '../support/repository.ts';

const store = await sharedStore();

/** Why a table does not grow without end, by its name. */
const BOUNDED: readonly (readonly [RegExp, string])[] = [
  [
    /_former$/,
    "the register's own past, which asOf answers from: as large as what the register tells",
  ],
  [/^(?!layer_).*_history$/, 'leave with their step of layer_history'],
  [/^change_event$/, 'leaves with its step of layer_history'],
  [
    /^change_transaction$/,
    'leaves once a later one of its layer has: one a layer stays as the bound',
  ],
  [/_source$/, 'a row a file that was read'],
  [
    /^(address|area|assessment|bbr|cadastre|company|condition|line|place|postal|protection)(_|$)/,
    'a row of the register',
  ],
  [/^replication_/, 'numbers of the log of changes, which leave with its transactions (D231)'],
  [/^dated_/, 'changes that are known ahead, settled once carried out'],
  [
    /^(layer_state|register_refusal|sync_lease|store_\w+|account_revision)$/,
    'a row a layer or store',
  ],
  [/^sync_issue$/, 'leaves with its run'],
  [/^operator_action$/, 'written by versions before D199 alone; a later version drops it'],
  [/^(operator_act_start|retention_sweep)$/, 'one row, or one a table'],
  [/^(account|webhook_endpoint)$/, 'customers; endpoints leave once removed; erased on request'],
  [/^(webhook_delivery|watch_missed)$/, 'the dispatcher removes those older than 30 days'],
  [/^watch_(list|piece|claim)$/, '20 lists of an account, and one row; erased on request'],
  [
    /^job_(chunk|request)$/,
    'rows of jobs leave 30 days after their end, answers kept for repetition after a day',
  ],
  [/^(session|sign_in_link)$/, 'leave once ended'],
  [/^account_(person|alarm)$/, 'of customers; erased on request'],
  [/^account_request$/, 'the 500 open ones, and those decided in 90 days (D217)'],
  [/^mail_allowance$/, 'leave with their window of minutes'],
  [/^self_audit_hour$/, '92 days'],
  [/^usage_(instance|grant)$/, 'processes leave once settled, with their grants'],
  [/^stage_/, 'of a run, emptied with it'],
];

test('every table of the store is swept by its age, or said to be bounded', () => {
  const tables = [
    ...readText('sql/schema.sql').matchAll(/^create (?:unlogged )?table (\w+) \(/gm),
  ].map(([, name = '']) => name);
  expect(tables.length).toBeGreaterThan(100);
  const reasons = (name: string) =>
    BOUNDED.filter(([pattern]) => pattern.test(name)).length + Number(name in RETENTION);
  expect(tables.filter((name) => reasons(name) === 0)).toEqual([]);
  expect(tables.filter((name) => name in RETENTION && reasons(name) > 1)).toEqual([]);
  expect(Object.keys(RETENTION).filter((name) => !tables.includes(name))).toEqual([]);
  expect(BOUNDED.filter(([pattern]) => !tables.some((name) => pattern.test(name)))).toEqual([]);
});

test('the document has the table of it as the sweep does it', () => {
  const document = readText('docs/operations.md').replaceAll(/ +/g, ' ');
  for (const [table, { days, min, why }] of Object.entries(RETENTION)) {
    expect(document).toContain(`| \`${table}\` | ${days} | ${min} | ${why} |`);
  }
});

test('is set table by table, never below what the law or a bill wants', () => {
  const config = (RETENTION: string) => loadConfig({ RETENTION }).retention;
  expect(config('usage_line=62,job=400')).toMatchObject({
    usage_line: 62,
    job: 400,
    sync_run: 400,
  });
  expect(() => config('usage_month=1826')).toThrow(
    /usage_month is a whole number of days from 1827/,
  );
  expect(() => config('operator_act=30')).toThrow(/operator_act/);
  expect(() => config('usage_line=61')).toThrow(/usage_line/);
  expect(() => config('__proto__=5')).toThrow(/none of usage_line/);
  expect(() => config('account=5')).toThrow(/none of usage_line/);
});

const KEY = (letter: string) => `key_${letter.repeat(20)}`;

/** A row of the table so many days old, written as the service writes it. `$1` days, `$2` a number. */
const ROWS: Readonly<Record<Retained, string>> = {
  usage_line: `insert into usage_line (journal, seq, at, day, account_id, key_id, operation, environment, units, request_id)
    select 'j' || $2, $1, now() - make_interval(days => $1), now()::date - $1, id, 'key', 'dagi', 'live', 1, 'r' from account`,
  usage_day: `insert into usage_day (account_id, day, key_id, operation, environment, units, requests)
    select id, now()::date - $1, 'key' || $2, 'dagi', 'live', 1, 1 from account`,
  usage_month: `insert into usage_month (account_id, environment, month, used)
    select id, 'live', date_trunc('month', now())::date - $1 - $2, 1 from account`,
  usage_journal: `insert into usage_journal (journal, instance_id, lines) select 'k' || $1 || '-' || $2, 'gone', 1 where $1 > 0
    union all select 'live-' || $2, 'gone', 0 where $1 = 0`,
  account_event: `insert into account_event (account_id, event, data, created_at)
    select id, 'key.created', '{}', now() - make_interval(days => $1 + 0 * $2) from account`,
  operator_act: `insert into operator_action (at, layer, action, who, request_id)
    values (now() - make_interval(days => $1), 'soe', 'sync', 'Ida', 'r' || $1 || '-' || $2)`,
  api_key: `insert into api_key (id, account_id, hash, prefix, name, kind, environment, permission, created_at, revoked_at)
    select 'key_' || translate(lpad($1 || '9' || $2, 20, 'a'), '0189', 'wxyz'), id, sha256(convert_to($1 || '-' || $2, 'UTF8')),
      'p', 'n', 'secret', 'test', 'read', now() - interval '9 years', now() - make_interval(days => $1) from account`,
  api_key_use: `insert into api_key_use (key_id, last_used_at)
    select id, now() - make_interval(days => $1) from api_key
    where id = 'key_' || translate(lpad((case when $1 = 0 then 0 else ${RETENTION.api_key.days + 40} end) || '9' || $2, 20, 'a'), '0189', 'wxyz')`,
  job: `insert into job (id, account_id, key_id, environment, kind, status, srid, created_at, updated_at, completed_at, rows_deleted_at)
    select 'job_' || translate(lpad($1 || '9' || $2, 20, 'a'), '0189', 'wxyz'), id, '${KEY('j')}', 'test', 'datavask', 'completed',
      4326, now(), now(), now() - make_interval(days => $1), now() from account`,
  layer_history: `insert into layer_history (layer, version, synced_at, published_at, row_count)
    select 'soe', 10 * $2 + n, now(), now() - make_interval(days => $1), 1
    from generate_series(1, case when $1 = 0 then 3 else 1 end) n`,
  sync_run: `insert into sync_run (layer, trigger, state, started_at, heartbeat_at, ended_at)
    values ('soe', 'schedule', 'unchanged', now(), now(), now() - make_interval(days => $1 + 0 * $2))`,
};

test('removes what is past its days in small steps, leaves the rest, and counts', async () => {
  const { pool } = store;
  const number = async (statement: string): Promise<number> =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from ${statement}`)).rows[0]!.n);
  await pool.query(
    `insert into account (id, name, email, tier, created_at)
     values ('account_${'g'.repeat(20)}', 'Gammel', 'gammel@example.dk', 'pro', now())`,
  );
  await pool.query(
    `insert into api_key (id, account_id, hash, prefix, name, kind, environment, permission, created_at)
     select '${KEY('j')}', id, sha256('x'), 'p', 'n', 'secret', 'test', 'read', now() from account`,
  );
  const tables = Object.keys(ROWS).toSorted((a, b) => b.length - a.length) as Retained[];
  const order = [
    'operator_act',
    'api_key',
    ...tables.filter((name) => !/^operator_act$|^api_key$/.test(name)),
  ];
  for (const table of order as Retained[]) {
    const old = RETENTION[table].days + 40;
    for (const place of [1, 2, 3, 4, 5]) {
      await pool.query(ROWS[table].replaceAll('$1', String(old)).replaceAll('$2', String(place)));
    }
    await pool.query(ROWS[table].replaceAll('$1', '0').replaceAll('$2', '6'));
  }
  // Of a layer the latest runs stay, whatever their age; what a row is needed by keeps it.
  await pool.query(
    `insert into sync_run (layer, trigger, state, started_at, heartbeat_at, ended_at)
     select 'soe', 'schedule', 'unchanged', now(), now(), now() from generate_series(1, 30)`,
  );
  const had = Object.fromEntries(
    await Promise.all(order.map(async (table) => [table, await number(table)] as const)),
  );
  const failed: unknown[] = [];
  const days = retentionDays('RETENTION');
  const once = () => sweep({ store, days, rows: 2, onFailed: (_, error) => failed.push(error) });
  await once();
  expect(failed).toEqual([]);
  const removed = Object.fromEntries(
    (await readSwept(store)).map((row) => [row.table, row.removed]),
  );
  const fresh = Object.fromEntries(
    await Promise.all(order.map(async (table) => [table, await number(table)] as const)),
  );
  for (const table of order) {
    expect([table, had[table]! - fresh[table]!]).toEqual([table, removed[table]]);
    expect([table, fresh[table]! > 0]).toEqual([table, true]);
    expect([table, removed[table]]).toEqual([table, 5]);
  }
  await once();
  expect(
    Object.fromEntries((await readSwept(store)).map((row) => [row.table, row.removed])),
  ).toEqual(removed);
  expect((await runAdmin(store, ['trail', 'verify'])).out).toMatch(/^All acts/);
});

test('a row that somebody holds makes no sweep wait, nor any other table', async ({ skip }) => {
  skip(process.env['TEST_STORE'] !== 'postgres', 'The embedded store has one connection.');
  const { pool } = store;
  await pool.query(ROWS.account_event.replaceAll('$1', '3000').replaceAll('$2', '1'));
  await pool.query(ROWS.usage_day.replaceAll('$1', '3000').replaceAll('$2', '1'));
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from account_event for update');
    const failed: string[] = [];
    const days = retentionDays('RETENTION');
    await sweep({ store, days, onFailed: (table) => failed.push(table) });
    expect(failed).toEqual(['account_event']);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const { rows } = await pool.query("select from usage_day where day < now() - interval '6 years'");
  expect(rows).toEqual([]);
});

test('a month whose lines or sums have left is refused, never an empty bill', async () => {
  const nowMs = Date.UTC(2026, 10, 28);
  const days = retentionDays('RETENTION', { usage_line: '62' });
  const ledger = usageLedger(store, { clock: { nowMs: () => nowMs }, days });
  const question = { accountId: 'x', plan: readPlans().free, capUnits: null };
  const asked = (month: string) => ({ ...question, month: parseMonth(month)! });
  expect(await ledger.lines(asked('2026-10')).next()).toMatchObject({ done: true });
  await expect(ledger.lines(asked('2026-09')).next()).rejects.toThrow(/2026-09.*62 days/);
  expect(await ledger.read(asked('2026-09'))).toMatchObject({ rows: [] });
  await expect(ledger.read(asked('2021-10'))).rejects.toThrow(/1827 days/);
});
