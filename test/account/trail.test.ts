/** The trail of operators' acts: whole, append-only, and left by every command that changes anything (issue 53). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEPT } from '../../src/cli/admin/acts.ts';
import type { Command } from '../../src/cli/admin/command.ts';
import { openTestStore, sharedStore } from '../support/store.ts';
import { runAdmin } from './admin-run.ts';

const store = await sharedStore();

const run = (...argv: readonly string[]) => runAdmin(store, argv);
const rowsOf = async <Row extends object>(statement: string): Promise<readonly Row[]> =>
  (await store.pool.query<Row>(statement)).rows;

const EMAIL = 'sporet@example.dk';
const BY = ['--by', 'Anna Operatør'];

const ASKED = ['a', 'b'].map((letter) => `request_${letter.repeat(20)}`) as [string, string];

/** Every command in an order that works, with `$key` and `$delivery` for what an earlier one made. */
const WALK: readonly (readonly [Command['do'], ...string[]])[] = [
  ['first-key'],
  ['account create', '--name', 'Sporet', '--email', EMAIL],
  ['account list'],
  ['tier', EMAIL, 'pro'],
  ['cap', EMAIL, '600000'],
  ['operator', EMAIL, 'on'],
  ['key mint', EMAIL, '--name', 'Sporets nøgle', '--public', '--origin', 'https://sporet.example'],
  ['key list', EMAIL],
  ['key rotate', '$key'],
  ['key revoke', '$key'],
  ['usage', EMAIL],
  ['link', EMAIL],
  ['webhook list', EMAIL],
  ['webhook deliveries', `webhook_${'b'.repeat(20)}`],
  ['webhook resend', '$delivery'],
  ['request list'],
  ['request approve', ASKED[0]],
  ['request decline', ASKED[1]],
  ['trail'],
  ['trail verify'],
  ['account close', EMAIL],
  ['export', '$account'],
  ['erase', '$account', '--yes'],
];

const CHANGED = [
  ...['account', 'api_key', 'session', 'sign_in_link', 'webhook_endpoint', 'webhook_delivery'],
  ...['account_event', 'job', 'usage_month', 'account_request'],
];

async function state(): Promise<string> {
  const texts = CHANGED.map(
    (table) => `(select coalesce(string_agg(r::text, e'\n' order by r::text), '') from ${table} r)`,
  );
  const [row] = await rowsOf<{ all: string }>(`select md5(concat(${texts.join(', ')})) as all`);
  return row!.all;
}

test('every command that changes anything leaves one act with a name, and no other does', async () => {
  expect(new Set(WALK.map(([name]) => name))).toEqual(new Set(Object.keys(KEPT)));
  const made = { key: '', delivery: '', account: '' };
  for (const [name, ...rest] of WALK) {
    if (name === 'webhook list') made.delivery = await delivery();
    if (name === 'request list') await askForAccounts();
    const [before, { length: kept }] = [await state(), await rowsOf('select from operator_act')];
    const argv = rest.map((word) => (word.startsWith('$') ? made[word.slice(1) as 'key'] : word));
    const { value } = await run(...name.split(' '), ...argv, ...BY);
    if (name === 'account create') made.account = (value as { id: string }).id;
    if (name === 'key mint') made.key = (value as { key: { id: string } }).key.id;
    const acts = await rowsOf<{ who: string; act: string }>(
      `select who, act from operator_act order by id offset ${kept}`,
    );
    // Who takes a customer's data out has changed nothing, and is on record all the same.
    const isAct = name === 'export' || (await state()) !== before;
    expect([name, acts]).toEqual([name, isAct ? [{ who: 'Anna Operatør', act: name }] : []]);
    expect([name, KEPT[name] !== null]).toEqual([name, isAct]);
    if (name !== 'tier') continue;
    const was = 'select before, wanted from operator_act order by id desc limit 1';
    expect(await rowsOf(was)).toMatchObject([
      { before: { tier: 'free' }, wanted: { tier: 'pro' } },
    ]);
  }
  const all = await rowsOf<{ act: string; before: unknown; wanted: unknown }>(
    `select act, before, wanted, account_id, target from operator_act
     where account_id is not null and who like 'Anna%' order by id`,
  );
  // A first key, and requests for accounts, are of no account yet.
  expect(all).toHaveLength(WALK.filter(([name]) => KEPT[name] !== null).length - 3);
  // The secret of nobody, and nothing that a customer named.
  expect(JSON.stringify(all)).not.toMatch(/svc_|sporet|Sporet/);
});

async function askForAccounts(): Promise<void> {
  await store.pool.query(
    `insert into account_request (id, name, email, purpose, asked_at)
     select id, 'Ny kunde', id || '@example.dk', '', now() from unnest($1::text[]) id`,
    [ASKED],
  );
}

async function delivery(): Promise<string> {
  await store.pool.query(
    `insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret, created_at)
     select 'webhook_${'b'.repeat(20)}', id, 'https://hooks.example/', 'hooks.example', '{key.created}',
       'whsec_abcd', 'x', now() from account where email = $1`,
    [EMAIL],
  );
  await run('key', 'mint', EMAIL);
  const [row] = await rowsOf<{ id: string }>(
    `update webhook_delivery set status = 'failed', attempts = 5, next_attempt_at = null returning id`,
  );
  return row!.id;
}

test('nothing of it can be changed or taken away, and what its owner changes all the same is seen', async () => {
  const refused = /kept as they are|permission denied/;
  for (const statement of [
    "update operator_act set who = 'x'",
    "update operator_act set who = 'x', before = null, wanted = '{}', redacted_at = now()",
    "update operator_act set wanted = '{}', redacted_at = null",
    'update operator_act set wanted = \'{"a":1}\', redacted_at = now()',
    'delete from operator_act',
    'truncate operator_act',
  ]) {
    await expect(store.pool.query(statement)).rejects.toThrow(refused);
  }
  const file = join(store.dataDir, 'trail.ndjson');
  writeFileSync(file, (await run('trail', '--export')).out);
  expect((await run('trail', 'verify', '--file', file)).out).toMatch(/^All acts/);
  const verify = (...more: string[]) =>
    run('trail', 'verify', ...more).then(({ out }) => out, String);
  // Its owner can take the guard away.
  await store.pool.query('alter table operator_act disable trigger user');
  await store.pool.query('grant update on operator_act to current_user');
  const change = (what: string) => store.pool.query(`update operator_act set ${what}`);
  await change("who = 'Bo' where id = 3");
  expect(await verify()).toContain('Act 3 was changed.');
  await change("who = 'Anna Operatør' where id = 3");
  expect(await verify()).toMatch(/^All acts/);
  // Emptied as for an erased customer, but no erasure is on record.
  await change("before = null, wanted = '{}', redacted_at = now() where id = 1");
  expect(await verify()).toContain('Act 1 was emptied');
  await change('redacted_at = null, wanted = \'{"a":1}\' where id = 1');
  expect(await verify()).toContain('Act 1 was changed.');
  await change("wanted = '{}' where id = 1");
  await store.pool.query('delete from operator_act where id >= 4');
  // Who cuts off the end leaves a whole chain: only an earlier export has what is gone.
  expect(await verify()).toMatch(/^All acts/);
  expect(await verify('--file', file)).toContain('Act 4 of the file is gone in the store.');
  await store.pool.query('alter table operator_act enable trigger user');
});

test('acts of the table before are in it with their own time, and leave after five years from the oldest on', async () => {
  const fresh = await openTestStore();
  try {
    const action = (years: number, id: string) =>
      fresh.pool.query(
        `insert into operator_action (at, layer, action, guards, who, request_id)
         values (now() - make_interval(years => $1), 'soe', 'release', '{empty}', 'Ida', $2)`,
        [years, id],
      );
    for (const [place, years] of [6, 6, 4].entries()) await action(years, `request-${place}`);
    await runAdmin(fresh, ['first-key']);
    // The version before writes both: once is enough.
    await fresh.pool.query(
      `insert into operator_act (who, via, from_address, act, target, wanted, request_id)
       values ('Bo', 'api', '::1', 'sync', 'aa', '{}', 'request-9')`,
    );
    await fresh.pool.query(
      `insert into operator_action (at, layer, action, who, request_id)
       values (now(), 'aa', 'sync', 'Bo', 'request-9')`,
    );
    const acts = async () =>
      (
        await fresh.pool.query<{ id: number; years: number; act: string }>(
          `select id::float8 as id, act, extract(year from age(now(), at))::float8 as years from operator_act order by id`,
        )
      ).rows;
    expect((await acts()).map(({ act, years }) => `${act} ${years}`)).toEqual([
      ...['release 6', 'release 6', 'release 4', 'first-key 0', 'sync 0'],
    ]);
    await expect(fresh.pool.query('delete from operator_act where id = 2')).rejects.toThrow(/kept/);
    for (const id of [1, 2]) await fresh.pool.query('delete from operator_act where id = $1', [id]);
    await expect(fresh.pool.query('delete from operator_act where id = 3')).rejects.toThrow(/kept/);
    expect((await runAdmin(fresh, ['trail', 'verify'])).out).toMatch(/^All acts/);
    expect((await runAdmin(fresh, ['trail', '--who', 'ida'])).out).toMatch(/Ida.*release.*soe/);
  } finally {
    await fresh.close();
  }
});
