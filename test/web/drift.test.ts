/** The operator's page in a real Chromium, over the whole service with layers in trouble. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revertLayer } from '../../sync/revert.ts';
import { isRegisterId } from '../../src/layers/keys.ts';
import { MIRROR_IDS } from '../../src/layers/mirror-ids.ts';
import { LAPTOP, LOOKS, PHONE, changeAnswers, describePages, expectGood } from './browser.ts';
import type { PageOptions } from './browser.ts';
import { TROUBLE, openDriftBench } from './drift-bench.ts';
import type { DriftBench } from './drift-bench.ts';
import { TOKEN } from '../edge/operator.ts';
import {
  BUTTON_NAMES,
  FAINT_TEXTS,
  FOCUSED_NAME,
  LAYER_ORDER,
  OVERFLOWING,
  OVERPRINTED,
  SAID,
} from './in-page.ts';
import { HANG_MS, isHeavy } from '../support/run-settings.ts';

/** Names of the sample's own, which stand in English as they are. */
const NAMES = /Opdigtet Operatør|Prøveholm(?: \(opdigtet\))?|Ny Prøvegade 12A, 0093 Midtprøve/g;

/** Rows of figures that end before their card does. */
const UNFILLED = `(() => {
  const card = document.querySelector('.tiles').getBoundingClientRect();
  const rows = Map.groupBy(document.querySelectorAll('.tiles > div'), (tile) => tile.offsetTop);
  return [...rows.values()]
    .map((tiles) => Math.max(...tiles.map((tile) => tile.getBoundingClientRect().right)))
    .filter((right) => card.right - right > 30);
})()`;

/** A long way through a page, whose parts other tests go by day. */
const byNight = test.skipIf(!isHeavy);

describePages('the operations page', 'drift', ({ complaints, openAt, picture }) => {
  let drift: DriftBench;

  beforeAll(async () => {
    drift = await openDriftBench();
  });
  afterAll(() => drift.close());

  const open = (options: PageOptions = {}) => openAt(`${drift.base}/drift`, options);

  async function signIn(page: Page, who = ''): Promise<void> {
    await page.getByLabel('Driftsnøgle').fill(TOKEN);
    await page.getByLabel('Dit navn').fill(who);
    await page.getByRole('button', { name: 'Log ind' }).click();
    await page.locator('#board').waitFor();
  }

  const layer = (page: Page, id: string) => page.locator(`#lag-${id}`);

  test('asks for the token, refuses a wrong one, and keeps the right one out of every address', async () => {
    const page = await open();
    await picture(page, 'laptop-sign-in');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByLabel('Driftsnøgle').fill('forkert-noegle-forkert');
    await page.getByRole('button', { name: 'Log ind' }).click();
    expect(await page.getByRole('alert').first().textContent()).toContain('forkert');
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
    await signIn(page);
    expect(page.url()).toBe(`${drift.base}/drift`);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.join()).not.toMatch(/noegle|token=/);
    // A new look at the same tab is still signed in; signing out forgets it.
    await page.clock.install();
    await page.reload();
    await page.locator('#board').waitFor();
    const looked = page.waitForResponse('**/v1/drift/varsler');
    await page.getByRole('button', { name: 'Sæt på pause' }).click();
    await looked;
    asked.length = 0;
    await page.clock.runFor(60_000);
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Log ud' }).click();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.getByLabel('Driftsnøgle').isVisible()).toBe(true);
    expect(await page.locator('.layers li').count()).toBe(0);
    // A session that ends by itself leaves as little.
    await signIn(page);
    await page.locator('.layers li').first().waitFor();
    const json = { type: 'unauthorized', code: 'session_ended' };
    await page.route('**/v1/drift/**', (route) => route.fulfill({ status: 401, json }));
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('You are not signed in.').waitFor();
    expect(await page.locator('.layers li').count()).toBe(0);
    // The board may still have asked as it was left.
    for (const said of complaints.splice(0)) expect(said).toContain('401');
  });

  test.each(LOOKS)('shows at a glance what is wrong: %s', async (name, viewport, colorScheme) => {
    const page = await open({ viewport, colorScheme });
    await signIn(page);
    await picture(page, name);
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    expect(await page.locator('.layers > li').count()).toBe(MIRROR_IDS.length);
    expect(await page.locator('.headline').innerText()).toContain(
      `${4 + MIRROR_IDS.filter(isRegisterId).length} af ${MIRROR_IDS.length} lag kræver opmærksomhed`,
    );
    const said = async (id: string) => (await layer(page, id).innerText()).replaceAll(/\s+/g, ' ');
    const refused = await said(TROUBLE.refused);
    expect(refused).toContain('Fejlet');
    expect(refused).toMatch(/Afvist .*Den nuværende kopi svarer stadig/);
    expect(refused).toMatch(/Laget kom med \d+ rækker; det skal have mindst 60\./);
    expect(refused).toMatch(/Af 86 rækker ville 58 forsvinde \(67,4\s%\); højst 20\s% må\./);
    expect(await said(TROUBLE.failed)).toMatch(
      /Fejlede .* \(henter\)\. (?:Registret|Der|Kørslen) [^.]*\. Til den, der skal rette det/,
    );
    expect(await said(TROUBLE.stale)).toMatch(/Forsinket .*3 døgn 5 t, 1 døgn 5 t over/);
    expect(await said(TROUBLE.missing)).toMatch(/Mangler .*aldrig hentet/);
    expect(await said(TROUBLE.running)).toMatch(/kører: henter/);
    expect(await said('soe')).toMatch(/Frisk .* af 2 døgn/);
    // What is wrong comes first, and is in view without scrolling.
    const order = await page.evaluate<string[]>(LAYER_ORDER);
    // No key to the registers' files is configured here: they are missing like `aa`.
    const ordered = order.filter((id) => !isRegisterId(id.replace('lag-', '')));
    expect(ordered.slice(0, 4)).toEqual(['lag-skov', 'lag-kirke', 'lag-vandloeb', 'lag-aa']);
    const top = await layer(page, TROUBLE.refused).boundingBox();
    expect(top?.y).toBeLessThan(viewport.height - 100);
    const days = page.locator('.past-days');
    await days.locator('figure').first().waitFor();
    const text = (await days.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /Selvkontrol [\d.]+ svar sammenlignet med lageret, 2 afveg, 1 alarm; \d dage/,
    );
    expect(text).toMatch(
      /Job \d+ færdige, 7 fejlede, \d annullerede; [\d.]+ rækker besvaret, 1\d\d med fejl/,
    );
    expect(await days.locator('.unknown').count()).toBeGreaterThanOrEqual(5);
    await picture(days, `${name}-days`);
    await days.getByText('Tallene dag for dag').click();
    expect(await days.locator('tbody tr').count()).toBe(30);
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
  });

  test('tells its charts, bars, buttons and runs to those who do not see them', async () => {
    const page = await open();
    await signIn(page);
    const chart = layer(page, TROUBLE.refused).getByRole('img');
    expect(await chart.getAttribute('aria-label')).toMatch(
      /^Seneste 6 kørsler: 3 udgivet, 2 uændret og 1 afvist\. Sidst .*: afvist, .* s, 28 rækker\.$/,
    );
    const names = await page.evaluate<string[]>(BUTTON_NAMES);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('Frigiv: Skovbyggelinje');
    // Everything is reached by the keyboard, and an action that cannot be taken says why.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(FOCUSED_NAME)).toBe('Synk nu: Skovbyggelinje');
    await page.reload();
    await page.locator('#board').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(FOCUSED_NAME)).toBe('Spring til lagene');
    const sync = layer(page, TROUBLE.running).getByRole('button', { name: 'Synk nu' });
    expect(await sync.getAttribute('aria-disabled')).toBe('true');
    expect(await sync.getAttribute('title')).toBe('Laget kører allerede.');
    await layer(page, TROUBLE.refused).getByRole('button', { name: 'Detaljer' }).click();
    const rows = layer(page, TROUBLE.refused).locator('.run-list tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(6);
    expect(await rows.first().innerText()).toMatch(/afvist[\s\S]*28[\s\S]*efter plan/);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
  });

  /** Words that every Danish sentence of the page has one of. */
  const DANISH =
    /[æøå]|(?<!\p{L})(af|og|ikke|lag|til|fra|siden|frist|alder|synk|kørsler|fortryd|svar|nu|er)(?!\p{L})/iu;

  test('says everything in English too, and numbers and times as English does', async () => {
    const page = await open({ viewport: PHONE });
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByLabel('Operator key').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.past-days figure').first().waitFor();
    const soe = layer(page, 'soe');
    await soe.getByRole('button', { name: 'Details' }).click();
    await soe.locator('.age-chart').waitFor();
    await soe.locator('.run-list tbody tr').first().waitFor();
    await page.getByText('The numbers day by day').click();
    expect(await page.title()).toBe('Operations · Geoopslag');
    expect(await soe.locator('.age-chart svg[role=img]').getAttribute('aria-label')).toMatch(
      /^Age over 30 days: 4 days at most, now .*; known for 30 days, 2 days over the limit\. Limit 2 days, answers for 30 days at most\. Runs: 1 refused, 3 failed and 1 released\.$/,
    );
    expect(await layer(page, TROUBLE.refused).innerText()).toMatch(/removed 58, last good rows 86/);
    const told = await page.evaluate<string[]>(SAID);
    const said = told.map((text) => text.replace(NAMES, ''));
    expect(said.length).toBeGreaterThan(100);
    expect(said.filter((text) => DANISH.test(text))).toEqual([]);
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    await picture(page, 'phone-english');
    // Kept for the next visit, and taken back without asking anybody.
    await page.reload();
    await page.getByText('The last 30 days').waitFor();
    await page.getByRole('button', { name: 'Dansk', exact: true }).click();
    await page.getByText('De sidste 30 dage').waitFor();
    expect(await page.locator('#updated').innerText()).toMatch(/^Opdateret kl\. /);
  });

  test.each(LOOKS)(
    'shows a month of a layer, and two of its versions on a map: %s',
    async (name, viewport, colorScheme) => {
      const page = await open({ viewport, colorScheme });
      await signIn(page);
      const soe = layer(page, 'soe');
      await soe.getByRole('button', { name: 'Detaljer' }).click();
      const chart = soe.locator('.age-chart svg[role=img]');
      await chart.waitFor();
      // Four days without a proof, the last two of them late, and a little for the runs' own length.
      expect(await chart.getAttribute('aria-label')).toMatch(
        /^Alder over 30 døgn: højst 4 døgn, nu [^;]*; kendt i 30 døgn, 2 døgn over fristen\. Frist 2 døgn, svarer højst 30 døgn\. Kørsler: 1 afvist, 3 fejlet og 1 frigivet\.$/,
      );
      expect(await chart.locator('.mark title').allTextContents()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/: afvist af tab af rækker, /),
          expect.stringMatching(/frigivet: tab af rækker og prøvepunkter, af Opdigtet Operatør/),
        ]),
      );
      const versions = soe.locator('.versions tbody tr');
      expect(await versions.count()).toBe(3);
      expect(await versions.first().innerText()).toMatch(/^3\s.*km²|^3\s.*m²/);
      await soe.getByLabel('Fra').selectOption('1');
      await soe.getByRole('button', { name: 'Vis forskel' }).click();
      await expect
        .poll(() => soe.getByRole('status').textContent(), { timeout: HANG_MS })
        .toBe('Fra version 1 til 3: 4 fjernede og 1 flyttede.');
      await soe.locator('.difference-map canvas').waitFor();
      expect(await soe.locator('.changed li').count()).toBe(5);
      await soe.locator('.changed .flyttede button').click();
      // The map draws in a frame of its own.
      await page.waitForTimeout(300);
      await picture(soe.locator('.difference'), `${name}-difference`);
      await picture(soe, `${name}-past`);
      await expectGood(page);
    },
  );

  interface Shown {
    readonly lag: string;
    navn: string;
    tilstand: string;
    koerer: object | null;
    readonly koersler: readonly { readonly tal: object }[];
  }
  interface Board {
    readonly lag: Shown[];
    readonly tidspunkt: string;
  }

  test('keeps the focus where a layer moves, and what it last knew where the service cannot be reached', async () => {
    const page = await open();
    await signIn(page);
    await layer(page, 'soe').getByRole('button', { name: 'Detaljer' }).focus();
    await page.route(/historik|koersler/, (route) => route.abort(), { times: 2 });
    await page.keyboard.press('Enter');
    await layer(page, 'soe').getByLabel('Fra').focus();
    await changeAnswers<Board>(page, '**/v1/drift/lag', (told) => {
      for (const each of told.lag) if (each.lag === 'soe') each.tilstand = 'fejlet';
    });
    await page.locator('#lag-soe.fejlet').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('from-soe');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/v1/drift/lag', (route) => route.abort());
    await page.getByText('Tjenesten svarer ikke.').waitFor();
    expect(await page.locator('#trouble').innerText()).toContain('senest kendte');
    const opacity = `getComputedStyle(document.querySelector('#board.old')).opacity`;
    expect(await page.evaluate(opacity)).toBe('1');
    expect(await page.locator('.layers > li').count()).toBe(MIRROR_IDS.length);
    await picture(page, 'laptop-unreachable');
    expect(complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
  });

  test('prints nothing over anything else at any width, and says what to do next', async () => {
    const page = await open();
    await changeAnswers<Board>(page, '**/v1/drift/lag', (board) => {
      for (const [at, each] of board.lag.entries()) {
        each.navn += at % 2 === 0 ? 'sbeskyttelsesområdeafgrænsning' : ', som gælder langs kysten';
        if (each.lag !== TROUBLE.running) continue;
        each.navn = 'Fortidsmindebeskyttelseslinjernesoverdrevetlangenavn og mere';
        // As it is while it runs, whether the run of the bench has ended by now or not.
        const tal = { ...each.koersler[0]?.tal, modtaget: 21_500, annonceret: 50_000 };
        const koersel = { ...each.koersler[0], fase: 'fetch', tilstand: 'koerer', tal };
        each.koerer = { koersel, livstegn: board.tidspunkt, tavs: false };
      }
      const thread = { forsinkelse_ms: 1234.5, forespoergsler: 12_345_678, stille_s: 12 };
      return {
        ...board,
        synk_leder: { hvem: `${'vaert'.repeat(9)}/1/a`, siden: board.tidspunkt, leder: true },
        job: { aabne: 1234, ventende_raekker: 1_234_567, stille_s: 900, her: null },
        webhooks: {
          ...{ modtagere: 4321, modtagere_med_fejl: 321, venter: 7654, aeldste_s: 86_400 },
          her: null,
        },
        traade: Array.from({ length: 8 }, (_, at) => ({ ...thread, nummer: at + 1 })),
      };
    });
    await signIn(page);
    const running = layer(page, TROUBLE.running);
    expect(await running.innerText()).toContain('kører: henter 43\u00a0%');
    expect(await running.locator('progress').getAttribute('value')).toBe('43');
    await layer(page, 'soe').getByRole('button', { name: 'Detaljer' }).click();
    await layer(page, 'soe').locator('.run-list tbody tr').first().waitFor();
    await layer(page, 'soe').locator('.compare').waitFor();
    for (const title of ['Seneste nat', /forhold, som er friske/, 'Alt, hvad operatører har gjort'])
      await page.getByText(title).click();
    for (const width of [320, 360, 390, 480, 640, 641, 820, 1140, 1141, 1280, 1600, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(OVERPRINTED), `${width}`).toEqual([]);
      expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    }
    await picture(page, 'wide-crowded');
    const next = await page.locator('.next').innerText();
    expect(next).toMatch(/^Næste skridt: Læs, hvorfor .+ er afvist, og frigiv kørslen/);
    const night = (await page.locator('.night li').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
    expect(night.length).toBeGreaterThan(3);
    expect(night.some((text) => /\d s, (?:udgivet|uændret|afvist|fejlet)/.test(text))).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('says once in the head that lookups fell back, and never that nothing is to be done', async () => {
    const page = await open({ viewport: LAPTOP });
    await changeAnswers<Board>(page, '**/v1/drift/lag', (board) => {
      const tidspunkt = new Date(Date.parse(board.tidspunkt) - 9 * 60_000).toISOString();
      for (const [at, each] of board.lag.entries()) {
        const fra = at < 16 ? 'utilgaengelig' : 'register';
        const seneste_noedsvar = at < 20 ? { fra, tidspunkt } : null;
        const calm = { tilstand: 'frisk', holdt: null, afvisning: null, fejl: null };
        Object.assign(each, calm, { seneste_noedsvar });
      }
      return { ...board, synk_leder: { hvem: 'vm/1/a', siden: board.tidspunkt, leder: true } };
    });
    await signIn(page);
    const head = await page.locator('.headline').innerText();
    expect(head).toMatch(/^Alle \d+ lag er friske, men 20 gav nødsvar/);
    expect(head).toMatch(/Nødsvar: .+ og 13 andre kunne ikke svare for 9 min siden\./);
    expect(head).toMatch(/Næste skridt: Læs i loggen/);
    expect(await page.locator('main').innerText()).not.toContain('Intet at gøre');
    expect(await page.getByText('kunne ikke svare').count()).toBe(1);
    await picture(page, 'fell-back');
    // A name of a machine is no figure, and the figures leave no part of their card empty.
    expect(await page.locator('.tiles').innerText()).toMatch(/Synkronisering\s+ledes af vm/);
    expect(await page.evaluate(UNFILLED)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  interface Run {
    readonly id: string;
    readonly state: string;
    readonly lifted_guards: readonly string[];
  }

  async function lastRun(): Promise<Run> {
    const { rows } = await drift.bench.store.pool.query<Run>(
      `select id::text, state, trigger, asked_by, lifted_guards from sync_run
       where layer = $1 order by sync_run.id desc limit 1`,
      [TROUBLE.refused],
    );
    return rows[0]!;
  }

  async function hasEndedAfter(id: string): Promise<boolean> {
    const run = await lastRun();
    return Number(run.id) > Number(id) && run.state !== 'running';
  }

  test('releases a refusal after asking, sees the layer turn fresh, and remembers who', async () => {
    drift.bench.upstream.faults.clear();
    const page = await open({ viewport: PHONE });
    await signIn(page, 'Opdigtet Operatør');
    const refused = layer(page, TROUBLE.refused);
    const release = refused.getByRole('button', { name: 'Frigiv' });
    await release.click();
    await picture(page, 'phone-confirm');
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toMatch(/Frigiv Skovbyggelinje\?[\s\S]*»andel af ændringer«/);
    await dialog.getByRole('button', { name: 'Annuller' }).click();
    expect(await release.isVisible()).toBe(true);
    await release.click();
    await page.keyboard.press('Escape');
    expect(await release.isVisible()).toBe(true);
    // A later guard may refuse what an earlier one let pass: released until nothing refuses.
    for (let last = await lastRun(); last.state !== 'published'; last = await lastRun()) {
      expect(last.state).toBe('refused');
      await release.click();
      await dialog.getByRole('button', { name: 'Frigiv og synk' }).click();
      const { id } = last;
      await expect.poll(() => hasEndedAfter(id)).toBe(true);
      // The page looks again by itself within a few seconds.
      await page.waitForTimeout(3_000);
    }
    await page.locator(`#lag-${TROUBLE.refused}.frisk`).waitFor();
    expect(await refused.innerText()).toContain('28 rækker');
    expect(await page.locator('#actions').innerText()).toMatch(
      /Opdigtet Operatør frigav mindste antal rækker[a-zæøå, ]* for Skovbyggelinje/,
    );
    await page.getByText('Alt, hvad operatører har gjort').click();
    await page.getByLabel('Hvem', { exact: true }).fill('opdigtet operatør');
    await page.getByLabel('Konto, nøgle, lag').fill(TROUBLE.refused);
    await page.getByRole('button', { name: 'Vis', exact: true }).click();
    const trail = page.locator('#trail-acts tbody tr').first();
    await expect
      .poll(() => trail.innerText())
      .toMatch(/Opdigtet Operatør\s+frigav[\s\S]*guards: –/);
    expect(await page.evaluate(OVERFLOWING)).toEqual([]);
    await picture(page, 'phone-trail');
    await refused.getByRole('button', { name: 'Detaljer' }).click();
    const row = refused.locator('.run-list tbody tr').first();
    await row.waitFor();
    expect(await row.innerText()).toContain('frigivet af Opdigtet Operatør');
    await picture(page, 'phone-released');
    const run = await lastRun();
    expect(run).toMatchObject({
      state: 'published',
      trigger: 'operator',
      asked_by: 'Opdigtet Operatør',
    });
    expect(run.lifted_guards).toEqual(expect.arrayContaining(['min-rows', 'change-share']));
  });

  byNight(
    'takes a layer back to the version before, holds it there, and lets it go again',
    async () => {
      const page = await open();
      await signIn(page, 'Opdigtet Operatør');
      const soe = layer(page, 'soe');
      const before = Number(/(\d+) rækker/.exec(await soe.innerText())?.[1]);
      await soe.getByRole('button', { name: 'Fortryd' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Gå tilbage' }).click();
      await soe.getByText('Holdt tilbage.').waitFor();
      const after = await soe.innerText();
      expect(after).toContain(`${before + 2} rækker`);
      expect(after).toMatch(/Ført tilbage til en tidligere version .* af Opdigtet Operatør/);
      expect(after).toMatch(/^Holdt\n/);
      await picture(page, 'laptop-held');
      // What has no earlier version cannot be taken back, and says so.
      const fixed = layer(page, 'region').getByRole('button', { name: 'Fortryd' });
      expect(await fixed.getAttribute('title')).toBe('Der er ingen tidligere version.');
      await soe.getByRole('button', { name: 'Synk nu' }).click();
      await soe.getByText('Holdt tilbage.').waitFor({ state: 'detached', timeout: 2 * HANG_MS });
      expect(await soe.innerText()).toContain(`${before} rækker`);
    },
  );

  test('reverts no other version than the one that was confirmed', async () => {
    const page = await open();
    await signIn(page);
    await layer(page, 'soe').getByRole('button', { name: 'Fortryd' }).click();
    await revertLayer(drift.bench.deps, 'soe', { by: 'En anden' });
    await page.locator('#confirm-yes').click();
    await page.getByText('En anden version er udgivet imens').waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });
});
