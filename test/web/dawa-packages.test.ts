/** Unmodified packages that spoke DAWA, moved by the recipes of the page `/dawa`, from Node and a page of another site. */
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { examplesFor } from '../../src/web/dawa/examples.ts';
import { openAddressService } from '../support/address-service.ts';
import { findChromium, startBrowser } from './browser.ts';
import { portOf } from '../support/free-port.ts';
import { opened } from '../support/opened.ts';

const chromium = findChromium();
const load = createRequire(import.meta.url);
const { roadName, houseNumber, municipalityCode } = KNOWN_ADDRESS;

const service = await opened(openAddressService());
const port = await portOf(service.app);

function recipe(name: string): string {
  const found = examplesFor(`http://127.0.0.1:${port}/dawa`).find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no recipe ${name}.`);
  return found.code;
}

test('denmark-dawa reads one, a list and an error', async () => {
  // The service of a test has no TLS.
  const here = recipe('Node.js').replace(/^const https = .*$/m, 'const https = { get };');
  type Package = new (path: string, query?: object) => AsyncIterable<object>;
  const http = load('node:http') as { get: unknown };
  const { get } = http;
  const moved = new Script(`(require, get) => { ${here}; return Dawa; }`).runInThisContext() as (
    ...given: unknown[]
  ) => Package;
  const Dawa = moved(load, get);
  const read = async (path: string, query = {}): Promise<readonly object[]> => {
    const rows = [];
    for await (const row of new Dawa(path, query)) rows.push(row);
    return rows;
  };
  try {
    expect(await read('/vejnavne', { q: roadName, per_side: 1 })).toMatchObject([
      { navn: roadName },
    ]);
    expect(await read(`/kommuner/${municipalityCode}`)).toMatchObject([{ kode: municipalityCode }]);
    expect(
      (await read('/adgangsadresser', { kommunekode: municipalityCode })).length,
    ).toBeGreaterThan(100);
    await expect(read('/postnumre', { findes: 'ikke', nr: 'x' })).rejects.toThrow();
  } finally {
    http.get = get;
  }
});

test('dawa-util writes the URLs that are asked and the addresses that are answered', async () => {
  type Rows = readonly (object & Readonly<Record<'betegnelse' | 'adressebetegnelse', string>>)[];
  type Write = (row: object) => string;
  const util = load('dawa-util') as {
    readonly danUrl: (path: string, query: object) => string;
  } & Readonly<Record<'formatAdresse' | 'formatHelAdresse' | 'formatAdgangsadresse', Write>>;
  const ask = async (path: string, query: object): Promise<Rows> => {
    const asked = util.danUrl(`http://127.0.0.1:${port}/dawa${path}`, query);
    return (await (await fetch(asked)).json()) as Rows;
  };
  const house = { vejnavn: roadName, husnr: houseNumber };
  for (const [path, struktur, write, member] of [
    ['/adresser', 'mini', 'formatAdresse', 'betegnelse'],
    ['/adresser', 'nestet', 'formatHelAdresse', 'adressebetegnelse'],
    ['/adgangsadresser', 'mini', 'formatAdgangsadresse', 'betegnelse'],
    ['/adgangsadresser', 'nestet', 'formatAdgangsadresse', 'adressebetegnelse'],
  ] as const) {
    const rows = await ask(path, { ...house, struktur });
    expect(rows.length, path).toBeGreaterThan(0);
    expect(rows.map((row) => util[write](row))).toEqual(rows.map((row) => row[member]));
  }
});

describe.skipIf(chromium === null)('dawa-autocomplete2 on a page of another origin', () => {
  test('is typed in, chosen from, and begins with an address', async () => {
    const browser = await startBrowser(chromium ?? '');
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(`http://localhost:${port}/dawa`);
    await page.addScriptTag({ path: load.resolve('dawa-autocomplete2') });
    const begin = (code: string) =>
      page.evaluate(
        `document.body.innerHTML = '<div><input id="box"></div>'; var chosen = null;
         (() => { const input = document.getElementById('box'); ${code} })()`,
      );
    const code = recipe('dawa-autocomplete2');
    await begin(code.replace('console.log(chosen.data)', '{ window.chosen = chosen; }'));
    await page.locator('#box').pressSequentially(`${roadName} ${houseNumber}, 2. tv`);
    await page.locator('.dawa-autocomplete-suggestion').first().click();
    await page.waitForFunction('window.chosen !== null');
    const { data } = await page.evaluate<{ data: { id: string } }>('window.chosen');
    await begin(code.replace('params:', `id: '${data.id}', params:`));
    await page.waitForFunction("document.getElementById('box').value !== ''");
    expect(await page.locator('#box').inputValue()).toContain(roadName);
    await browser.close();
  });
});
