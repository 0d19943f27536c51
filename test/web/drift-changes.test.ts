/** What is known ahead, on the operator's page in a real Chromium: seen, confirmed, taken back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Composed } from '../../src/start/service.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { writeAnnouncements } from '../../sync/dated/settle.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { openDatedService } from '../support/dated-service.ts';
import { TOKEN } from '../edge/operator.ts';
import { LAPTOP, PHONE, describePages } from './browser.ts';
import { OVERFLOWING, OVERPRINTED } from './in-page.ts';

/** An hour before where the clock of the bench stands. */
const LATE_MS = INSTANT_MS - (40 * 24 + 1) * 3600_000;
/** The clock stands 40 days before the instant: a day past 90 days. */
const FAR_MS = INSTANT_MS + 51 * 24 * 3600_000;

describePages('changes that are known ahead', 'drift', ({ openAt, picture }) => {
  let dated: DatedBench;
  let service: Composed;
  let base = '';

  beforeAll(async () => {
    dated = await openDatedBench();
    await dated.syncThemes();
    const { deps } = dated;
    for (const [theme, ms, code] of [
      ['politikreds', INSTANT_MS, '1491'],
      // Due since an hour, and no file carries it.
      ['retskreds', LATE_MS, '1191'],
      // So far off that it can wait.
      ['opstillingskreds', FAR_MS, '0001'],
    ] as const) {
      const announcements = [{ at: new Date(ms).toISOString(), ends: [code], begins: [null] }];
      await writeAnnouncements(deps.store, theme, { announcements, nowMs: deps.clock.nowMs() });
    }
    await preparePreviews(deps);
    await deps.store.pool.query(
      "update dated_change set preview = null where layer = 'kommune' and preview is not null",
    );
    const settings = { LOOKUPS: 'store' };
    service = await openDatedService({ deps, store: dated.bench.store, settings });
    base = await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await service.close();
    await dated.close();
  });

  async function open() {
    const page = await openAt(`${base}/drift`);
    await page.getByLabel('Driftsnøgle').fill(TOKEN);
    await page.getByLabel('Dit navn').fill('Ane');
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#changes').waitFor();
    return page;
  }

  test('say at a glance what will change, when, and whether it is prepared', async () => {
    const page = await open();
    for (const [layer, ...said] of [
      // Midnight as people in Denmark say it, not as UTC does.
      ['region', '1. januar 2099', 'om 40 dage', 'Region Prøvevest (opdigtet) (1091)'],
      ['region', 'Region Prøveøen (opdigtet) (1093) begynder', 'Mangler godkendelse'],
      ['politikreds', 'endnu ukendt kode begynder', 'Ventes i filen, mangler godkendelse'],
      ['retskreds', 'Overskredet', 'mærket som forsinket'],
      ['kommune', 'Beregnes'],
      ['sogn', 'Klar'],
    ] as const) {
      const text = await page.locator(`[data-change^="${layer}-"]`).innerText();
      for (const words of said) expect(text.replaceAll(/\s+/g, ' ')).toContain(words);
    }
    const unprepared = page.locator('[data-change^="kommune-"]');
    expect(await unprepared.getByRole('button', { name: 'Godkend' }).count()).toBe(0);
    for (const width of [320, PHONE.width, 641, 1141, LAPTOP.width]) {
      await page.setViewportSize({ ...LAPTOP, width });
      await picture(page, `changes-${width}`);
      expect(await page.evaluate(OVERFLOWING)).toEqual([]);
      expect(await page.evaluate(OVERPRINTED)).toEqual([]);
    }
  });

  test('stand folded under the layers where they are more than 90 days off; are confirmed with a remark, and taken back', async () => {
    const page = await open();
    const far = page.locator('[data-change^="opstillingskreds-"]');
    expect(await far.count()).toBe(1);
    expect(await far.isVisible()).toBe(false);
    expect(await page.locator('#changes [data-change]').count()).toBeGreaterThan(3);
    const folded = page.getByText('Varslede ændringer om mere end 90 dage (1)');
    const [layers, summary] = [
      await page.locator('#layers').boundingBox(),
      await folded.boundingBox(),
    ];
    expect(summary!.y).toBeGreaterThan(layers!.y + layers!.height);
    await folded.click();
    expect(await far.innerText()).toContain('om 91 dage');
    // What is looked at again stays open.
    for (let looks = 0; looks < 2; looks++) await page.waitForResponse('**/v1/drift/lag');
    expect(await far.isVisible()).toBe(true);
    const region = page.locator('[data-change="region-20981231T230000Z"]');
    await region.getByRole('button', { name: 'Godkend' }).click();
    await page.getByLabel('Bemærkning').fill('aftalt <b>i dag</b>');
    await picture(page, 'laptop-confirm-change');
    await page.locator('#confirm-yes').click();
    await region.getByText('Klar og godkendt').waitFor();
    expect(await region.innerText()).toContain('Godkendt af Ane: aftalt <b>i dag</b>');
    await picture(page, 'laptop-changes-confirmed');
    await region.getByRole('button', { name: 'Træk tilbage' }).click();
    await page.locator('#confirm-yes').click();
    await region.getByText('Mangler godkendelse').waitFor();
  });
});
