/** A customer who used everything, exported and erased: no table and no file has the mark any more (issue 53). */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOLDINGS } from '../../src/ops/holdings.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createLogging } from '../../src/kernel/logger.ts';
import { compose } from '../../src/start/service.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { until } from '../support/until.ts';
import { samplePoint } from '../../sample/points.ts';
import { WEBHOOK_KEY } from '../webhooks/webhook-bench.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { runAdmin } from './admin-run.ts';
import { opened, ownFolder } from '../support/opened.ts';

const MARK = 'zyxmaerke';
const EMAIL = `${MARK}@example.dk`;

const bench = await opened(openSyncBench());
// Every column of every table is looked through: no more than is asked for.
expect((await bench.sync('skov')).state).toBe('published');
const dataDir = ownFolder('erase');
const service = await compose({
  config: loadConfig({
    ...(bench.store.databaseUrl !== null && { DATABASE_URL: bench.store.databaseUrl }),
    ...{ DATA_DIR: dataDir, WEBHOOK_KEY, LOOKUPS: 'store', THREADS: '1', LOG_LEVEL: 'silent' },
  }),
  clock: systemClock,
  sources: bench.deps,
  log: createLogging({ level: 'silent' }).log,
  onExpired: () => undefined,
  webhookNetwork: {
    resolve: () => Promise.resolve(['127.0.0.1']),
    ...{ permits: () => true, ca: makeAuthority().ca, attemptMs: 500 },
  },
});

const admin = (...argv: readonly string[]) => runAdmin({ ...bench.store, dataDir }, argv);

/** Signs in, and does with the mark in it all that a customer can name. */
async function useEverything(): Promise<{ id: string; secret: string; keyIds: string[] }> {
  const created = await admin('account', 'create', '--name', `Firma ${MARK}`, '--email', EMAIL);
  const { id } = created.value as { id: string };
  await admin('tier', EMAIL, 'pro');
  const { token: link } = await service.accounts.sessions.newLink(id);
  const session = await ask('POST', '/v1/me/session', { link });
  const { csrf_token: csrf } = session.json<{ session: { csrf_token: string } }>().session;
  const cookie = String(session.headers['set-cookie']).split(';')[0]!;
  const own = { host: 'geo.example', cookie, 'x-csrf-token': csrf };
  const hook = { url: `https://${MARK}.example/`, events: ['key.created'], description: MARK };
  expect((await ask('POST', '/v1/me/webhooks', hook, own)).statusCode).toBe(201);
  const wanted = { name: MARK, environment: 'live', permission: 'jobs' };
  const minted = (await ask('POST', '/v1/me/keys', wanted, own)).json<{
    key: { id: string; secret: string };
  }>();
  const origins = [`${MARK}.example`];
  const shown = { name: MARK, environment: 'live', kind: 'public', origins };
  const other = (await ask('POST', '/v1/me/keys', shown, own)).json<{ key: { id: string } }>();
  const colleague = { email: `kollega.${MARK}@example.dk`, roles: ['reads'] };
  expect((await ask('POST', '/v1/me/persons', colleague, own)).statusCode).toBe(201);
  expect((await ask('PUT', '/v1/me/alarm', { units: 5 }, own)).statusCode).toBe(200);
  await bench.store.pool.query(
    `insert into account_request (id, name, email, purpose, asked_at)
     values ('request_' || repeat('a', 20), $1, $2, $1, now())`,
    [MARK, EMAIL],
  );
  const { secret } = minted.key;
  const key = { authorization: `Bearer ${secret}`, 'x-request-id': `${MARK}-1` };
  const { lon, lat } = samplePoint('forest').wgs84;
  const lookup = await ask('GET', `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`, undefined, key);
  expect(lookup.statusCode, lookup.body).toBe(200);
  const rows = [{ adresse: `${MARK} 1, 9999 Opdigtet`, lon, lat }];
  const job = { kind: 'dagi', label: MARK, columns: { x: 'lon', y: 'lat' }, rows };
  const once = { ...key, 'idempotency-key': MARK };
  const made = await ask('POST', '/v1/jobs', job, once);
  expect(made.statusCode, made.body).toBe(201);
  await admin('operator', EMAIL, 'off');
  await service.metering.fold();
  return { id, secret, keyIds: [minted.key.id, other.key.id] };
}

async function ask(
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  headers: Record<string, string> = { host: 'geo.example' },
) {
  return await service.app.inject({ method, url, headers, ...(payload && { payload }) });
}

/** Every table and every column of any type, as text and as bytes. */
async function tablesWith(mark: string): Promise<string[]> {
  const { pool } = bench.store;
  const { rows: columns } = await pool.query<{ t: string; c: string; type: string }>(
    `select table_name as t, column_name as c, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name <> 'spatial_ref_sys'`,
  );
  const found: string[] = [];
  for (const { t, c, type } of columns) {
    const text = type === 'bytea' ? `encode("${c}", 'escape')` : `"${c}"::text`;
    const { rows } = await pool.query(`select from "${t}" where ${text} ilike $1 limit 1`, [
      `%${mark}%`,
    ]);
    if (rows.length > 0) found.push(`${t}.${c}`);
  }
  return found.toSorted();
}

function filesWith(mark: string, directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => readFileSync(path).includes(mark));
}

test('every table with rows of a customer is exported and erased', async () => {
  const { rows } = await bench.store.pool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('account_id', 'key_id', 'endpoint_id', 'job_id')`,
  );
  const held = new Set<string>(HOLDINGS.map(({ table }) => table));
  expect(rows.map(({ name }) => name).filter((name) => !held.has(name))).toEqual([]);
});

test('what a customer used is exported whole, and after the erasure the mark is nowhere', async ({
  skip,
}) => {
  skip(bench.store.databaseUrl === null, 'The files of the embedded store keep what is deleted.');
  const { id, secret, keyIds } = await useEverything();
  await until(async () => (await tablesWith(MARK)).includes('usage_line.request_id'));
  const marked = await tablesWith(MARK);
  for (const place of [
    ...['account.email', 'account.name', 'api_key.name', 'api_key.origins', 'job.label'],
    'job_chunk.input',
    ...['job_request.key', 'usage_line.request_id'],
    ...['webhook_endpoint.url', 'webhook_endpoint.description'],
    ...['account_person.email', 'account_request.purpose', 'operator_act.who'],
  ]) {
    expect(marked).toContain(place);
  }
  // Acts of operators name no customer.
  const { rows: naming } = await bench.store.pool.query(
    "select act from operator_act a where via = 'command' and a::text ilike $1",
    [`%${MARK}%`],
  );
  expect(naming).toEqual([]);

  const lines = (await admin('export', EMAIL)).out.split('\n');
  const exported = lines.map((line) => JSON.parse(line) as { table: string; row: object });
  const tables = new Set(exported.map(({ table }) => table));
  for (const table of [
    ...['account', 'api_key', 'account_event', 'job', 'job_chunk', 'session', 'sign_in_link'],
    ...['operator_act', 'account_person', 'account_request', 'account_alarm'],
    ...['usage_line', 'usage_day', 'usage_month', 'webhook_endpoint', 'webhook_delivery'],
  ]) {
    expect(tables).toContain(table);
  }
  const chunk = exported.find(({ row }) => 'sent' in row);
  expect(JSON.stringify(chunk)).toContain(`${MARK} 1, 9999 Opdigtet`);
  const text = lines.join('\n');
  expect(text).not.toContain(secret);
  const { rows: digests } = await bench.store.pool.query<{ hex: string }>(
    `select encode(hash, 'hex') as hex from api_key union all select encode(hash, 'hex') from session
     union all select encode(sealed_secret, 'hex') from webhook_endpoint`,
  );
  for (const { hex } of digests) expect(text).not.toContain(hex);

  // As a version before kept an act.
  await bench.store.pool.query(
    `insert into operator_act (who, via, from_address, act, account_id, before, wanted)
     values ('Ida', 'command', 'drift-1', 'cap', $1, $2, $3)`,
    [id, { id, email: EMAIL }, { account: EMAIL, units: 7 }],
  );
  expect(await tablesWith(MARK)).toContain('operator_act.wanted');
  const first = await admin('erase', EMAIL, '--yes', '--by', 'Anna Operatør');
  expect(first.out).toMatch(/usage_month: 0 erased, 1 stay: units of bills: five years/);
  await service.close();
  expect(await tablesWith(MARK)).toEqual([]);
  expect(filesWith(MARK, dataDir)).toEqual([]);
  // A front writes within a minute when its keys were used: at its stop at the latest.
  await admin('erase', id, '--yes');
  // Again, by its id: nothing more is left to do, and the bill is as it was.
  const { value } = await admin('erase', id, '--yes');
  const { tables: again, journals } = value as {
    tables: { table: string; erased: number }[];
    journals: string[];
  };
  expect(again.filter(({ erased }) => erased > 0)).toEqual([]);
  expect(journals).toEqual([]);
  const { rows: kept } = await bench.store.pool.query<{ key_id: string; units: number }>(
    'select key_id, sum(units)::integer as units from usage_line where account_id = $1 group by 1',
    [id],
  );
  expect(kept.map(({ key_id }) => key_id)).toEqual([keyIds[0]]);
  const { rows: sums } = await bench.store.pool.query<{ units: number }>(
    'select used::integer as units from usage_month where account_id = $1',
    [id],
  );
  expect(sums).toEqual([{ units: kept[0]!.units }]);
  expect((await admin('trail', 'verify')).out).toMatch(/^All acts/);
  expect((await admin('trail', '--account', id)).out).toMatch(/Anna Operatør.*erase/);
  // Its address is free again.
  await admin('account', 'create', '--name', 'En anden', '--email', EMAIL);
});

test('an erasure is said twice', async () => {
  await expect(admin('erase', EMAIL)).rejects.toThrow(/No command/);
});
