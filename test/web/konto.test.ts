/** The account's page in a real Chromium, over real accounts in a real store. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { monthOf } from '../../src/metering/calendar.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { accountEdge } from '../http/account-edge.ts';
import type { AccountEdge } from '../http/account-edge.ts';
import { memoryOperator } from '../edge/operator.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startDns } from '../webhooks/dns-server.ts';
import type { DnsServer } from '../webhooks/dns-server.ts';
import { startReceiver, status } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { webhookBench } from '../webhooks/webhook-bench.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import { LOOKS, PHONE, describePages, expectGood, signInByLink } from './browser.ts';
import { FOCUSED_NAME } from './in-page.ts';

/** What must come out as it went in, as text: markup, a formula, a mark that turns the text's direction. */
const HOSTILE = '<img src=x onerror=alert(1)> =cmd|calc \u202Egnp.exe';

describePages('the account page', 'konto', ({ complaints, newPage, picture }) => {
  let store: TestStore;
  let edge: AccountEdge;
  let base: string;
  let dns: DnsServer;
  let receiver: Receiver;
  let hooks: WebhookBench;
  const operator = memoryOperator();

  beforeAll(async () => {
    store = await openTestStore();
    const authority = makeAuthority();
    [dns, receiver] = await Promise.all([
      startDns({ 'hooks.example': ['127.0.0.1'], 'inside.example': ['10.0.0.1'] }),
      startReceiver(authority.issue('DNS:hooks.example')),
    ]);
    hooks = webhookBench(store, { resolve: createResolver(dns.servers), ca: authority.ca });
    edge = await accountEdge(store, {
      ...{ operator, webhooks: hooks.webhooks, usage: usageLedger(store) },
      daysView: () => Promise.resolve([]),
    });
    base = await edge.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await edge.app.close();
    await hooks.close();
    await receiver.close();
    await dns.close();
    await store.close();
  });

  async function signIn(page: Page, account: string): Promise<void> {
    const { token } = await edge.bench.sessions.newLink(account);
    await signInByLink(page, `${base}/log-ind#${token}`);
  }

  async function customer(): Promise<string> {
    const { bench } = edge;
    const id = await bench.account('pro');
    const { key: live } = await bench.key(id, { name: 'Sagsbehandling', environment: 'live' });
    await bench.key(id, {
      name: 'Kort på forsiden',
      kind: 'public',
      environment: 'live',
      origins: ['example.dk', '*.kommune.example.dk'],
    });
    await bench.key(id, { name: 'Afprøvning', permission: 'restricted:natur,dagi' });
    const { key: old } = await bench.key(id, { name: 'Gammel server' });
    await bench.keyAdmin.rotate(id, old.id);
    const { key: gone } = await bench.key(id, { name: 'Lækket' });
    await bench.keyAdmin.revoke(id, gone.id);
    await store.pool.query('insert into api_key_use values ($1, now())', [live.id]);
    await use(id, live.id);
    const hook = await hooks.register(id, hookUrl('/drift'));
    await hooks.webhooks.ping(id, hook.id);
    return id;
  }

  const month = () => monthOf(edge.bench.clock.nowMs());
  const hookUrl = (path = '/') => `https://hooks.example:${receiver.port}${path}`;

  /** Use of this month by two keys: 44,321 live units, each day less, of three operations. */
  async function use(account: string, key: string): Promise<void> {
    const { key: other } = await edge.bench.key(account, { name: HOSTILE, environment: 'live' });
    const day = (ahead: number) => `${month().key}-${String(ahead + 1).padStart(2, '0')}`;
    const rows = [
      ...Array.from({ length: 20 }, (_, i) => [key, day(i), 'byggelinjer', 2_000 - 10 * i]),
      [other.id, day(0), 'dagiOmraade', 6_000],
      [other.id, day(2), 'byggelinjerBatch', 221],
    ];
    for (const [keyId, on, operation, units] of rows) {
      await store.pool.query(
        `insert into usage_day (account_id, key_id, day, operation, environment, units, requests)
         values ($1, $2, $3::date, $4, 'live', $5, $5)`,
        [account, keyId, on, operation, units],
      );
    }
    await store.pool.query(
      `insert into usage_line (at, day, journal, seq, account_id, key_id, environment, operation,
         units, generation, request_id)
       select $1::timestamptz + i * interval '1 second', $2::date, $3, i, $4, $5, 'live',
         'byggelinjer', 1, 12, case i when 0 then '-A1-B2' else 'kald-' || i end
       from generate_series(0, 59) i`,
      [new Date(month().startMs), month().firstDay, `journal-${account}`, account, key],
    );
  }

  async function shownSecret(page: Page): Promise<string> {
    await page.locator('#fresh').waitFor();
    return await page.locator('#fresh-secret').innerText();
  }

  test('signs in with the link, whose token is in no address, history or storage', async () => {
    const page = await newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${base}/konto`);
    await page.getByText('Du er ikke logget ind').waitFor();
    await expectGood(page);
    const account = await customer();
    const { token } = await edge.bench.sessions.newLink(account);
    await page.goto(`${base}/log-ind#${token}`);
    // Looking at the link does not use it up.
    expect(page.url()).toBe(`${base}/log-ind`);
    await expectGood(page);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
    expect(page.url()).toBe(`${base}/konto`);
    expect(asked.join()).not.toContain(token);
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: 'svc_session',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    });
    // Signed in still after a reload; the link is spent.
    await page.reload();
    await page.locator('#board').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${base}/konto`);
    await other.locator('#board').waitFor();
    // Another tab signs in to another account.
    await page.getByText('Hvad operatører har gjort ved kontoen').click();
    await page.locator('#act-list').waitFor();
    await signIn(other, await edge.bench.account());
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByText('Kontoen har ingen nøgler i brug.').waitFor();
    expect(await page.locator('#act-list').count()).toBe(0);
    await page.getByRole('button', { name: 'Log ud' }).click();
    await page.getByText('Du er ikke logget ind').waitFor();
    // Nor is anything left in another tab, once it is looked at.
    await other.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await other.locator('#board *').first().waitFor({ state: 'detached' });
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${base}/konto#${token}`);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.getByText('Linket er ukendt, brugt eller for gammelt').waitFor();
    // The way to another link.
    expect(await page.getByText('Jeg har et link').isVisible()).toBe(true);
    // The link's own, and what the board may still have asked for as it was left.
    expect(complaints).not.toEqual([]);
    for (const said of complaints.splice(0)) expect(said).toContain('401');
  });

  test.each(LOOKS)(
    'shows everything at a glance, and is good to read: %s',
    async (_name, viewport, colorScheme) => {
      const page = await newPage({ viewport, colorScheme });
      await signIn(page, await customer());
      await page.getByRole('button', { name: 'Leverancer' }).click();
      await page.getByText('leveret', { exact: true }).waitFor();
      const board = (await page.locator('#board').innerText()).replaceAll(/\s+/g, ' ');
      expect(board).toContain('Forbrug i november 2026');
      expect(board).toContain('Live 44.321 af 50.000 enheder');
      expect(board).toContain('Test 0 af 5.000 enheder');
      expect(board).toMatch(/Kort på forsiden .*Offentlig: example\.dk, \*\.kommune\.example\.dk/);
      expect(board).toMatch(/Afprøvning .*DAGI, Natur/);
      expect(board).toMatch(/Gammel server .*Ophører/);
      expect(await page.locator('#keys > li').count()).toBe(6);
      await page.getByText('Ophørte nøgler (1)').click();
      await page.getByText('tilbagekaldt').first().waitFor();
      await page.getByText('Dag for dag som tabel').click();
      await page.getByText('Vis linjer').click();
      await page.locator('#bill-table table').waitFor();
      await expectGood(page);
      await page.getByRole('button', { name: 'Ny webhook' }).click();
      await expectGood(page);
      await page.getByRole('button', { name: 'Annuller' }).click();
      await page.getByRole('button', { name: 'Ny nøgle' }).click();
      await page.getByText('Udvalgte områder').click();
      await expectGood(page);
      await page.getByText('Offentlig').last().click();
      await expectGood(page);
    },
  );

  test('makes a key whose secret is shown once, replaces and revokes it, until the session ends', async () => {
    const page = await newPage();
    const account = await edge.bench.account('free');
    await signIn(page, account);
    await page.getByText('Kontoen har ingen nøgler i brug.').waitFor();
    await page.getByText('Hvad operatører har gjort ved kontoen').click();
    await page.getByText('Opdigtet Person').waitFor();
    expect(await page.locator('#act-list').innerText()).toMatch(
      /ændrede abonnementet[\s\S]*tier: "free" → "pro"/,
    );
    await expectGood(page);
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByLabel('Navn', { exact: true }).fill('Min <b>server</b>');
    // It waits for nothing else that is read.
    const others = Promise.withResolvers<null>();
    await page.route('**/v1/me/usage', (route) => others.promise.then(() => route.continue()));
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    const secret = await shownSecret(page);
    others.resolve(null);
    expect(secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    expect(await edge.bench.find(secret)).toMatchObject({ accountId: account });
    await expectGood(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Kopiér' }).click();
    await page.getByText('Nøglen er kopieret.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByRole('button', { name: 'Jeg har gemt den' }).click();
    expect(await page.content()).not.toContain(secret);
    // Text from outside is text.
    expect(await page.locator('#keys h3').innerText()).toBe('Min <b>server</b>');

    await page.getByRole('button', { name: 'Udskift Min' }).click();
    await page.getByRole('button', { name: 'Udskift', exact: true }).click();
    const next = await shownSecret(page);
    expect(next).not.toBe(secret);
    await expect.poll(() => page.locator('#keys > li').count()).toBe(2);
    for (const each of [secret, next]) expect(await edge.bench.find(each)).not.toBeNull();

    await page.locator('#keys > li').last().getByRole('button', { name: 'Tilbagekald' }).click();
    await picture(page, 'laptop-confirm');
    await page.route('**/v1/me/keys/*', (route) => route.fetch().then(() => route.abort()));
    const asked = ['persons', 'alarm', 'webhooks', 'overvaagning'].map((part) =>
      page.waitForRequest(`**/v1/me/${part}`),
    );
    await page.getByRole('button', { name: 'Tilbagekald', exact: true }).click();
    await page.getByText('Tjenesten svarer ikke.').waitFor();
    await expect.poll(() => page.locator('#keys > li').count()).toBe(1);
    await page.unrouteAll();

    // Whose session has ended is sent away; what the page still asks for would tell it already.
    for (const request of await Promise.all(asked)) await (await request.response())?.finished();
    await store.pool.query('update session set revoked_at = now() where account_id = $1', [
      account,
    ]);
    await page.getByRole('button', { name: 'Tilbagekald' }).click();
    await page.getByRole('button', { name: 'Tilbagekald', exact: true }).click();
    await page.getByText('Sessionen er udløbet').waitFor();
    expect(await page.locator('#keys > li').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('indhold');
    for (const said of complaints.splice(0)) expect(said).toMatch(/401|ERR_FAILED/);
  });

  test('says what is wrong with a public key, and makes it when it is right', async () => {
    const page = await newPage({ viewport: PHONE });
    await signIn(page, await edge.bench.account());
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByLabel('Navn', { exact: true }).fill('Kort');
    await page.getByText('Offentlig').click();
    await page.getByLabel('Tilladte værter').fill('https://example.dk/side');
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    await page.getByText('Websted 1 skal være en vært').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await picture(page, 'phone-mistake');
    await page.getByLabel('Tilladte værter').fill('example.dk\n*.example.dk');
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    const secret = await shownSecret(page);
    expect(await edge.bench.find(secret)).toMatchObject({
      origins: ['example.dk', '*.example.dk'],
    });
    await expectGood(page);

    // What the service's own pages have made for themselves is folded.
    await page.evaluate(`(async () => {
      const { session } = await (await fetch('v1/me/session')).json();
      for (const name of ['Job', 'Job', 'Forside']) {
        await fetch('v1/me/keys', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token },
          body: JSON.stringify({ name, environment: 'test', session: true }),
        });
      }
    })()`);
    await page.reload();
    await page.getByRole('heading', { name: 'Kort' }).waitFor();
    expect(await page.locator('#keys > li').count()).toBe(1);
    const folded = page.getByText('Nøgler til denne tjenestes egne sider (3)');
    expect(await page.getByRole('heading', { name: 'Job' }).count()).toBe(0);
    await folded.click();
    expect(await page.getByRole('heading', { name: 'Job' }).count()).toBe(2);
    await expectGood(page);
    await page
      .locator('#keys-of-pages')
      .getByRole('button', { name: 'Tilbagekald' })
      .first()
      .click();
    await page.getByRole('button', { name: 'Tilbagekald', exact: true }).click();
    await page.getByText('er tilbagekaldt.').waitFor();
    await page.getByText('Nøgler til denne tjenestes egne sider (2)').waitFor();
    expect(await page.locator('#keys > li').count()).toBe(1);
  });

  test('lets an operator into the operations page without a token', async () => {
    const page = await newPage();
    const account = await edge.bench.account();
    await signIn(page, account);
    expect(await page.getByRole('link', { name: 'Drift' }).isVisible()).toBe(false);
    await page.goto(`${base}/drift`);
    // There is no token in this configuration, and the account does not operate.
    await page.getByText('Driftsadgangen er slået fra').waitFor();
    await edge.bench.accounts.setOperator(account, true);
    await page.clock.install();
    await page.goto(`${base}/konto`);
    await page.getByRole('link', { name: 'Drift' }).click();
    await page.locator('#board').waitFor();
    expect(page.url()).toBe(`${base}/drift`);
    const before = (await edge.bench.accounts.find(account))?.name ?? '';
    await page.getByRole('button', { name: /^Synk/ }).first().click();
    await page.getByText('er sat i kø.').waitFor();
    expect(operator.asked.at(-1)).toMatch(new RegExp(` ${before}$`));
    // Without an answer the page goes on.
    await page.route('**/v1/me/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Log ud' }).click();
    const said = page.locator('#toast');
    await said.getByText('Tjenesten svarer ikke.').waitFor();
    await page.clock.runFor(20_000);
    expect(await said.innerText()).toBe('Tjenesten svarer ikke.');
    await page.keyboard.press('Shift');
    expect(await said.innerText()).toBe('');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Log ud' }).click();
    await page.getByText('Driftsadgangen er slået fra').waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  test('shows use by day against what is included, by operation and by key', async () => {
    const page = await newPage();
    const account = await edge.bench.account('pro');
    const { key } = await edge.bench.key(account, { name: 'Sagsbehandling', environment: 'live' });
    await use(account, key.id);
    await signIn(page, account);
    const part = page.locator('#use');
    await part.locator('.use-chart').first().waitFor();
    expect(await part.locator('.use-chart .column').count()).toBe(20);
    for (const name of [
      'Enheder pr. dag: 44.321 enheder, mest 8.000 den 1. nov.',
      'Måneden til dato: 44.321 af 50.000 enheder (89 %)',
    ]) {
      expect(await part.getByRole('img', { name, exact: true }).count()).toBe(1);
    }
    const sums = () => part.locator('table').first().locator('tbody tr').allInnerTexts();
    const read = async () => (await sums()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    expect(await read()).toEqual([
      'Byggelinjer 38.100 86 % 38.100',
      'Områder (DAGI) 6.000 14 % 6.000',
      'Byggelinjer, flere punkter 221 0,5 % 221',
      'I alt 44.321 100 % 44.321',
    ]);
    await page.locator('#use-group').selectOption('key');
    expect(await read()).toEqual([
      'Sagsbehandling 38.100 86 % 38.100',
      `${HOSTILE} 6.221 14 % 6.221`,
      'I alt 44.321 100 % 44.321',
    ]);
    await page.getByText('Dag for dag som tabel').click();
    const days = part.locator('details tbody tr');
    expect(await days.count()).toBe(20);
    expect((await days.nth(2).innerText()).split(/\s+/).slice(-4)).toEqual([
      ...['1.980', '221', '2.201', '12.191'],
    ]);
    await picture(page, 'laptop-use');
    await page.locator('#use-environment').selectOption('test');
    await page.getByText('Intet forbrug (november 2026).').waitFor();

    // Another month; and one that cannot be read is said to be that, never without use.
    await store.pool.query('update account set created_at = $1 where id = $2', [
      ...['2026-09-10T10:00:00Z', account],
    ]);
    await page.reload();
    const months = page.locator('#use-month');
    await months.locator('option').nth(2).waitFor({ state: 'attached' });
    expect(await months.locator('option').allInnerTexts()).toEqual([
      ...['november 2026', 'oktober 2026', 'september 2026'],
    ]);
    await months.selectOption('2026-10');
    await page.getByText('Intet forbrug (oktober 2026).').waitFor();
    await page.getByRole('heading', { name: 'Regning: oktober 2026' }).waitFor();
    await page.route('**/v1/me/usage?month=*', (route) => route.abort());
    await months.selectOption('2026-09');
    await page.getByText('Tjenesten svarer ikke.').waitFor();
    expect(await page.getByText('Intet forbrug').isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Hent alle linjer' }).isVisible()).toBe(false);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')]);
  });

  test('shows the bill, its first lines, and all of them in a file that runs no formula', async () => {
    const page = await newPage();
    const account = await customer();
    await signIn(page, account);
    const bill = page.getByRole('region', { name: 'Regning: november 2026' });
    expect((await bill.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      'Forbrug på livenøgler 44.321 enheder Heraf ud over det inkluderede 0 enheder',
    );
    await bill.getByText('Vis linjer').click();
    await bill.getByText('De første linjer. Filen har dem alle.').waitFor();
    expect(await bill.locator('tbody tr').count()).toBe(50);
    expect(await bill.locator('tbody tr').first().innerText()).toMatch(/Sagsbehandling\s+-A1-B2$/);
    await picture(page, 'laptop-bill');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bill.getByRole('link', { name: 'Hent alle linjer (CSV)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`usage-${month().key}.csv`);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(61);
    expect(lines[1]).toContain(",'-A1-B2,byggelinjer,1,12,key_");
    // What cannot be read is said, never shown as a month without lines.
    await page.route('**/v1/me/usage/lines?*', (route) => route.abort());
    const json = { message: 'Prøvet.' };
    await page.route('**/v1/me/webhooks', (route) => route.fulfill({ status: 503, json }));
    await page.reload();
    await bill.getByText('Vis linjer').click();
    await bill.getByText('Tjenesten svarer ikke.').waitFor();
    await page.getByText('Prøvet.').waitFor();
    expect(await page.getByText('Kontoen har ingen webhooks.').isVisible()).toBe(false);
    expect(await page.locator('#keys > li').count()).toBeGreaterThan(0);
    expect(complaints.splice(0).toSorted()).toEqual([
      expect.stringContaining('ERR_FAILED'),
      expect.stringContaining('503'),
    ]);
  });

  test('registers a webhook, shows its secret once, pings, pauses, edits and removes it', async () => {
    const page = await newPage();
    const account = await edge.bench.account('free');
    await signIn(page, account);
    await page.getByText('Kontoen har ingen webhooks.').waitFor();
    await page.getByRole('button', { name: 'Ny webhook' }).click();
    await page.getByLabel('Adresse', { exact: true }).fill('https://inside.example/');
    await page.getByLabel('Beskrivelse').fill(HOSTILE);
    await page.getByRole('button', { name: 'Registrér' }).click();
    await page.getByText('Adressen må kun føre til offentlige adresser').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await picture(page, 'laptop-hook-refused');
    await page.getByLabel('Adresse', { exact: true }).fill(hookUrl());
    await page.getByLabel('Abonnementet er ændret').uncheck();
    await page.getByRole('button', { name: 'Registrér' }).click();
    const secret = await shownSecret(page);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await page.evaluate('document.activeElement.id')).toBe('fresh');
    await picture(page, 'laptop-hook-secret');
    await page.getByRole('button', { name: 'Jeg har gemt den' }).click();
    expect(await page.content()).not.toContain(secret);
    const item = page.locator('#hooks > li');
    expect(await item.locator('p bdi').innerText()).toBe(HOSTILE);
    expect(await item.locator('img').count()).toBe(0);

    await item.getByRole('button', { name: 'Ping' }).click();
    await item.getByText('Ping modtaget: svarede 200.').waitFor();
    expect(receiver.received.at(-1)?.headers['x-service-event']).toBe('ping');
    receiver.answer = status(500);
    await item.getByRole('button', { name: 'Ping' }).press('Enter');
    await item.getByText('Ping mislykkedes: 500.').waitFor();
    receiver.answer = status(200);
    await item.getByRole('button', { name: 'Leverancer' }).click();
    await expect.poll(() => item.locator('tbody tr').count()).toBe(2);
    const failed = item.locator('tbody tr', { hasText: 'mislykket' });
    expect((await failed.innerText()).split(/\t/).slice(1)).toEqual([
      ...['ping', 'mislykket', '1', '500', '–'],
    ]);
    await edge.bench.key(account);
    await item.getByRole('button', { name: 'Opdatér' }).click();
    await item.getByText('key.created').nth(1).waitFor();
    await picture(page, 'laptop-hook-log');

    await item.getByRole('button', { name: 'Sæt på pause' }).press('Enter');
    await item.getByText('På pause', { exact: true }).waitFor();
    // The keyboard stays where it was.
    expect(await page.evaluate(FOCUSED_NAME)).toBe(`Genoptag ${hookUrl()}`);
    await item.getByRole('button', { name: 'Ret' }).click();
    expect(await page.getByLabel('Abonnementet er ændret').isChecked()).toBe(false);
    await page.getByLabel('Beskrivelse').fill('');
    await page.getByRole('button', { name: 'Gem' }).click();
    await page.getByText('Webhooken er rettet.').waitFor();
    const [saved] = await hooks.webhooks.list(account);
    expect(saved).toMatchObject({ enabled: false, description: null, url: hookUrl() });
    await item.getByRole('button', { name: 'Fjern' }).click();
    await page.getByRole('button', { name: 'Fjern', exact: true }).click();
    await page.getByText('Kontoen har ingen webhooks.').waitFor();
    // What had the keyboard is gone with its row.
    expect(await page.evaluate('document.activeElement.id')).toBe('new-hook');
    expect(await hooks.webhooks.list(account)).toEqual([]);
  });

  test('speaks English where it is chosen, and says whom to ask for another plan', async () => {
    const page = await newPage({ viewport: PHONE });
    const account = await edge.bench.account('pro');
    const { key } = await edge.bench.key(account, { name: 'Server', environment: 'live' });
    await use(account, key.id);
    await hooks.register(account, hookUrl());
    await signIn(page, account);
    await page.getByText('Abonnement og loft ændres af den, der driver tjenesten').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Usage in November 2026 Live 44,321 of 50,000 units');
    expect(text).toContain('500,000 units; after that calls are refused until next month');
    expect(text).toContain('Plan and cap are changed by the operator of the service');
    expect(text).not.toMatch(/[æøåÆØÅ]/);
    await expectGood(page);
    await page.reload();
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
  });
});
