/** What an account does without a command line, in a real Chromium: letters, colleagues, an alarm, watch-lists. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workers } from '../../src/core/tasks/workers.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { composeWatch } from '../../src/start/watch.ts';
import type { WatchLists } from '../../src/watch/lists.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { createWorkers } from '../../workers/pool.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { accountEdge } from '../http/account-edge.ts';
import type { AccountEdge } from '../http/account-edge.ts';
import { letterBox, tokensIn } from '../http/letter-box.ts';
import type { LetterBox } from '../http/letter-box.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { addEndpoint, logInto, webhookBench } from '../webhooks/webhook-bench.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import { LOOKS, describePages, expectGood, signInByLink } from './browser.ts';
import { FOCUSED_NAME } from './in-page.ts';

/** What the page writes of watch-lists and keys: to a disk that is full, and to a standby. */
const REFUSALS = [['watch_list', '53100'] as const, ['api_key', '25006'] as const];
const NOT_NOW = 'Lageret kan ikke nås lige nu. Prøv igen om lidt.';

describePages('an account without a command line', 'konto', ({ complaints, newPage }) => {
  let store: TestStore;
  let edge: AccountEdge;
  let box: LetterBox;
  let hooks: WebhookBench;
  let workers: Workers;
  let watches: WatchLists;
  let base: string;

  beforeAll(async () => {
    store = await openTestStore();
    const bench = accountBench(store);
    box = letterBox(bench, () => base);
    workers = createWorkers({ threads: 1 });
    hooks = webhookBench(store, { resolve: createResolver([]), ca: '' });
    const { webhooks, clock } = hooks;
    ({ lists: watches } = composeWatch({
      ...{ store, workers, clock, log: logInto([]), compares: false },
      onDue: () => undefined,
    }));
    const { letters } = box;
    const { accountRequests } = bench;
    edge = await accountEdge(
      store,
      { usage: usageLedger(store), webhooks, watches },
      {},
      { letters, accountRequests },
    );
    base = await edge.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await edge.app.close();
    await hooks.close();
    await workers.close();
    await store.close();
    box.remove();
  });

  async function signInByLetter(page: Page, email: string): Promise<void> {
    await page.goto(`${base}/konto`);
    await page.getByLabel('Din e-mailadresse').fill(email);
    await page.getByRole('button', { name: 'Send mig et log ind-link' }).click();
    await page.getByText('er et brev på vej').waitFor();
    const letters = await box.received();
    const [token = ''] = tokensIn(letters.at(-1));
    await signInByLink(page, `${base}/log-ind#${token}`);
  }

  test.each(LOOKS)('is good to read: %s', async (_name, viewport, colorScheme) => {
    const page = await newPage({ viewport, colorScheme });
    const account = await edge.bench.account();
    const { email } = (await edge.bench.accounts.find(account))!;
    await page.goto(`${base}/konto`);
    await page.getByText('Bed om en konto').click();
    await expectGood(page);
    const long = `en.kollega.med.et.langt.navn@en-meget-lang-afdeling.kommune.example`;
    await edge.bench.persons.invite(account, { email: long, roles: ['reads', 'uses', 'pays'] });
    await edge.bench.key(account);
    await addEndpoint(store, account);
    const square = 'POLYGON((10 56,10.1 56,10.1 56.1,10 56.1,10 56))';
    const made = await watches.create(account, {
      name: 'Et meget langt navn på en liste over kommunens ejendomme ved havnen',
      kind: 'bfe',
      objects: [100_453, 100_454],
    });
    await watches.create(account, { name: 'Havnen', kind: 'polygon', objects: [square] });
    await store.pool.query(
      `update watch_list set found_transaction = 812, found_events = 1234, found_at = created_at where id = $1`,
      [made.id],
    );
    await signInByLetter(page, email);
    await page.getByText(long).waitFor();
    await page.getByText('Ingen alarm er sat.').waitFor();
    await page.getByText('1.234 ændringer').waitFor();
    // As wide as an answer is.
    const json = { linjer: { skov: { lag: 'dai:skovbyggelinjer '.repeat(20) } } };
    await page.route('**/v1/natur/byggelinjer*', (route) => route.fulfill({ json }));
    const asked = page.waitForRequest('**/v1/natur/byggelinjer*');
    const ended = page.waitForResponse((each) => each.request().method() === 'DELETE');
    await page.getByRole('button', { name: 'Prøv det her' }).click();
    // As a customer asks: with a key alone, which is handed back.
    const { authorization, cookie } = await (await asked).allHeaders();
    expect([authorization?.slice(0, 16), cookie]).toEqual(['Bearer svc_test_', undefined]);
    expect((await ended).ok()).toBe(true);
    await page.locator('#steps pre.scroll').waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Invitér' }).click();
    await expectGood(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ny liste' }).click();
    await page.locator('#watch').getByLabel('Hvad overvåges').selectOption('jordstykke');
    await expectGood(page);
  });

  test('a colleague is invited, signs in, sees what the role allows, and is removed', async () => {
    const account = await edge.bench.account();
    const { email } = (await edge.bench.accounts.find(account))!;
    const owner = await newPage();
    await signInByLetter(owner, email);
    await owner.getByRole('button', { name: 'Invitér' }).click();
    const address = owner.getByLabel('E-mailadresse').last();
    const invite = owner.getByRole('dialog').getByRole('button', { name: 'Invitér' });
    const said = () => owner.evaluate('document.getElementById("person-email").validationMessage');
    await invite.click();
    expect(await said()).toBe('Udfyld feltet.');
    await address.fill('ikke en adresse');
    await invite.click();
    expect(await said()).toBe('Skriv hele adressen: navn@firma.dk.');
    await address.fill('bo@example.dk');
    await owner.getByLabel('Bruger').uncheck();
    await invite.click();
    await owner.getByText('Et brev er på vej.').waitFor();
    const [letter] = await box.received();

    const other = await newPage();
    await other.goto(`${base}/log-ind#${tokensIn(letter)[0]}`);
    await other.getByRole('button', { name: 'Log ind' }).click();
    await other.getByText('bo@example.dk (dig)').waitFor();
    expect(await other.locator('#new-key, #invite').count()).toBe(2);
    expect(
      await other.locator('#new-key, #invite, #bill-part, #steps').locator('visible=true').count(),
    ).toBe(0);

    await owner.getByRole('button', { name: /Fjern.*bo@/ }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Fjern' }).click();
    await owner.locator('#persons').getByText('bo@example.dk').waitFor({ state: 'detached' });
    await other.reload();
    await other.getByText('Du er ikke logget ind').waitFor();
  });

  test('an alarm is set, and an account asked for', async () => {
    const account = await edge.bench.account();
    const page = await newPage();
    await signInByLetter(page, (await edge.bench.accounts.find(account))!.email);
    await page.getByLabel('Alarm ved').fill('40000');
    await page.getByRole('button', { name: 'Sæt alarmen' }).click();
    await page.getByText('har brugt 40.000 live-enheder').waitFor();
    expect(await edge.bench.alarms.read(account)).toBe(40_000);
    await page.getByRole('button', { name: 'Log ud' }).click();
    await page.getByText('Bed om en konto').click();
    await page.getByLabel('Organisation eller navn').fill('Prøveby Kommune');
    await page.locator('#request-email').fill('ny@example.dk');
    await page.getByRole('button', { name: 'Send anmodningen' }).click();
    await page.getByText('Anmodningen er sendt.').waitFor();
    expect(await edge.bench.accountRequests.list()).toMatchObject([{ name: 'Prøveby Kommune' }]);
  });

  describe('watch-lists', () => {
    async function signedIn(account: string): Promise<Page> {
      const page = await newPage();
      const { token } = await edge.bench.sessions.newLink(account);
      await signInByLink(page, `${base}/log-ind#${token}`);
      await page.locator('#watches, #no-watches').locator('visible=true').first().waitFor();
      return page;
    }
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
      expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
      await dialog.getByLabel('Objekter').fill('BFE\n100453\n100454\n');
      await dialog.getByRole('button', { name: 'Overvåg' }).click();
      const item = page.locator('#watches li');
      await item.getByText('2 ejendomme').waitFor();
      expect(await item.innerText()).toContain('Ingen webhook får besked');
      await item.getByRole('button', { name: 'Send en prøve' }).click();
      await page.locator('#toast').getByText('overvågningslister').waitFor();
      expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
      await edge.bench.key(account);
      await addEndpoint(store, account);
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

    test('of a store that is full or read-only the page says so, and keeps what was typed', async () => {
      const account = await edge.bench.account();
      const page = await signedIn(account);
      await store.pool.query(`
        create function refuse_row() returns trigger language plpgsql as $$
          begin raise exception 'no room' using errcode = tg_argv[0]; end $$;
        ${REFUSALS.map(([table, state]) => `create trigger refused before insert or update on ${table} for each row execute function refuse_row('${state}');`).join('\n')}`);
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
      expect(complaints.splice(0).length).toBe(2);
    });
  });
});
