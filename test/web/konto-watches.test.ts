/** Watch-lists on the account's page, in a real Chromium: made, seen, edited, paused, tried, removed. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { composeWatch } from '../../src/start/watch.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { createWorkers } from '../../workers/pool.ts';
import { accountEdge } from '../http/account-edge.ts';
import type { AccountEdge } from '../http/account-edge.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { logInto, webhookBench } from '../webhooks/webhook-bench.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import {
  LOOKS,
  expectGood,
  findChromium,
  keepPicture,
  startBrowser,
  watchPages,
  watchedPage,
} from './browser.ts';
import type { PageOptions } from './browser.ts';
import { FOCUSED_NAME } from './in-page.ts';

const chromium = findChromium();
/** What the page writes here. */
const TABLES = ['watch_list', 'api_key'];
const NOT_NOW = 'Lageret kan ikke nås lige nu. Prøv igen om lidt.';
const PICTURES = join(import.meta.dirname, '../../.tmp/konto');

describe.skipIf(chromium === null)('watch-lists', () => {
  let store: TestStore;
  let edge: AccountEdge;
  let hooks: WebhookBench;
  let workers: Workers;
  let base: string;
  let browser: Browser;
  const pages = watchPages();

  beforeAll(async () => {
    [store, browser] = await Promise.all([openTestStore(), startBrowser(chromium ?? '')]);
    workers = createWorkers({ threads: 1 });
    hooks = webhookBench(store, { resolve: createResolver([]), ca: '' });
    const { lists: watches } = composeWatch({
      ...{ store, workers, clock: hooks.clock, log: logInto([]), compares: false },
      onDue: () => undefined,
    });
    edge = await accountEdge(store, {
      usage: usageLedger(store),
      webhooks: hooks.webhooks,
      watches,
    });
    base = await edge.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await browser.close();
    await edge.app.close();
    await hooks.close();
    await workers.close();
    await store.close();
  });

  async function signedIn(account: string, options: PageOptions = {}): Promise<Page> {
    const page = await watchedPage(browser, pages, options);
    const { token } = await edge.bench.sessions.newLink(account);
    await page.goto(`${base}/log-ind#${token}`);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
    await page.locator('#watches, #no-watches').locator('visible=true').first().waitFor();
    return page;
  }
  const endpoint = async (account: string) =>
    await store.pool.query(
      `insert into webhook_endpoint (id, account_id, url, host, events, secret_prefix, sealed_secret, created_at)
       values ('webhook_' || right($1, 20), $1, 'https://hooks.example/', 'hooks.example', '{watch.changed}',
         'whsec_abcd', 'x', now())`,
      [account],
    );

  test('are made, seen, edited, paused, tried and removed', async () => {
    const account = await edge.bench.account();
    const page = await signedIn(account);
    await page.getByRole('button', { name: 'Ny liste' }).click();
    const dialog = page.locator('#watch');
    await dialog.getByLabel('Listens navn').fill('Vores huse');
    await dialog.getByLabel('Objekter').fill('12x\n13y');
    await dialog.getByRole('button', { name: 'Overvåg' }).click();
    await dialog.locator('#watch-error').waitFor();
    expect(await dialog.locator('#watch-error').innerText()).toBe(
      'Objekt 1 er ikke et BFE-nummer, 1 til 2147483647: "12x".',
    );
    expect(pages.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await dialog.getByLabel('Objekter').fill('BFE\n100453\n100454\n');
    await dialog.getByRole('button', { name: 'Overvåg' }).click();
    const item = page.locator('#watches li');
    await item.getByText('2 ejendomme').waitFor();
    expect(await item.innerText()).toContain('Ingen webhook får besked');
    await item.getByRole('button', { name: 'Send en prøve' }).click();
    await page.locator('#toast').getByText('overvågningslister').waitFor();
    expect(pages.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await edge.bench.key(account);
    await endpoint(account);
    await page.reload();
    await item.getByText('Sammenlignes med matrikel').waitFor();
    expect(await item.innerText()).not.toContain('Ingen webhook');
    await item.getByRole('button', { name: 'Send en prøve' }).click();
    await page.getByText('En prøve er på vej. Webhooks: 1').waitFor();
    await item.getByRole('button', { name: 'Sæt på pause' }).click();
    await item.getByText('På pause', { exact: true }).waitFor();
    await item.getByRole('button', { name: 'Ret' }).click();
    await dialog.getByRole('button', { name: 'Gem' }).waitFor();
    expect(await dialog.getByLabel('Objekter').inputValue()).toBe('100453\n100454');
    await dialog.getByLabel('Listens navn').fill('Et hus');
    await dialog.locator('#watch-file').setInputFiles({
      ...{ name: 'huse.csv', mimeType: 'text/csv' },
      buffer: Buffer.from('bfe;navn\n7;Huset\n'),
    });
    await dialog.getByRole('button', { name: 'Gem' }).click();
    await item.getByText('1 ejendom').waitFor();
    await item.getByRole('heading', { name: 'Et hus' }).waitFor();
    await item.getByRole('button', { name: 'Fjern' }).click();
    await page.locator('#confirm-yes').click();
    await page.locator('#no-watches').waitFor();
  });

  test.each([
    ['full', '53100'],
    ['read-only', '25006'],
  ])('of a store that is %s the page says so, and keeps what was typed', async (_name, state) => {
    const account = await edge.bench.account();
    const page = await signedIn(account);
    await store.pool.query(`
      create function refuse_row() returns trigger language plpgsql as $$
        begin raise exception 'no room' using errcode = '${state}'; end $$;
      ${TABLES.map((table) => `create trigger refused before insert or update on ${table} for each row execute function refuse_row();`).join('\n')}`);
    const watch = page.locator('#watch');
    await page.getByRole('button', { name: 'Ny liste' }).click();
    await watch.getByLabel('Listens navn').fill('Vores huse');
    await watch.getByLabel('Objekter').fill('100453');
    await watch.getByRole('button', { name: 'Overvåg' }).click();
    await watch.getByText(NOT_NOW).waitFor();
    expect(await watch.getByLabel('Objekter').inputValue()).toBe('100453');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(FOCUSED_NAME)).toContain('Ny liste');
    const mint = page.locator('#mint');
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await mint.locator('#mint-name').fill('Min nøgle');
    await mint.getByRole('button', { name: 'Lav nøglen' }).click();
    await mint.getByText(NOT_NOW).waitFor();
    await store.pool.query('drop function refuse_row() cascade');
    await mint.getByRole('button', { name: 'Lav nøglen' }).click();
    await page.locator('#keys').getByText('Min nøgle').waitFor();
    expect(pages.complaints.splice(0).length).toBe(2);
  });

  test.each(LOOKS)('are good to read: %s', async (name, viewport, colorScheme) => {
    const account = await edge.bench.account();
    await edge.bench.key(account);
    await endpoint(account);
    const { lists } = composeWatch({
      ...{ store, workers, clock: hooks.clock, log: logInto([]), compares: false },
      onDue: () => undefined,
    });
    const square = 'POLYGON((10 56,10.1 56,10.1 56.1,10 56.1,10 56))';
    const made = await lists.create(account, {
      name: 'Et meget langt navn på en liste over kommunens ejendomme ved havnen',
      kind: 'bfe',
      objects: [100_453, 100_454],
    });
    await lists.create(account, { name: 'Havnen', kind: 'polygon', objects: [square] });
    await store.pool.query(
      `update watch_list set found_transaction = 812, found_events = 1234, found_at = created_at where id = $1`,
      [made.id],
    );
    const page = await signedIn(account, { viewport, colorScheme });
    await page.getByText('1.234 ændringer').waitFor();
    await keepPicture(page, join(PICTURES, `watches-${name}.png`), { fullPage: true });
    await expectGood(page);
    await page.getByRole('button', { name: 'Ny liste' }).click();
    await page.locator('#watch').getByLabel('Hvad overvåges').selectOption('jordstykke');
    await keepPicture(page, join(PICTURES, `watches-${name}-new.png`));
    await expectGood(page);
  });
});
