/** An account without a command line, in a real Chromium: a letter, first steps, colleagues, an alarm. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usageLedger } from '../../src/metering/usage.ts';
import { accountEdge } from '../http/account-edge.ts';
import type { AccountEdge } from '../http/account-edge.ts';
import { letterBox, tokensIn } from '../http/letter-box.ts';
import type { LetterBox } from '../http/letter-box.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { createResolver } from '../../src/webhooks/resolver.ts';
import { webhookBench } from '../webhooks/webhook-bench.ts';
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

const chromium = findChromium();
const PICTURES = join(import.meta.dirname, '../../.tmp/konto');

describe.skipIf(chromium === null)('an account without a command line', () => {
  let store: TestStore;
  let edge: AccountEdge;
  let box: LetterBox;
  let hooks: WebhookBench;
  let base: string;
  let browser: Browser;
  const watch = watchPages();

  beforeAll(async () => {
    [store, browser] = await Promise.all([openTestStore(), startBrowser(chromium ?? '')]);
    const bench = accountBench(store);
    box = letterBox(bench, () => base);
    const { accountRequests } = bench;
    const usage = usageLedger(store);
    hooks = webhookBench(store, { resolve: createResolver([]), ca: '' });
    const { webhooks } = hooks;
    edge = await accountEdge(
      store,
      { usage, webhooks },
      {},
      { letters: box.letters, accountRequests },
    );
    base = await edge.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await browser.close();
    await edge.app.close();
    await hooks.close();
    await store.close();
    box.remove();
  });

  const newPage = (options: PageOptions = {}): Promise<Page> =>
    watchedPage(browser, watch, options);
  const picture = (page: Page, name: string) =>
    keepPicture(page, join(PICTURES, `persons-${name}.png`), { fullPage: true });

  async function signInByLetter(page: Page, email: string): Promise<void> {
    await page.goto(`${base}/konto`);
    await page.getByLabel('Din e-mailadresse').fill(email);
    await page.getByRole('button', { name: 'Send mig et log ind-link' }).click();
    await page.getByText('er et brev på vej').waitFor();
    const letters = await box.received();
    const [token = ''] = tokensIn(letters.at(-1));
    await page.goto(`${base}/log-ind#${token}`);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
  }

  test.each(LOOKS)('is good to read: %s', async (name, viewport, colorScheme) => {
    const page = await newPage({ viewport, colorScheme });
    const account = await edge.bench.account();
    const { email } = (await edge.bench.accounts.find(account))!;
    await page.goto(`${base}/konto`);
    await page.getByText('Bed om en konto').click();
    await picture(page, `${name}-out`);
    await expectGood(page);
    const long = `en.kollega.med.et.langt.navn@en-meget-lang-afdeling.kommune.example`;
    await edge.bench.persons.invite(account, { email: long, roles: ['reads', 'uses', 'pays'] });
    await signInByLetter(page, email);
    await page.getByText(long).waitFor();
    await page.getByText('Ingen alarm er sat.').waitFor();
    // As wide as an answer is.
    const json = { linjer: { skov: { lag: 'dai:skovbyggelinjer '.repeat(20) } } };
    await page.route('**/v1/natur/byggelinjer*', (route) => route.fulfill({ json }));
    await page.getByRole('button', { name: 'Prøv det her' }).click();
    await page.locator('#steps pre.scroll').waitFor();
    await picture(page, name);
    await expectGood(page);
    await page.getByRole('button', { name: 'Invitér' }).click();
    await picture(page, `${name}-invite`);
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
});
