/**
 * Every parameter of DAWA's specification, alone and beside a text, is served or refused (D151a): a value
 * that no row has gives no row, or 400 with its name. The specification lies beside the project.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { NamedPlace } from '../../src/registers/places/places.ts';
import { X, Y, idOf } from './address-edge.ts';
import { doorParts, routesOf } from './dawa-edge.ts';
import { sharedApp } from './edge.ts';

const FACTS = resolve(import.meta.dirname, '../../../shared/upstream/dawa-parameters.tsv');
const isHere = existsSync(FACTS);
const reason = isHere ? '' : ' (skipped: ../shared/upstream/dawa-parameters.tsv is missing)';

interface Parameter {
  readonly path: string;
  readonly kind: string;
  readonly name: string;
  readonly type: string;
}

function readFacts(): readonly Parameter[] {
  const lines = readFileSync(FACTS, 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [path = '', kind = '', name = '', type = ''] = line.split('\t');
    return { path, kind, name, type };
  });
}

/** How an answer is written, and how much of it: no filter. */
const FORM = [
  ...['landpostnumre', 'stormodtagere'],
  ...['q', 'autocomplete', 'srid', 'format', 'callback', 'noformat', 'ndjson', 'struktur'],
  ...['side', 'per_side', 'fuzzy', 'stednavnafstand', 'stedafstand'],
];
const FAR = [X + 50_000, Y + 50_000] as const;
const RING = [FAR, [FAR[0] + 9, FAR[1]], [FAR[0], FAR[1] + 9], FAR];
/** Values that no row has. */
const VALUES: Readonly<Record<string, string>> = {
  ...{ integer: '8888', boolean: 'true', float: String(FAR[0]), husnr: '99Z', zone: 'Byzone' },
  ...{ json: JSON.stringify([RING]), string: 'findesikke' },
};
const OWN: Readonly<Record<string, string>> = {
  ...{ husnrtil: '0', cirkel: `${FAR.join()},5`, polygon: JSON.stringify([RING]) },
  ...{ matrikelnr: '99z', x: `${FAR[0]}&y=${FAR[1]}`, y: `${FAR[1]}&x=${FAR[0]}`, status: '4' },
  // It holds for the one that is there.
  ...{ udenforkommuneinddeling: 'true' },
};
/** Of each resource: a question that has a row, the same with a text, and other ways to the row. */
const ROWS: Readonly<
  Record<string, readonly [alone: string, text: string, ...others: readonly string[]]>
> = {
  adgangsadresser: ['vejnavn=Ågade', 'q=Ågade 1', `id=${idOf(1)}`, `cirkel=${X},${Y},9`],
  adresser: ['vejnavn=Ågade', 'q=Ågade 1', `id=${idOf(1001)}`, `adgangsadresseid=${idOf(1)}`],
  jordstykker: [
    ...(['bfenummer=9100001', 'q=12a', 'ejerlavkode=12851', 'kommunekode=0999'] as const),
    ...[`x=${X + 9}&y=${Y + 9}`, 'ejerlavkode=12851&matrikelnr=12a'],
  ],
  ejerlav: ['', 'q=prø'],
  ...{ supplerendebynavne: ['', 'q=næ'], supplerendebynavne2: ['', 'q=næ'] },
  ...{ vejnavne: ['', 'q=å'], vejstykker: ['', 'q=å'], navngivneveje: ['', 'q=å'] },
  ...{ postnumre: ['', 'q=prø'], stednavne2: ['', 'q=prø'], stednavne: ['', 'q=prø'] },
  ...{ vejnavnpostnummerrelationer: ['', 'q=å'], landsdele: ['', 'q=fyn'] },
  ...{ storkredse: ['', 'q=fyn'], valglandsdele: ['', 'q=hoved'] },
};
const AREA: readonly [string, string] = ['', 'q=prø'];

const PLACE: NamedPlace = {
  ...{ id: idOf(50), mainType: 'Bebyggelse', subtype: 'by', inhabitants: null },
  spellings: [{ name: 'Prøveby', status: 'officielt', priority: 'primær' }],
  ...{ position: { xUtm32: X, yUtm32: Y }, boundsM: [X, Y, X, Y] },
  municipalities: [{ code: '0999', name: 'Prøveholm' }],
};

const parts = doorParts({}, [PLACE]);
const app = await sharedApp({ dawa: parts });
const paths: ReadonlySet<string> = new Set(routesOf(parts));

const ask = async (path: string, query: string) => {
  const answer = await app.inject(`/dawa${path}?srid=25832&${query}`);
  return { status: answer.statusCode, body: answer.body };
};

const countOf = (body: string): number => (JSON.parse(body) as readonly unknown[]).length;

/** Of lists: those that narrow them. */
function filtersOfLists(): readonly Parameter[] {
  return readFacts().filter(
    ({ path, name }) =>
      paths.has(path) && !FORM.includes(name) && !/:|reverse|datavask|^\/autocomplete/.test(path),
  );
}

const without = (question: string, name: string): readonly string[] =>
  question.split('&').filter((each) => each.split('=')[0] !== name);

test.skipIf(!isHere)(`all that are no form are served or refused${reason}`, async () => {
  const lists = filtersOfLists();
  expect(lists.length).toBeGreaterThan(300);
  const ignored: string[] = [];
  for (const { path, name, type } of lists) {
    const [alone, text, ...ways] = ROWS[path.split('/')[1] ?? ''] ?? AREA;
    for (const base of path.endsWith('autocomplete') ? [text] : [alone, text, ...ways]) {
      const given = `${name}=${OWN[name] ?? VALUES[type] ?? ''}`;
      const { status, body } = await ask(
        path,
        encodeURI([...without(base, name), given].join('&')),
      );
      const isServed = status === 200 && countOf(body) === 0;
      const isRefused = status === 400 && /not|missing|needs|once/.test(body);
      if (!isServed && !isRefused) ignored.push(`${path}?${base}&${given} ${status}`);
    }
  }
  expect(ignored).toEqual([]);
});

test.skipIf(!isHere)('without a value ask for rows without one, or are refused', async () => {
  const lists = filtersOfLists().filter(({ path }) => !path.endsWith('/autocomplete'));
  expect(lists.length).toBeGreaterThan(150);
  const ignored: string[] = [];
  for (const { path, name } of lists) {
    const [alone] = ROWS[path.split('/')[1] ?? ''] ?? AREA;
    for (const given of ['', '|']) {
      const asked = ['struktur=flad', ...without(alone, name), `${name}=${given}`];
      const { status, body } = await ask(path, encodeURI(asked.join('&')));
      const rows = status === 200 ? (JSON.parse(body) as readonly Record<string, unknown>[]) : [];
      const hasNone = rows.every((row) => (row[name] ?? null) === null);
      if (![200, 400].includes(status) || !hasNone) ignored.push(`${path}?${name}=${given}`);
    }
  }
  expect(ignored).toEqual([]);
  for (const name of ['id', 'adgangsadresseid', 'kommunekode', 'postnr', 'cirkel', 'polygon']) {
    const { status, body } = await ask('/autocomplete', `q=${encodeURIComponent('Å')}&${name}=`);
    expect([status, body.includes('"empty"')], name).toEqual([400, true]);
  }
});

test('a question with a row has one at each of its ways, and none beside another text', async () => {
  for (const [resource, [alone, , ...ways]] of Object.entries(ROWS)) {
    if (ways.length === 0) continue;
    for (const way of [alone, ...ways]) {
      const { status, body } = await ask(`/${resource}`, encodeURI(way));
      expect([status, countOf(body) > 0], way).toEqual([200, true]);
      const beside = await ask(`/${resource}`, encodeURI(`${way}&q=findesikke`));
      const isNone = beside.status === 400 || countOf(beside.body) === 0;
      expect(isNone, `${way} ${beside.body.slice(0, 80)}`).toBe(true);
    }
  }
});

test('places are asked by an id, a text or one place, not by several at once', async () => {
  const id = `${idOf(50)}&q=findesikke`;
  const drawn = `cirkel=${X},${Y},9&x=${FAR[0]}&y=${FAR[1]}`;
  for (const path of ['/stednavne2', '/stednavne', '/steder', '/bebyggelser']) {
    for (const query of [`${path === '/stednavne2' ? 'sted_id' : 'id'}=${id}`, drawn]) {
      expect((await ask(path, query)).status, `${path}?${query}`).toBe(400);
    }
  }
});

test('a list finds the rows of each value, also beside one that no row has', async () => {
  for (const types of ['Bebyggelse', 'findesikke|Bebyggelse', 'Bebyggelse|findesikke']) {
    for (const path of ['/stednavne2', '/stednavne']) {
      const { status, body } = await ask(path, `q=pr%C3%B8&hovedtype=${types.replace('|', '%7C')}`);
      expect([status, countOf(body)], types).toEqual([200, 1]);
    }
  }
});
