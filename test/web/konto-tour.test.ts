/**
 * A new user's way through the account page, over the whole service as it is started for a trial (at
 * night): sign in by a link, make a key, use it, see the use and its bill, register a webhook on this
 * machine, ping it, read its log with the receiver gone, pause it and remove it.
 */
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnvironment } from '../support/compile-cache.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import type { Receiver } from '../webhooks/receiver.ts';
import { LAPTOP, axeFindings, findChromium, keepPicture, startBrowser } from './browser.ts';

const chromium = findChromium();
const ADMIN = join(import.meta.dirname, '../../src/cli/admin/cli.ts');
const PICTURES = join(import.meta.dirname, '../../.tmp/konto');
const EMAIL = 'ny@example.dk';
const NAME = '=cmd|calc <img src=x onerror=alert(1)>';

describe.skipIf(chromium === null || !isHeavy)('a new user of the account page', () => {
  let dir: string;
  let store: TestStore | null = null;
  let program: StartedProgram;
  let receiver: Receiver;
  let isReceiverGone = false;
  let browser: Browser;
  let base: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'geoopslag-tour-'));
    const authority = makeAuthority();
    const ca = join(dir, 'ca.pem');
    writeFileSync(ca, authority.ca);
    if (process.env['TEST_STORE'] === 'postgres') store = await openTestStore();
    environment = {
      DATA_DIR: join(dir, 'data'),
      ...(store?.databaseUrl && { DATABASE_URL: store.databaseUrl }),
      WEBHOOK_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    program = startProgram({ ...environment, WEBHOOK_LOOPBACK: 'on', NODE_EXTRA_CA_CERTS: ca });
    [receiver, browser, base] = await Promise.all([
      startReceiver(authority.issue('IP:127.0.0.1')),
      startBrowser(chromium ?? ''),
      program.base(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    if (!isReceiverGone) await receiver.close();
    await program.stop();
    await store?.close();
    rmSync(dir, { recursive: true, force: true });
  });

  async function admin(...argv: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, ...argv], {
      env: { ...bareEnvironment(), ...environment },
    });
    return stdout;
  }

  async function newKey(page: Page, name: string): Promise<string> {
    await page.getByRole('button', { name: 'Ny nøgle' }).click();
    await page.getByLabel('Navn', { exact: true }).fill(name);
    await page.locator('#mint input[value=live]').check();
    await page.getByRole('button', { name: 'Lav nøglen' }).click();
    await page.locator('#fresh').waitFor();
    const secret = await page.locator('#fresh-secret').innerText();
    await page.getByRole('button', { name: 'Jeg har gemt den' }).click();
    return secret;
  }

  /** Until the layers are mirrored the lookup is no answer, and costs nothing. */
  async function lookUp(key: string, requestId: string): Promise<void> {
    const ask = async () => {
      const { status } = await fetch(`${base}/v1/natur/byggelinjer?lon=11.4273191&lat=56.9460274`, {
        headers: { authorization: `Bearer ${key}`, 'x-request-id': requestId },
      });
      return status;
    };
    // No oftener than the plan allows.
    await expect.poll(ask, { interval: 1_000 }).toBe(200);
  }

  test('finds everything, and is told what went wrong', async () => {
    await admin('account', 'create', '--name', NAME, '--email', EMAIL, '--tier', 'free');
    const link = /http\S+#\S+/.exec(await admin('link', EMAIL))?.[0] ?? '';
    const page = await browser.newPage({ viewport: LAPTOP, locale: 'da-DK' });
    page.setDefaultTimeout(2 * HANG_MS);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(link);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
    expect(page.url()).toBe(`${base}/konto`);
    expect(await page.locator('#account-name').innerText()).toBe(NAME);

    // A webhook first, so that it is told of the key.
    await page.getByRole('button', { name: 'Ny webhook' }).click();
    await page.getByLabel('Adresse', { exact: true }).fill('https://10.0.0.1/');
    await page.getByRole('button', { name: 'Registrér' }).click();
    await page.getByText('Adressen må kun føre til offentlige adresser').waitFor();
    const url = `https://127.0.0.1:${receiver.port}/`;
    await page.getByLabel('Adresse', { exact: true }).fill(url);
    await page.getByRole('button', { name: 'Registrér' }).click();
    await page.locator('#fresh').waitFor();
    const secret = await page.locator('#fresh-secret').innerText();
    await page.getByRole('button', { name: 'Jeg har gemt den' }).click();
    const item = page.locator('#hooks > li');
    await item.getByRole('button', { name: 'Ping' }).click();
    await item.getByText('Ping modtaget: svarede 200.').waitFor();

    const key = await newKey(page, NAME);
    await expect.poll(() => receiver.received.length).toBe(2);
    for (const { headers, body } of receiver.received) {
      const hex = createHmac('sha256', secret).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
    }
    expect(JSON.parse(receiver.received[1]?.body ?? '')).toMatchObject({ data: { name: NAME } });

    await lookUp(key, '-A1-B2');
    await lookUp(key, 'andet');
    await expect
      .poll(async () => {
        await page.reload();
        await page.locator('#use table, #use .muted').first().waitFor();
        return (await page.locator('#use').innerText()).replaceAll(/\s+/g, ' ');
      })
      .toMatch(/Byggelinjer 2 100 % 2 I alt 2 100 % 2/);
    await page.locator('#use-group').selectOption('key');
    expect(await page.locator('#use tbody th').first().innerText()).toBe(NAME);
    await page.getByText('Vis linjer').click();
    await expect.poll(() => page.locator('#bill-table tbody tr').count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Hent alle linjer (CSV)' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(",'-A1-B2,");

    // The receiver is gone: the next event waits, and the log says why.
    await receiver.close();
    isReceiverGone = true;
    await newKey(page, 'Endnu en');
    await item.getByRole('button', { name: 'Leverancer' }).click();
    await expect
      .poll(async () => {
        await item.getByRole('button', { name: 'Opdatér' }).click();
        return await item.locator('table').innerText();
      })
      .toMatch(/key\.created\s+venter\s+1\s+forbindelsen blev afvist/);
    await keepPicture(page, join(PICTURES, 'tour.png'), { fullPage: true });
    expect(await axeFindings(page)).toEqual([]);

    await item.getByRole('button', { name: 'Sæt på pause' }).click();
    await item.getByText('På pause', { exact: true }).waitFor();
    await item.getByRole('button', { name: 'Fjern' }).click();
    await page.getByRole('button', { name: 'Fjern', exact: true }).click();
    await page.getByText('Kontoen har ingen webhooks.').waitFor();
    await page.getByRole('button', { name: 'Log ud' }).click();
    await page.getByText('Du er ikke logget ind').waitFor();
    expect(errors).toEqual([]);
  });
});
