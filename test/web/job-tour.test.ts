/**
 * The whole way of a person through the pages, over the whole service with its sample, by night: by keyboard
 * alone from the front page to a downloaded file, and as a caseworker with a spreadsheet of 200 addresses.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS, generateAddresses } from '../../sample/registers/addresses/rows.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { accountBench, turnedClock } from '../account/accounts-fixture.ts';
import type { AccountBench } from '../account/accounts-fixture.ts';
import { isHeavy } from '../support/run-settings.ts';
import { startWholeService } from '../support/whole-service.ts';
import type { WholeService } from '../support/whole-service.ts';
import { expectGood, findChromium, startBrowser, watchPages, watchedPage } from './browser.ts';
import { focusOf, pressOn, tabTo } from './keyboard.ts';

// Signing in takes the store, and an embedded one is the program's alone.
const isPostgres = process.env['TEST_STORE'] === 'postgres';
const chromium = isPostgres && isHeavy ? findChromium() : null;
/** Where the pictures go, for a person to look at. */
const PICTURES = join(import.meta.dirname, '../../.tmp/job-tour');
const SURENESS: Readonly<Record<string, string>> = {
  A: 'A: sikker',
  B: 'B: næsten sikker',
  C: 'C: et gæt',
  '': 'ikke oplyst',
};
const TOTAL = 200;

describe.skipIf(chromium === null)('from the front page to a filled file', () => {
  let service: WholeService;
  let accounts: AccountBench;
  let browser: Browser;
  const watch = watchPages();
  const { complaints } = watch;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startWholeService(), startBrowser(chromium ?? '')]);
    if (service.store === null) throw new Error('A store to sign in over is needed.');
    accounts = accountBench(service.store, turnedClock(systemClock.nowMs()));
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** As somebody is sent it. */
  async function newLink(): Promise<string> {
    const { token } = await accounts.sessions.newLink(await accounts.account('pro'));
    return `${service.base}/log-ind#${token}`;
  }

  async function frontPage(): Promise<Page> {
    const page = await watchedPage(browser, watch);
    await page.goto(`${service.base}/`);
    await page.locator('#freshness').getByText('lag er friske').waitFor();
    return page;
  }

  const picture = (page: Page, name: string) =>
    page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });

  async function rowsOf(download: Download): Promise<readonly (readonly unknown[])[]> {
    const { sheets } = await readXlsx(readFileSync(await download.path()));
    expect(sheets.map(({ name }) => name)).toEqual(['Rækker', 'Om']);
    return sheets[0]!.rows;
  }

  test('by keyboard alone', async () => {
    const [page, link] = await Promise.all([frontPage(), newLink()]);
    // What leads past the header, and what it leads to.
    await pressOn(page, 'Spring til indholdet');
    await tabTo(page, '#q');
    await page.keyboard.type('Ny Prøvegade 12A');
    await page.locator('#suggestions [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('#place').waitFor();
    await expect.poll(async () => (await focusOf(page)).id).toBe('place');
    await pressOn(page, 'Job');
    // Nobody is signed in yet: the page says so, and brings one back.
    await page.locator('#out').waitFor();
    await pressOn(page, 'Log ind');
    await page.locator('#link-form').waitFor();
    await tabTo(page, '#link-text');
    await page.keyboard.type('http://et-andet-sted.example/log-ind#ikke-et-link');
    await page.keyboard.press('Enter');
    await page.locator('#out-error').waitFor();
    await expectGood(page);
    await picture(page, 'link');
    expect((await focusOf(page)).id).toBe('link-text');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.keyboard.type(link);
    await page.keyboard.press('Enter');
    await page.locator('#drop').waitFor();
    expect(new URL(page.url()).pathname).toBe('/job');
    // Asked for before the key is pressed: what opens is a dialog of the system otherwise.
    const chosen = page.waitForEvent('filechooser');
    await pressOn(page, 'Spring til indholdet');
    await tabTo(page, '#file-pick');
    await page.keyboard.press('Enter');
    const chooser = await chosen;
    const csv = `sag;adresse\r\nA-1;Ny Prøvegade 12A, 0093 Midtprøve\r\nA-2;\r\n`;
    await chooser.setFiles({ name: 'sager.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.locator('#setup').waitFor();
    // The field has gone: one goes on at what has come in its place.
    await expect.poll(async () => (await focusOf(page)).id).toBe('file-title');
    await tabTo(page, '#delimiter');
    await tabTo(page, '#kind');
    await page.keyboard.press('ArrowDown');
    await expect.poll(async () => (await focusOf(page)).id).toBe('kind');
    await page.keyboard.press('ArrowUp');
    await page.getByText('Ny Prøvegade 12A, 0093 Midtprøve (A, sikker)').waitFor();
    await pressOn(page, 'Send 2 rækker');
    await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    await page.locator('#found-fejl').waitFor();
    expect((await focusOf(page)).id).toBe('panel');
    await tabTo(page, 'Excel, alle rækker');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ]);
    const [head, first, second] = await rowsOf(download);
    expect(first?.[head!.indexOf('Hvor sikker')]).toBe('A: sikker');
    expect(second?.[head!.indexOf('Hvorfor ikke')]).toBe(
      'Rækken har ingen adresse: feltet er tomt.',
    );
    await page.getByText(/er hentet\.$/).waitFor();
    expect((await focusOf(page)).name).toBe('Excel, alle rækker');
    await expectGood(page);
  });

  interface Suggestions {
    readonly forslag: readonly { readonly tekst: string }[];
  }
  interface Cleansed {
    readonly kategori: string | null;
    readonly resultater: readonly {
      readonly aktueladresse: {
        readonly id: string;
        readonly betegnelse: string;
        readonly bfe_nummer: number | null;
      };
    }[];
  }

  async function ask(path: string): Promise<{ status: number; body: unknown }> {
    const headers = { authorization: `Bearer ${service.key}` };
    let response = await fetch(`${service.base}/v1/${path}`, { headers });
    while (response.status === 429) {
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      response = await fetch(`${service.base}/v1/${path}`, { headers });
    }
    return { status: response.status, body: await response.json() };
  }
  async function cleanse(written: string): Promise<{ status: number; body: Cleansed }> {
    const { status, body } = await ask(`datavask?betegnelse=${encodeURIComponent(written)}`);
    return { status, body: body as Cleansed };
  }

  /** As the register writes them. */
  async function somePlaces(count: number): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const road of generateAddresses().NavngivenVej) {
      const { body } = await ask(
        `adresser/autocomplete?type=adgangsadresse&q=${encodeURIComponent(`${road['vejnavn'] ?? ''} `)}`,
      );
      for (const { tekst } of (body as Suggestions).forslag) found.add(tekst);
      if (found.size >= count) return [...found].slice(0, count);
    }
    throw new Error(`The sample has ${found.size} addresses.`);
  }

  /** What people write: without a comma, without the town, in capitals, two letters swapped. */
  const HANDS: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replaceAll(',', ''),
    (text) => text.toUpperCase(),
    (text) => text.replace(/(\p{L})(\p{L})(?=\p{L}* \d)/u, '$2$1'),
    (text) => text.replace('Prøve', 'Proeve'),
  ];

  test('a spreadsheet of 200 addresses, some of them badly written', async () => {
    const places = await somePlaces(TOTAL - 3);
    const written = [
      ...places.map((text, n) => HANDS[n % HANDS.length]!(text)),
      '',
      'Findes Slet Ikke Boulevard 999999, 9999 Ingensteds',
      `${KNOWN_ADDRESS.roadName}, ${KNOWN_ADDRESS.postcode} ${KNOWN_ADDRESS.postcodeName}`,
    ];
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Sager',
          rows: [
            ['Sagsnr.', 'Borger', 'Adresse', 'Modtaget'],
            ...written.map((text, n) => [
              `00${n + 1}`,
              `Opdigtet Ærøsen ${n + 1}`,
              text === '' ? null : text,
              new Date(Date.UTC(2026, 0, 1 + (n % 28))),
            ]),
          ],
        },
      ],
    });
    const page = await frontPage();
    await page
      .getByRole('navigation', { name: 'Sider' })
      .getByRole('link', { name: 'Job' })
      .click();
    await page.getByRole('main').getByRole('link', { name: 'Log ind' }).click();
    await page.getByLabel('Dit log ind-link').fill(await newLink());
    await page.getByRole('main').getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#drop').waitFor();
    await picture(page, 'job');
    await page.locator('#file').setInputFiles({
      name: 'Sager 2026.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from(bytes),
    });
    const fifth = page.locator('#trial tbody tr').nth(4);
    await fifth.waitFor();
    await fifth.getByText('spørger').waitFor({ state: 'detached' });
    await picture(page, 'guessed');
    await expectGood(page);
    expect(await page.locator('#file-title').innerText()).toBe('Sager 2026.xlsx: 200 rækker');
    expect(await page.locator('#kind').inputValue()).toBe('datavask');
    expect(await page.locator('#role-adresse').inputValue()).toBe('Adresse');
    expect(await page.locator('#preview').innerText()).toContain('001');
    await page.getByRole('button', { name: 'Send 200 rækker' }).click();
    await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    await page.locator('#found-fejl').waitFor();
    await picture(page, 'answered');
    await expectGood(page);
    expect(await page.locator('#found').innerText()).not.toMatch(/The row|No address/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel, alle rækker' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Sager 2026-.*\.xlsx$/);
    await compare(await rowsOf(download), written);
  });

  /** Every row in its order, its own cells as they were, and what the API answers for its text. */
  async function compare(
    [head = [], ...rows]: readonly (readonly unknown[])[],
    written: readonly string[],
  ): Promise<void> {
    expect(rows).toHaveLength(written.length);
    const place = (name: string) => head.indexOf(name);
    const seen = { answered: 0, surely: 0, unsure: 0 };
    for (const [n, text] of written.entries()) {
      const row = rows[n]!;
      expect(row.slice(0, 2)).toEqual([`00${n + 1}`, `Opdigtet Ærøsen ${n + 1}`]);
      expect(row[2] ?? '').toBe(text);
      expect(row[3]).toEqual(new Date(Date.UTC(2026, 0, 1 + (n % 28))));
      expect(row[place('Række')]).toBe(n + 1);
      const told = [row[place('Status')], row[place('Hvorfor ikke')] ?? null];
      if (text === '') {
        expect(told).toEqual(['ikke besvaret', 'Rækken har ingen adresse: feltet er tomt.']);
        continue;
      }
      const { status, body } = await cleanse(text);
      expect(status).toBe(200);
      const [best] = body.resultater;
      if (best === undefined) {
        const none =
          'Der er ikke fundet nogen adresse, der ligner. ' +
          'Kopien her dækker kun Prøveholm (opdigtet), så det kan findes andre steder.';
        expect(told).toEqual(['ikke besvaret', none]);
        continue;
      }
      expect(told).toEqual(['besvaret', null]);
      expect(row[place('Hvor sikker')]).toBe(SURENESS[body.kategori ?? '']);
      expect(row[place('Antal forslag')]).toBe(body.resultater.length);
      const { id, betegnelse, bfe_nummer: bfe } = best.aktueladresse;
      expect(row[place('Adressens id')]).toBe(id);
      expect(row[place('Adresse (svar)')]).toBe(betegnelse);
      expect(row[place('BFE-nummer')]).toBe(bfe ?? 'ikke oplyst');
      seen.answered += 1;
      if (body.kategori === 'A') seen.surely += 1;
      if (body.resultater.length > 1) seen.unsure += 1;
    }
    expect(seen.answered).toBeGreaterThanOrEqual(TOTAL - 3);
    expect(seen.surely).toBeGreaterThan(TOTAL / 3);
    expect(seen.unsure).toBeGreaterThan(0);
  }
});
