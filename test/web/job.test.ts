/** The page of jobs in a real Chromium, over the whole service with its sample: from a file to a filled one. */
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { decodeRows } from '../../src/jobs/chunk-rows.ts';
import { workbookStream } from '../../src/jobs/files/workbook.ts';
import { readWorkbook } from '../../src/jobs/intake/workbook.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { monthOf } from '../../src/metering/calendar.ts';
import { accountBench, turnedClock } from '../account/accounts-fixture.ts';
import type { AccountBench } from '../account/accounts-fixture.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import { LOOKS, describePages, expectGood, signInByLink } from './browser.ts';
import type { PageOptions } from './browser.ts';
import { focusOf, pressOn, tabTo } from './keyboard.ts';

// Signing in takes the store, and an embedded one is the program's alone.
const isPostgres = process.env['TEST_STORE'] === 'postgres';
if (!isPostgres) console.log('SKIPPED: the page of jobs is signed in to over PostgreSQL.');

/** A column's name and a cell that would do harm if they were markup or a formula. */
const HOSTILE_NAME = '<img src=x onerror=alert(1)>';
const HOSTILE_CELL = '=cmd|calc';
/** As a Danish spreadsheet writes it: Windows-1252, semicolons, decimal commas. One row has no place. */
const CSV = Buffer.from(
  [
    `sag;øst;nord;${HOSTILE_NAME}`,
    ...Array.from({ length: 59 }, (_, n) => {
      const [x, y] = [644_877.5 + 40 * (n % 12), 6_314_760.25 - 60 * Math.floor(n / 12)];
      return `Æ-${n + 1};${String(x).replace('.', ',')};${String(y).replace('.', ',')};${HOSTILE_CELL}`;
    }),
    'Æ-60;her;der;',
  ].join('\r\n'),
  'latin1',
);

const workbookOfCase = () =>
  buffer(
    workbookStream([
      {
        name: 'Sager',
        head: ['kode', 'Adresse'],
        rows: async function* (sink) {
          sink.text('0093');
          sink.text('Ny Prøvegade 12A, 0093 Midtprøve');
          yield await Promise.resolve(sink.take());
        },
      },
    ]),
  );

describePages('the page of jobs', isPostgres ? 'job' : null, ({ complaints, newPage, picture }) => {
  const service = useWholeService();
  let accounts: AccountBench;

  beforeAll(() => {
    if (service.store === null) throw new Error('A store to sign in over is needed.');
    accounts = accountBench(service.store, turnedClock(systemClock.nowMs()));
  });

  test.each(LOOKS)(
    'shows what one gets before anybody signs in: %s',
    async (_name, viewport, colorScheme) => {
      const page = await newPage({ viewport, colorScheme });
      await page.goto(`${service.base}/job`);
      const rows = page.getByLabel('Adresser, én pr. linje');
      await expect.poll(() => rows.inputValue(), { timeout: HANG_MS }).toContain('Vejen der ikke');
      await rows.fill(`${await rows.inputValue()}\n=cmd|calc`);
      await page.getByRole('button', { name: 'Besvar rækkerne' }).click();
      await page.getByText('rækker besvaret').waitFor();
      expect(await page.locator('#example-found tbody tr').count()).toBeGreaterThan(2);
      expect(await page.locator('#example-found summary').count()).toBeGreaterThan(0);
      await expectGood(page);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Hent som CSV' }).click();
      const text = (await buffer(await (await download).createReadStream())).toString();
      expect(text).toMatch(/^\uFEFFskrevet;kategori;adresse;bfe_nummer;lon;lat;fejl\r\n/);
      expect(text).toContain("'=cmd|calc");
      await page.locator('#example-found').getByRole('img').waitFor();
      const answered = await page.locator('#example-found tbody tr').count();
      await page.getByRole('button', { name: 'Ret rækkerne uden svar' }).click();
      expect(await rows.inputValue()).toMatch(/=cmd\|calc$/);
      await rows.fill('Ny Prøvegade 12A, 0093 Midtprøve');
      await page.getByRole('button', { name: 'Besvar rækkerne' }).click();
      await expect
        .poll(() => page.locator('#example-found tbody tr').count(), { timeout: HANG_MS })
        .toBe(answered + 1);
      await rows.fill('');
      const file = { name: 'sager.xlsx', mimeType: '', buffer: await workbookOfCase() };
      await page.getByLabel('Eller en fil').setInputFiles(file);
      await expect.poll(() => rows.inputValue()).toBe('Ny Prøvegade 12A, 0093 Midtprøve');
      await page.getByText('1 rækker besvaret').waitFor();
    },
  );

  test('keeps nothing of what was shown where a file cannot be read, and lets its column be chosen', async () => {
    const page = await newPage();
    await page.goto(`${service.base}/job`);
    const rows = page.getByLabel('Adresser, én pr. linje');
    await expect.poll(() => rows.inputValue(), { timeout: HANG_MS }).toContain('Vejen der ikke');
    await rows.fill('');
    await page.getByRole('button', { name: 'Besvar rækkerne' }).click();
    await page.getByText('Skriv mindst én adresse.').waitFor();
    await rows.fill('Ny Prøvegade 12A, 0093 Midtprøve');
    await page.getByRole('button', { name: 'Besvar rækkerne' }).click();
    await page.getByText('1 af 1 rækker besvaret').waitFor();
    await page.route('**/v1/datavask*', (route) => route.abort());
    await page.getByRole('button', { name: 'Besvar rækkerne' }).click();
    await page.getByText('0 af 1 rækker besvaret').waitFor();
    expect(complaints.splice(0).filter((said) => !said.includes('ERR_FAILED'))).toEqual([]);
    const lines = Array.from({ length: 300 }, (_, at) => `${at};Prøvegade ${at} i byen;-`);
    const text = `\uFEFFSagsnr;Hvor;Note\r\n${lines.join('\r\n')}\r\n`;
    const choose = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Vælg fil' }).click();
    const file = { name: 'rod.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await (await choose).setFiles(file);
    await page.getByText('rod.csv: Ingen kolonne i filen er en adresse.').waitFor();
    expect(await rows.inputValue()).toBe('');
    expect(await page.locator('#example-found tbody tr, #example-files').count()).toBe(0);
    await page.getByLabel('Kolonnen med adresserne').selectOption('Hvor');
    await expect.poll(async () => (await rows.inputValue()).split('\n')).toHaveLength(100);
    await page
      .getByText(/De første 100 besvares her; 200 flere kræver en konto\. Det tager/)
      .waitFor();
    await expectGood(page);
  });

  /** Signed in as a customer of its own. */
  async function openPage(options: PageOptions = {}, account?: string) {
    const page = await newPage(options);
    const id = account ?? (await accounts.account('pro'));
    const { token } = await accounts.sessions.newLink(id);
    await signInByLink(page, `${service.base}/log-ind#${token}`);
    await page.getByRole('link', { name: 'Job', exact: true }).click();
    await page.getByText('Ingen job endnu.').waitFor();
    return page;
  }

  const csvFile = { name: 'sager <b>.csv', mimeType: 'text/csv', buffer: CSV };

  async function dropped(page: Page): Promise<void> {
    const given = await page.evaluateHandle(
      `((bytes, name) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'text/csv' }));
        return transfer;
      })(${JSON.stringify([...CSV])}, ${JSON.stringify(csvFile.name)})`,
    );
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: given });
    await page.locator('#setup').waitFor();
  }

  const answered = (page: Page) =>
    page.locator('#trial tbody tr').nth(4).getByText('spørger').waitFor({ state: 'detached' });

  async function fetched(page: Page, name: string): Promise<Buffer> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path());
  }

  test('says of a plan without jobs that it has none, before a file is set up', async () => {
    const page = await newPage();
    const { token } = await accounts.sessions.newLink(await accounts.account('free'));
    await signInByLink(page, `${service.base}/log-ind#${token}`);
    await page.goto(`${service.base}/job`);
    await page.getByText('Batch og job kræver abonnementet pro').waitFor();
    expect(await page.locator('#drop').count()).toBe(0);
    for (const said of complaints.splice(0)) expect(said).toContain('402');
  });

  // Half a minute on a busy machine: the gate has the way from a file to a filled one.
  const byNight = test.skipIf(!isHeavy);

  test.each(LOOKS)('makes a filled file of a file: %s', async (_name, viewport, colorScheme) => {
    const page = await openPage({ viewport, colorScheme });
    if (isHeavy) await expectGood(page);
    await dropped(page);
    expect(await page.locator('#file-title').innerText()).toBe('sager <b>.csv: 60 rækker');
    const chosen = async (id: string) => await page.locator(`#${id}`).inputValue();
    expect(await chosen('charset')).toBe('windows-1252');
    expect(await chosen('delimiter')).toBe(';');
    expect(await chosen('head-row')).toBe('1');
    expect(await chosen('decimal')).toBe('comma');
    expect(await chosen('srid')).toBe('25832');
    expect(await chosen('kind')).toBe('miljoe');
    expect([await chosen('role-x'), await chosen('role-y')]).toEqual(['øst', 'nord']);
    expect(await page.locator('#preview tbody tr').count()).toBe(20);
    expect(await page.locator('#preview th').nth(4).innerText()).toBe(HOSTILE_NAME);
    expect(await page.locator('#preview tbody td').nth(3).innerText()).toBe(HOSTILE_CELL);
    await answered(page);
    expect(await page.locator('#trial').innerText()).toContain('Strandbeskyttelseslinje');
    expect(await page.locator('#cost-live').innerText()).toContain('koster højst 60 enheder');
    await expectGood(page);
    await page.getByRole('button', { name: 'Send 60 rækker' }).click();
    await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    await page.locator('#found-fejl').waitFor();
    expect(await page.locator('#panel-counts').innerText()).toBe(
      '60 af 60 rækker: 59 besvaret, 1 uden svar',
    );
    expect(await page.locator('.plot .dot').count()).toBe(59);
    await expectGood(page);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
  });

  test('shows the job sent last where one before is made late, and what became of one stopped, or deleted elsewhere', async () => {
    const page = await openPage();
    const send = async (name: string) => {
      await page.locator('#file').setInputFiles({ ...csvFile, name });
      await page.locator('#send').click();
    };
    const listed = (name: string) => page.locator('#jobs li', { hasText: name });
    const late = () => page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    await page.route('**/v1/jobs', (job) => late().then(() => job.continue()), { times: 1 });
    for (const name of ['sen.csv', 'sidst.csv']) await send(name);
    await listed('sen.csv').getByText('Kladde').waitFor();
    expect(await page.locator('#panel-title').innerText()).toBe('sidst.csv');
    await page.route('**/v1/jobs/job_*', (route) => route.fetch().then(() => route.continue()));
    await page.getByRole('button', { name: 'Slet', exact: true }).click();
    await page.locator('#confirm-yes').click();
    await listed('sidst.csv').waitFor({ state: 'detached' });
    const stop = () => page.getByRole('button', { name: 'Stop' }).click();
    await page.route('**/start', (route) => stop().then(() => route.continue()));
    const stopped = listed('stoppet.csv').getByText(/(?<!Kladde) · 60 rækker/);
    await send('stoppet.csv');
    await stopped.waitFor();
    for (const each of complaints.splice(0)) expect(each).toContain('404');
  });

  byNight('gives the files, and is found again after a reload and in the list', async () => {
    const page = await openPage();
    await page.locator('#file').setInputFiles(csvFile);
    await page.locator('#kind').selectOption('dagi');
    await answered(page);
    expect(await page.locator('#trial').innerText()).toContain('Kommune (opdigtet)');
    await page.getByRole('button', { name: 'Send 60 rækker' }).click();
    await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    await page.reload();
    await page.locator('.plot').waitFor();
    expect(await page.locator('#panel-title').innerText()).toBe('sager <b>.csv');
    const { columns, chunks, rows } = await readWorkbook(
      await fetched(page, 'Excel, alle rækker'),
      'Rækker',
    );
    expect(rows).toBe(60);
    const shown = () => page.locator('#found th[scope=col]').allInnerTexts();
    expect(await shown()).toContain('Kommune');
    await page.getByLabel('Overskrifter og svar i ord').uncheck();
    expect(await shown()).toContain('kommune_navn');
    const named = await readWorkbook(await fetched(page, 'Excel, alle rækker'), 'Rækker');
    expect(named.columns.slice(5, 8)).toEqual(['raekke', 'status', 'fejl']);
    const geojson = (await fetched(page, 'GeoJSON til kort')).toString();
    const { features } = JSON.parse(geojson) as { features: object[] };
    // One row of them is an error.
    expect(features).toHaveLength(59);
    expect(columns.slice(0, 8).join(';')).toBe(
      `sag;øst;nord;${HOSTILE_NAME};Række i filen;Række;Status;Hvorfor ikke`,
    );
    expect(decodeRows(chunks[0]?.input ?? Buffer.alloc(0))[0]?.slice(0, 7)).toEqual([
      'Æ-1',
      644_877.5,
      6_314_760.25,
      HOSTILE_CELL,
      2,
      1,
      'besvaret',
    ]);
    const csv = (await fetched(page, 'Dansk CSV')).toString();
    expect(csv.split('\r\n')[1]).toContain('Æ-1;644877,5;6314760,25;');
    await page.getByRole('button', { name: 'English' }).click();
    expect(await page.locator('#panel-counts').innerText()).toContain('59 answered');
    await expectGood(page);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('link', { name: 'sager <b>.csv' }).click();
    await page.locator('.plot').waitFor();
    await page.goBack();
    await page.locator('#panel').waitFor({ state: 'detached' });
    await page.goForward();
    await page.locator('.plot').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('#confirm-yes').click();
    await page.getByText('No jobs yet.').waitFor();
  });

  byNight('goes on after a cut line, and sends the rest of a file that was cut off', async () => {
    const page = await openPage();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.route('**/v1/jobs', (route) => route.abort());
    await page.route('**/rows', (route) => route.abort());
    await page.locator('#file').setInputFiles(csvFile);
    await page.getByRole('button', { name: 'Send 60 rækker' }).click();
    await page.getByText('Linjen er afbrudt. Filen sendes videre').waitFor();
    expect(await page.locator('#panel-title').innerText()).toBe(csvFile.name);
    await page.unroute('**/v1/jobs');
    await page.locator('#panel-status').waitFor();
    await page.getByText('Linjen er afbrudt. Filen sendes videre').waitFor();
    await page.reload();
    await page.getByText('Filen er ikke sendt færdig.').waitFor();
    await expectGood(page);
    await page.unroute('**/rows');
    await page.route('**/events', (route) => route.abort());
    await page.getByLabel('Den samme fil').setInputFiles(csvFile);
    await page.getByText('Linjen er afbrudt. Jobbet kører videre').waitFor();
    await page.unroute('**/events');
    await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
    expect(await page.locator('#panel-counts').innerText()).toContain('60 af 60 rækker');
    expect(await page.getByText('Linjen er afbrudt').isVisible()).toBe(false);
    expect(complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });

  byNight(
    'shows how fast a job goes, pauses it and goes on, with a key that is billed',
    async () => {
      const rows = Array.from({ length: 45_000 }, (_, n) => `${n};${644_877 + (n % 97)},5;6314760`);
      const large = Buffer.from(`sag;x;y\n${rows.join('\n')}\n`);
      const page = await openPage();
      await page.locator('#file').setInputFiles({ name: 'mange.csv', mimeType: '', buffer: large });
      await page.locator('#kind').selectOption('dagi');
      await page.getByRole('radio', { name: /^Live/ }).check();
      await answered(page);
      await page.getByRole('button', { name: 'Send 45.000 rækker' }).click();
      await page.getByText(/rækker i sekundet, omkring .* tilbage/).waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.locator('#panel-status', { hasText: 'Sat på pause' }).waitFor();
      await expectGood(page);
      await page.getByRole('button', { name: 'Fortsæt' }).click();
      await page.locator('#panel-status', { hasText: 'Færdigt' }).waitFor();
      expect(await page.locator('#panel-about').innerText()).toContain('45.000 enheder');
      // As many as the first half megabyte has.
      await expect.poll(() => page.locator('.plot .dot').count()).toBeGreaterThan(1_000);
      await picture(page, 'laptop-many');
      expect(new URL(page.url()).hash).toContain('miljoe=live');
    },
  );

  byNight('sends one away whose session has ended', async () => {
    const account = await accounts.account('pro');
    const page = await openPage({}, account);
    await service.store?.pool.query('update session set revoked_at = now() where account_id = $1', [
      account,
    ]);
    await page.getByRole('button', { name: 'Live' }).click();
    await page.locator('#out-error', { hasText: 'Sessionen er udløbet' }).waitFor();
    expect(await page.locator('#board').isVisible()).toBe(false);
    expect(await page.locator('#to-account').isVisible()).toBe(true);
    expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
  });

  byNight('says why a job waits, and what the service refuses', async () => {
    const account = await accounts.account('pro');
    const { key } = await accounts.key(account, { environment: 'test' });
    const { firstDay } = monthOf(systemClock.nowMs());
    // The month's test units are used to the last.
    const used = [key.accountId, firstDay];
    await service.store?.pool.query(
      `insert into usage_month (account_id, month, environment, used)
       values ($1, $2::date, 'test', 5000)`,
      used,
    );
    await service.store?.pool.query(
      `insert into usage_day (account_id, key_id, day, operation, environment, units, requests)
       values ($1, '${key.id}', $2::date, 'dagiReverse', 'test', 5000, 5000)`,
      used,
    );
    const page = await openPage({}, account);
    const bad = Buffer.from('x;y\r\n1;2;3\r\n');
    await page.locator('#file').setInputFiles({ name: 'a.csv', mimeType: '', buffer: bad });
    await page.getByText('Række 1 har flere celler').waitFor();
    await page.locator('#file').setInputFiles(csvFile);
    await page.getByText('færre enheder tilbage end rækker').waitFor();
    await page.locator('#role-x').selectOption('');
    await page.getByText('Vælg, hvilke kolonner der er').waitFor();
    // Columns that nothing was found for are folded away.
    expect(await page.locator('#role-y, #role-wkt').locator('visible=true').count()).toBe(1);
    await page.getByText('Andre kolonner').click();
    expect(await page.locator('#role-y, #role-wkt').locator('visible=true').count()).toBe(2);
    await page.locator('#role-x').selectOption('øst');
    await page.getByRole('button', { name: 'Send 60 rækker' }).click();
    await page.locator('#panel-status', { hasText: 'Sat på pause' }).waitFor();
    await page.locator('#panel-why', { hasText: 'enheder er brugt' }).waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Annuller jobbet' }).click();
    await page.locator('#confirm-yes').click();
    await page.locator('#panel-status', { hasText: 'Annulleret' }).waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes('429'))).toEqual([]);
  });

  byNight('from the front page to a filled file by keyboard alone', async () => {
    const page = await newPage();
    const { token } = await accounts.sessions.newLink(await accounts.account('pro'));
    await page.goto(`${service.base}/`);
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
    expect((await focusOf(page)).id).toBe('link-text');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.keyboard.type(`${service.base}/log-ind#${token}`);
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
    const found = await readWorkbook(readFileSync(await download.path()), 'Rækker');
    const [first, second] = decodeRows(found.chunks[0]?.input ?? Buffer.alloc(0));
    expect(first?.[found.columns.indexOf('Hvor sikker')]).toBe('A: sikker');
    expect(second?.[found.columns.indexOf('Hvorfor ikke')]).toBe(
      'Rækken har ingen adresse: feltet er tomt.',
    );
    await page.getByText(/er hentet\.$/).waitFor();
    expect((await focusOf(page)).name).toBe('Excel, alle rækker');
    await expectGood(page);
  });
});
