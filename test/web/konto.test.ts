/** The account's page in a real Chromium, over real accounts in a real store. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { monthOf } from '../../src/metering/calendar.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { accountEdge } from '../http/account-edge.ts';
import type { AccountEdge } from '../http/account-edge.ts';
import { memoryOperator } from '../edge/operator.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { LAPTOP, PHONE, axeFindings, findChromium, startBrowser } from './browser.ts';
import { FAINT_TEXTS, OVERFLOWING } from './in-page.ts';

const chromium = findChromium();
/** Where the pictures go, for a person to look at. */
const PICTURES = join(import.meta.dirname, '../../.tmp/konto');

describe.skipIf(chromium === null)('the account page', () => {
  let store: TestStore;
  let edge: AccountEdge;
  let base: string;
  let browser: Browser;
  const opened: BrowserContext[] = [];
  let complaints: string[] = [];
  const asked: string[] = [];
  const operator = memoryOperator();

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    [store, browser] = await Promise.all([openTestStore(), startBrowser(chromium ?? '')]);
    edge = await accountEdge(store, { operator, usage: usageLedger(store) });
    base = await edge.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((context) => context.close()));
    expect(complaints).toEqual([]);
    complaints = [];
    asked.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    await edge.app.close();
    await store.close();
  });

  async function newPage(
    options: { viewport?: typeof LAPTOP; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<Page> {
    const context = await browser.newContext({ viewport: LAPTOP, locale: 'da-DK', ...options });
    opened.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    return page;
  }

  async function signIn(page: Page, account: string): Promise<string> {
    const { token } = await edge.bench.sessions.newLink(account);
    await page.goto(`${base}/log-ind#${token}`);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
    return token;
  }

  /** A customer with some of everything. */
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
    const month = monthOf(bench.clock.nowMs());
    await store.pool.query(
      `insert into usage_day (account_id, key_id, day, operation, environment, units, requests)
       values ($1, $2, $3::date, 'buildingLines', 'live', 44321, 44000)`,
      [id, live.id, month.firstDay],
    );
    return id;
  }

  async function shownSecret(page: Page): Promise<string> {
    await page.locator('#fresh').waitFor();
    return await page.locator('#fresh-secret').innerText();
  }

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });

  async function expectGood(page: Page): Promise<void> {
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
  }

  test('signs in with the link, whose token is in no address, history or storage', async () => {
    const page = await newPage();
    await page.goto(`${base}/konto`);
    await page.getByText('Du er ikke logget ind').waitFor();
    await picture(page, 'laptop-out');
    await expectGood(page);
    const account = await customer();
    const { token } = await edge.bench.sessions.newLink(account);
    await page.goto(`${base}/log-ind#${token}`);
    // Looking at the link does not use it up.
    expect(page.url()).toBe(`${base}/log-ind`);
    await picture(page, 'laptop-link');
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
    await page.getByRole('button', { name: 'Log ud' }).click();
    await page.getByText('Du er ikke logget ind').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${base}/konto#${token}`);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.getByText('Linket er ukendt, brugt eller for gammelt').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  test.each([
    ['laptop', LAPTOP, 'light'],
    ['phone', PHONE, 'light'],
    ['laptop-dark', LAPTOP, 'dark'],
    ['phone-dark', PHONE, 'dark'],
  ] as const)('shows keys and use at a glance: %s', async (name, viewport, colorScheme) => {
    const page = await newPage({ viewport, colorScheme });
    await signIn(page, await customer());
    await picture(page, name);
    await expectGood(page);
    const board = (await page.locator('#board').innerText()).replaceAll(/\s+/g, ' ');
    expect(board).toContain('Forbrug i november 2026');
    expect(board).toContain('Live 44.321 af 50.000 enheder');
    expect(board).toContain('Test 0 af 5.000 enheder');
    expect(board).toMatch(/Kort på forsiden .*Offentlig: example\.dk, \*\.kommune\.example\.dk/);
    expect(board).toMatch(/Afprøvning .*DAGI, Natur/);
    expect(board).toMatch(/Gammel server .*Ophører/);
    expect(await page.locator('#keys > li').count()).toBe(5);
    await page.getByText('Ophørte nøgler (1)').click();
    await page.getByText('tilbagekaldt').first().waitFor();
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByText('Udvalgte områder').click();
    await picture(page, `${name}-new`);
    await expectGood(page);
    await page.getByText('Offentlig').last().click();
    await picture(page, `${name}-new-public`);
    await expectGood(page);
  });

  test('makes a key whose secret is shown once, replaces and revokes it', async () => {
    const page = await newPage();
    const account = await edge.bench.account('free');
    await signIn(page, account);
    await page.getByText('Kontoen har ingen nøgler i brug.').waitFor();
    await picture(page, 'laptop-empty');
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByLabel('Navn', { exact: true }).fill('Min <b>server</b>');
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    const secret = await shownSecret(page);
    expect(secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
    expect(await edge.bench.find(secret)).toMatchObject({ accountId: account });
    await picture(page, 'laptop-secret');
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
    // The list follows when it has been read again.
    await expect.poll(() => page.locator('#keys > li').count()).toBe(2);
    for (const each of [secret, next]) expect(await edge.bench.find(each)).not.toBeNull();

    await page.locator('#keys > li').last().getByRole('button', { name: 'Tilbagekald' }).click();
    await picture(page, 'laptop-confirm');
    await page.getByRole('button', { name: 'Tilbagekald', exact: true }).click();
    await page.getByText('er tilbagekaldt.').waitFor();
    await expect.poll(() => page.locator('#keys > li').count()).toBe(1);
  });

  test('says what is wrong with a public key, and makes it when it is right', async () => {
    const page = await newPage({ viewport: PHONE });
    await signIn(page, await edge.bench.account());
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByLabel('Navn', { exact: true }).fill('Kort');
    await page.getByText('Offentlig').click();
    await page.getByLabel('Tilladte værter').fill('https://example.dk/side');
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    await page.getByText('origins[0] skal være en vært').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await picture(page, 'phone-mistake');
    await page.getByLabel('Tilladte værter').fill('example.dk\n*.example.dk');
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    const secret = await shownSecret(page);
    expect(await edge.bench.find(secret)).toMatchObject({
      origins: ['example.dk', '*.example.dk'],
    });
    await picture(page, 'phone-secret');
    await expectGood(page);
  });

  test('sends one away whose session has ended', async () => {
    const page = await newPage();
    const account = await edge.bench.account();
    await signIn(page, account);
    await edge.bench.key(account, { name: 'En nøgle' });
    await page.reload();
    await page.getByRole('heading', { name: 'En nøgle' }).waitFor();
    await store.pool.query('update session set revoked_at = now() where account_id = $1', [
      account,
    ]);
    await page.getByRole('button', { name: 'Tilbagekald' }).click();
    await page.getByRole('button', { name: 'Tilbagekald', exact: true }).click();
    await page.getByText('Sessionen er udløbet').waitFor();
    expect(await page.locator('#keys > li').count()).toBe(0);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
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
    await page.goto(`${base}/konto`);
    await page.getByRole('link', { name: 'Drift' }).click();
    await page.locator('#board').waitFor();
    expect(page.url()).toBe(`${base}/drift`);
    const before = (await edge.bench.accounts.find(account))?.name ?? '';
    await page.getByRole('button', { name: /^Synk/ }).first().click();
    await page.getByText('er sat i kø.').waitFor();
    expect(operator.asked.at(-1)).toMatch(new RegExp(` ${before}$`));
    await page.getByRole('button', { name: 'Log af' }).click();
    await page.getByText('Driftsadgangen er slået fra').waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });
});
