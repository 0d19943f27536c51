/** The documentation page in a real Chromium: it shows every operation, and asks the service. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryApp } from '../edge/edge.ts';
import type { PublishedDocument } from '../edge/edge.ts';
import { memoryOperator } from '../edge/operator.ts';
import { LAPTOP, PHONE, findChromium, keepPicture, startBrowser } from './browser.ts';
import { OVERFLOWING } from './in-page.ts';
import { isHeavy } from '../support/run-settings.ts';

const chromium = findChromium();
/** By day on a phone alone: what is narrow is what overflows. */
const SIZES = [['phone', PHONE] as const, ...(isHeavy ? [['laptop', LAPTOP] as const] : [])];
const PICTURES = join(import.meta.dirname, '../../.tmp/docs');

describe.skipIf(chromium === null)('the documentation page', () => {
  let app: FastifyInstance;
  let base: string;
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    app = await memoryApp({ operator: memoryOperator() }, { publicUrl: null });
    base = await app.listen({ host: '127.0.0.1', port: 0 });
    browser = await startBrowser(chromium ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  test.each(SIZES)('shows every operation and tries one: %s', async (name, viewport) => {
    const page = await browser.newPage({ viewport });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${base}/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.title()).toBe('Geoopslag');
    const { paths, webhooks = {} } = app.swagger() as unknown as PublishedDocument;
    const operations = Object.values({ ...paths, ...webhooks }).flatMap((methods) =>
      Object.keys(methods ?? {}),
    );
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    await keepPicture(page, join(PICTURES, `${name}.png`));
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    const block = page.locator('#operations-natur-byggelinjer');
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.locator('tr[data-param-name=lon] input').fill('11.38');
    await block.locator('tr[data-param-name=lat] input').fill('56.95');
    await block.getByRole('button', { name: 'Execute' }).click();
    const status = block.locator('.live-responses-table .response-col_status').last();
    await expect.poll(() => status.innerText()).toContain('200');
    await keepPicture(page, join(PICTURES, `${name}-tried.png`));
    expect(complaints).toEqual([]);
    await page.close();
  });
});
