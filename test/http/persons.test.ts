/** Persons and their roles (D216): every route of an account by every role; a removal ends what was open. */
import { afterAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { ACCOUNT_LIMITS } from '../../src/account/limits.ts';
import { ROLES } from '../../src/account/roles.ts';
import type { Role } from '../../src/account/roles.ts';
import { readActs } from '../../src/ops/operator-acts.ts';
import { sharedStore } from '../support/store.ts';
import { memoryOperator } from '../edge/operator.ts';
import { expectError } from '../edge/edge.ts';
import { accountEdge, signIn } from './account-edge.ts';
import type { Browser } from './account-edge.ts';

const store = await sharedStore();
const edge = await accountEdge(store, { operator: memoryOperator() });
afterAll(() => edge.app.close());

const invited = async (
  account: string,
  roles: readonly Role[],
  email = `${roles.join('-')}@a.dk`,
) => (await edge.bench.persons.invite(account, { email, roles })).person;

/** Every operation of an account and what it needs; null: any caller, signed in or not. */
const NEEDED: Readonly<Record<string, Role | null>> = {
  'POST /v1/me/session': null,
  'GET /v1/me/session': null,
  'DELETE /v1/me/session': null,
  'POST /v1/me/session/link': null,
  'POST /v1/me/account-requests': null,
  'GET /v1/me': 'reads',
  'GET /v1/me/keys': 'reads',
  'POST /v1/me/keys': 'uses',
  'POST /v1/me/keys/{id}/rotate': 'uses',
  'DELETE /v1/me/keys/{id}': 'uses',
  'GET /v1/me/usage': 'reads',
  'GET /v1/me/usage/lines': 'pays',
  'GET /v1/me/webhooks': 'reads',
  'POST /v1/me/webhooks': 'uses',
  'PATCH /v1/me/webhooks/{id}': 'uses',
  'DELETE /v1/me/webhooks/{id}': 'uses',
  'GET /v1/me/webhooks/{id}/deliveries': 'reads',
  'POST /v1/me/webhooks/{id}/test': 'uses',
  'POST /v1/me/webhooks/{id}/secret': 'uses',
  'GET /v1/me/overvaagning': 'reads',
  'POST /v1/me/overvaagning': 'uses',
  'GET /v1/me/overvaagning/{id}': 'reads',
  'PATCH /v1/me/overvaagning/{id}': 'uses',
  'DELETE /v1/me/overvaagning/{id}': 'uses',
  'POST /v1/me/overvaagning/{id}/test': 'uses',
  'GET /v1/me/alarm': 'reads',
  'GET /v1/me/acts': 'reads',
  'PUT /v1/me/alarm': 'pays',
  'GET /v1/me/persons': 'reads',
  'POST /v1/me/persons': 'administers',
  'PATCH /v1/me/persons/{id}': 'administers',
  'DELETE /v1/me/persons/{id}': 'administers',
};

const BODIES: Readonly<Record<string, object>> = {
  'POST /v1/me/keys': { name: 'x', environment: 'test' },
  'POST /v1/me/webhooks': { url: 'https://example.dk/', events: ['key.created'] },
  'POST /v1/me/overvaagning': { navn: 'x', type: 'bfe', objekter: [1] },
  'PATCH /v1/me/overvaagning/{id}': { paa_pause: true },
  'PUT /v1/me/alarm': { units: 1_000 },
  'POST /v1/me/persons': { email: 'ny@example.dk', roles: ['reads'] },
  'PATCH /v1/me/persons/{id}': { roles: ['reads'] },
};

const asked = (operation: string): InjectOptions & { readonly url: string } => {
  const [method = '', path = ''] = operation.split(' ');
  const payload = BODIES[operation];
  return {
    method,
    url: path.replace('{id}', 'person_aaaaaaaaaaaaaaaaaaaa'),
    ...(payload !== undefined && { payload }),
  };
};

const mine = await edge.bench.account();
const { secret } = await edge.bench.key(mine);
const { token } = await signIn(edge, mine);

describe('roles', () => {
  test('cover every operation under /v1/me, and no other', () => {
    const { paths } = edge.app.swagger() as { paths: Record<string, object> };
    const all = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1/me'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
      );
    expect(all.sort()).toEqual(Object.keys(NEEDED).sort());
  });

  test.each(ROLES)('%s opens what it is for', async (role) => {
    const account = await edge.bench.account();
    const person = await invited(account, [role]);
    const browser = await signIn(edge, person.id);
    for (const [operation, needed] of Object.entries(NEEDED)) {
      if (needed === null) continue;
      const response = await browser.ask(asked(operation));
      const code = response.statusCode === 403 ? response.json<{ code: string }>().code : '';
      const isAllowed = needed === 'reads' || role === needed || role === 'administers';
      expect([operation, code === 'role_missing'], response.body).toEqual([operation, !isAllowed]);
    }
  });

  /** What a key may ask as well. */
  const OF_KEYS = ['GET /v1/me', 'GET /v1/me/usage', 'GET /v1/me/usage/lines'];
  test.each(Object.keys(NEEDED).filter((each) => NEEDED[each] !== null && !OF_KEYS.includes(each)))(
    '%s is for sessions alone, of pages of this service',
    async (operation) => {
      const { payload, ...request } = asked(operation);
      // Told before anything else is looked at.
      const ask = (more: InjectOptions) =>
        edge.app.inject({ ...request, ...(payload !== undefined && { payload: '{' }), ...more });
      expectError(await ask({}), 'unauthorized');
      expectError(await ask({ headers: { authorization: 'Bearer nonsense' } }), 'unauthorized');
      for (const shown of [
        { headers: { authorization: `Bearer ${secret}` } },
        { url: `${request.url}?token=${secret}` },
      ]) {
        const response = await ask(shown);
        expect(expectError(response, 'forbidden')['error']).toContain('API key');
        expect(response.headers['x-service-environment']).toBe('test');
      }
      // Signed in, but the write does not prove to be one's own.
      const headers = { host: 'geo.example', cookie: `svc_session=${token}` };
      if (request.method !== 'GET') expectError(await ask({ headers }), 'forbidden');
    },
  );

  test('of an account that operates: only who administers it does', async () => {
    const account = await edge.bench.account();
    await edge.bench.accounts.setOperator(account, true);
    const owner = await signIn(edge, account);
    expect((await owner.ask({ url: '/v1/drift/lag' })).statusCode).toBe(200);
    const other = await signIn(edge, (await invited(account, ['reads', 'uses', 'pays'])).id);
    expect(expectError(await other.ask({ url: '/v1/drift/lag' }), 'forbidden')['code']).toBe(
      'role_missing',
    );
  });
});

describe('persons', async () => {
  const account = await edge.bench.account();
  const owner = await signIn(edge, account);
  const invite = (payload: object) => owner.ask({ method: 'POST', url: '/v1/me/persons', payload });
  const listed = async () =>
    (await owner.ask({ url: '/v1/me/persons' })).json<{
      persons: { id: string; email: string }[];
    }>().persons;

  test('an account begins with its own address, who administers it', async () => {
    const { persons } = (await owner.ask({ url: '/v1/me/persons' })).json<{ persons: object[] }>();
    expect(persons).toMatchObject([
      { roles: ['administers'], joined_at: '2026-11-21T12:00:00.000Z' },
    ]);
  });

  test('one is invited, changed and removed, and the acts are kept under who did them', async () => {
    const payload = { email: 'Bo@example.dk', roles: ['pays', 'reads', 'reads'] };
    const { person } = (await invite(payload)).json<{ person: { id: string; roles: string[] } }>();
    expect(person.roles).toEqual(['reads', 'pays']);
    expectError(await invite({ ...payload, email: 'bo@EXAMPLE.dk' }), 'conflict');

    const url = `/v1/me/persons/${person.id}`;
    const changed = await owner.ask({ method: 'PATCH', url, payload: { roles: ['uses'] } });
    expect(changed.json()).toMatchObject({ person: { roles: ['uses'] } });
    expect((await owner.ask({ method: 'DELETE', url })).statusCode).toBe(204);
    expectError(await owner.ask({ method: 'DELETE', url }), 'not_found');

    const [{ email } = { email: '' }] = await listed();
    const acts = await readActs(store, { accountId: account, limit: 4, before: null });
    expect(
      acts.map(({ act, who, via, target }) => [act, who, via, target]).reverse(),
    ).toMatchObject([
      ['person invite', email, 'api', null],
      ['person roles', email, 'api', person.id],
      ['person remove', email, 'api', person.id],
      ['person remove', email, 'api', person.id],
    ]);
    expect(acts[1]?.before).toMatchObject({ email: 'Bo@example.dk', roles: ['uses'] });
  });

  test('each key says who made it, and what was refused leaves no act', async () => {
    const [{ email: own } = { email: '' }] = await listed();
    const { id, email } = await invited(account, ['reads', 'uses'], 'mette@a.dk');
    const maker = await signIn(edge, id);
    await edge.bench.key(account, { name: 'Operatørens' });
    const mint = (by: Browser, payload: object) =>
      by.ask({ method: 'POST', url: '/v1/me/keys', payload: { environment: 'test', ...payload } });
    const made = await mint(maker, { name: 'Mettes' });
    const { key } = made.json<{ key: { id: string; made_by: string } }>();
    expect(key.made_by).toBe(email);
    expect((await mint(maker, { name: 'Sidens', session: true })).statusCode).toBe(201);
    const before = await readActs(store, { accountId: account, limit: 50, before: null });
    expectError(await mint(maker, { name: 'x', permission: 'alt' }), 'invalid_request');
    const url = `/v1/me/keys/${key.id}/rotate`;
    expect((await owner.ask({ method: 'POST', url, payload: {} })).statusCode).toBe(201);
    expectError(await owner.ask({ method: 'POST', url, payload: {} }), 'conflict');

    const { keys } = (await owner.ask({ method: 'GET', url: '/v1/me/keys' })).json<{
      keys: { name: string; made_by: string | null; replaced_by: string | null }[];
    }>();
    const makers = keys.map((each) => [each.name, each.replaced_by !== null, each.made_by]);
    expect(makers.filter(([name]) => name !== 'Opdigtet nøgle').toSorted()).toEqual([
      ['Mettes', false, own],
      ['Mettes', true, email],
      ['Operatørens', false, null],
      ['Sidens', false, email],
    ]);
    const after = await readActs(store, { accountId: account, limit: 50, before: null });
    expect(after.length - before.length).toBe(1);
    await edge.bench.persons.remove(account, id);
  });

  const ODD = 'a@b@c|a,b@c.dk|x <a@b.dk>|a b@c.dk|a@b;c@d|"a"@b.dk|a\0@b.dk|\ud800@b.dk';
  test.each(ODD.split('|'))(
    'an address that a letter could misread is refused: %j',
    async (email) => {
      expectError(await invite({ email, roles: ['reads'] }), 'invalid_request');
    },
  );

  test('a removal ends sessions, their keys and unused links; other persons go on', async () => {
    const person = await invited(account, ['uses'], 'ud@example.dk');
    const leaving = await signIn(edge, person.id);
    const payload = { name: 'Kort', environment: 'test', session: true };
    const minted = await leaving.ask({ method: 'POST', url: '/v1/me/keys', payload });
    const { key } = minted.json<{ key: { secret: string } }>();
    const { token: unused } = await edge.bench.sessions.newLink(person.id);
    expect(await edge.bench.find(key.secret)).not.toBeNull();
    await owner.ask({ method: 'DELETE', url: `/v1/me/persons/${person.id}` });
    expectError(await leaving.ask({ url: '/v1/me' }), 'unauthorized');
    expect(await edge.bench.find(key.secret)).toBeNull();
    expect(await edge.bench.sessions.signIn(unused, null)).toBeNull();
    await expect(edge.bench.sessions.newLink(person.id)).rejects.toThrow('no such');
    expect((await owner.ask({ url: '/v1/me' })).statusCode).toBe(200);
    edge.bench.clock.turn(ACCOUNT_LIMITS.sessionKeptMs + 1);
    await edge.bench.sessions.newLink(account);
    const kept = 'select from account_person where id = $1';
    expect((await store.pool.query(kept, [person.id])).rows).toEqual([]);
    edge.bench.clock.turn(-ACCOUNT_LIMITS.sessionKeptMs - 1);
  });

  test('the last who administers stays, also when two leave at once', async () => {
    const [own] = await listed();
    const url = `/v1/me/persons/${own?.id}`;
    const roles = { payload: { roles: ['uses'] } };
    expectError(await owner.ask({ method: 'DELETE', url }), 'conflict');
    expectError(await owner.ask({ method: 'PATCH', url, ...roles }), 'conflict');
    const second = await invited(account, ['administers'], 'to@example.dk');
    const both = await Promise.allSettled(
      [own!.id, second.id].map((id) => edge.bench.persons.remove(account, id)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('of another account cannot be reached', async () => {
    const stranger = await signIn(edge, await edge.bench.account());
    const { id } = await invited(account, ['uses'], 'vi@example.dk');
    for (const asked of [
      { method: 'DELETE' as const },
      { method: 'PATCH' as const, payload: { roles: ['uses'] } },
    ]) {
      expectError(await stranger.ask({ ...asked, url: `/v1/me/persons/${id}` }), 'not_found');
      expectError(await stranger.ask({ ...asked, url: '/v1/me/persons/%00' }), 'invalid_request');
    }
  });

  test('a session of a version before persons is its account’s first person’s', async () => {
    const account = await edge.bench.account();
    const browser = await signIn(edge, account);
    await store.pool.query('update session set person_id = null where account_id = $1', [account]);
    expect((await browser.ask({ url: '/v1/me/persons' })).statusCode).toBe(200);
  });
});
