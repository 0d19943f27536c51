/**
 * Rows of a theme's file that cannot be read, where the file tells of a date to come: before the date, after it and
 * once the file is read again, of every area and place the answer is what the file's own rows say then, or none.
 */
import type { Theme } from '../../src/layers/keys.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { envelopeOf, linesOf, placeOf } from '../../sample/data/geometry.ts';
import type { Place } from '../../sample/data/geometry.ts';
import { fileRows } from '../../sample/files/rows.ts';
import type { FileRow } from '../../sample/files/rows.ts';
import { INSTANT_MS } from '../support/dated-bench.ts';
import type { DatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';
import { storeLookups } from '../support/lookups.ts';
import { covers } from '../support/sample-truth.ts';
import type { Ended, Finding } from './cases.ts';
import { DATED_BREAKS, DATED_WHICH } from './matrix-dated.ts';
import type { DatedBreak } from './matrix-dated.ts';

export interface DatedCase {
  readonly theme: Theme;
  readonly row: string;
  readonly which: keyof typeof DATED_WHICH;
  readonly number: number;
  readonly seed: number;
}

/** Those that come as files, which tell what is to come. */
const DATED_THEMES = THEMES.filter(
  (theme) => sampleCatalogue('http://localhost', { files: true }).areas[theme].files !== null,
);

export const DATED_CELLS: readonly Pick<DatedCase, 'theme' | 'row' | 'which'>[] =
  DATED_THEMES.flatMap((theme) =>
    Object.keys(DATED_BREAKS).flatMap((row) =>
      (Object.keys(DATED_WHICH) as DatedCase['which'][]).map((which) => ({ theme, row, which })),
    ),
  );

/** What a number of a seed stands for: each cell once, in an order of its own, then any. */
export function drawDatedCase(seed: number, number: number): DatedCase {
  const random = createRandom(`dated cells ${seed}`);
  const order = DATED_CELLS.map((cell) => ({ cell, at: random.next() })).sort(
    (a, b) => a.at - b.at,
  );
  const any = createRandom(`dated cell ${seed}/${number}`).pick(DATED_CELLS);
  return { ...(order[number - 1]?.cell ?? any), number, seed };
}

export function describeDatedCase({ theme, row, which, number, seed }: DatedCase): string {
  return `dated case ${number} of seed ${seed}: ${row} in ${which} of ${theme}`;
}

/** Runs the case. The bench has mirrored its themes and kept them; the next case puts it back. */
export async function runDatedCase(dated: DatedBench, given: DatedCase): Promise<Ended> {
  await dated.restore();
  const { theme } = given;
  const draw = createRandom(`dated ${given.seed}/${given.number}`);
  const all = fileRows(theme, dated.bench.upstream.holdings.features(theme));
  const broken = breakRows(all, given, draw);
  if (broken.size === 0) return { outcome: 'no such row', findings: [] };
  const ask = asking(dated, { theme, all, broken: [...broken.keys()] });
  spoil(dated, theme, { all, broken });
  const outcomes = [await sync(dated, theme, { trigger: 'command' })];
  const before = await ask(INSTANT_MS - DAY_MS);
  dated.setClock(INSTANT_MS);
  outcomes.push(await sync(dated, theme, { trigger: 'dated', dated: true }));
  const after = await ask(INSTANT_MS);
  outcomes.push(await sync(dated, theme, { trigger: 'command' }));
  const again = await ask(INSTANT_MS);
  dated.bench.upstream.shelf.spoil();
  return { outcome: outcomes.join(', then '), findings: [...before, ...after, ...again] };
}

const DAY_MS = 24 * 3600 * 1000;

/** Rows that nothing tells the place of are released in a run of their own. */
async function sync(dated: DatedBench, theme: Theme, how: Partial<SyncOptions>): Promise<string> {
  const but = LIFTABLE_GUARDS.filter((guard) => guard !== 'unplaced');
  const first = told(await dated.sync(theme, { ...how, liftedGuards: but }));
  if (first !== 'refused: unplaced') return first;
  return told(await dated.sync(theme, { ...how, liftedGuards: LIFTABLE_GUARDS }));
}

function breakRows(
  all: readonly FileRow[],
  { row, which }: DatedCase,
  draw: Random,
): ReadonlyMap<FileRow, FileRow> {
  const spoiled = DATED_BREAKS[row] as DatedBreak;
  const candidates = all.filter(
    (each) => isCurrent(each) && DATED_WHICH[which].fits(each) && each.geometry !== null,
  );
  const most = Math.min(candidates.length, draw.pick([1, 1, 2, Math.ceil(0.02 * all.length)]));
  const picked = new Map<FileRow, FileRow>();
  while (picked.size < most) {
    const each = draw.pick(candidates);
    picked.set(each, spoiled.change(each, draw));
  }
  return picked;
}

const isCurrent = ({ columns }: FileRow) => columns['registreringTil'] === null;

function spoil(
  { bench: { upstream } }: DatedBench,
  theme: Theme,
  {
    all,
    broken,
  }: { readonly all: readonly FileRow[]; readonly broken: ReadonlyMap<FileRow, FileRow> },
): void {
  upstream.holdings.edit(theme, (features) => [...features]);
  const ids = new Set(all.map(idOf));
  upstream.shelf.spoil({
    rows: (rows) =>
      rows[0] !== undefined && ids.has(idOf(rows[0]))
        ? all.map((each) => broken.get(each) ?? each)
        : rows,
  });
}

const idOf = ({ columns }: FileRow) => String(columns['id_lokalId']);

/** Areas that are asked beside those that are broken, and how far around those, metres. */
const OTHERS = 3;
const AROUND_M = [1, 40];

interface Asked {
  readonly theme: Theme;
  readonly all: readonly FileRow[];
  readonly broken: readonly FileRow[];
}

/** Asks by code and by point, and holds the answers against the rows of the time. */
function asking(
  { bench: { store }, deps }: DatedBench,
  { theme, all, broken }: Asked,
): (atMs: number) => Promise<readonly Finding[]> {
  const freshness = { limitS: 400 * 24 * 3600, hardLimitS: 500 * 24 * 3600 };
  const lasting = Object.fromEntries(THEMES.map((each) => [each, { freshness }]));
  const catalogue = overrideCatalogue(deps.catalogue, lasting);
  const { areas, reverseAreas } = storeLookups(store, { catalogue, clock: deps.clock });
  const codeOf = ({ columns }: FileRow) => String(columns[CODE_COLUMNS[theme]]).padStart(4, '0');
  const asked = [...broken, ...all.filter(isCurrent).slice(0, OTHERS)];
  const codes = [...new Set(asked.map(codeOf))];
  const places = asked.flatMap(placesOf);
  const { signal } = new AbortController();
  return async (atMs) => {
    const inForce = all.filter((row) => isInForce(row, atMs));
    const found = await areas.find(theme, codes, { signal });
    const byCode = found.value.flatMap((answer, n) => {
      const truth = inForce.find((row) => codeOf(row) === codes[n]);
      const name = truth === undefined ? null : String(truth.columns['navn']);
      if (answer instanceof Failure && answer.type !== 'not_found') return [];
      const said = answer instanceof Failure ? null : answer;
      if ((said?.name ?? null) === name || said?.provenance.rung === 'stale') return [];
      const detail = `${theme} ${codes[n]}: ${said?.name ?? 'unknown'}, in the file ${name}`;
      return [wrong(said === null ? 'empty' : 'false', atMs, detail)];
    });
    const points = places.map(({ x, y }) => pointFromUtm32({ xUtm32: x, yUtm32: y }));
    const covering = await reverseAreas.at(points, { signal });
    const byPoint = covering.value.flatMap((answer, n) => {
      if (answer instanceof Failure || answer.provenance[THEMES.indexOf(theme)]?.rung === 'stale') {
        return [];
      }
      const said = answer.areas.filter((area) => area.theme === theme).map(({ code }) => code);
      const truth = inForce.filter((row) => holds(row, places[n]!)).map(codeOf);
      if (said.toSorted().join() === truth.toSorted().join()) return [];
      const detail = `${theme} at ${JSON.stringify(places[n])}: ${said.join()}, in the file ${truth.join()}`;
      return [wrong(said.length < truth.length ? 'empty' : 'false', atMs, detail)];
    });
    return [...byCode, ...byPoint];
  };
}

function wrong(kind: Finding['kind'], atMs: number, detail: string): Finding {
  return { kind, detail: `${atMs < INSTANT_MS ? 'before' : 'after'} the date: ${detail}` };
}

function placesOf({ geometry }: FileRow): readonly Place[] {
  if (geometry === null) return [];
  const { minX, minY, maxX, maxY } = envelopeOf(geometry);
  const middle = { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
  const on = (linesOf(geometry)[0] ?? []).slice(0, 2).map(placeOf);
  const within = on.map(({ x, y }) => ({ x: x + (middle.x - x) / 30, y: y + (middle.y - y) / 30 }));
  const around = AROUND_M.flatMap((m) => [
    { x: maxX + m, y: middle.y },
    { x: middle.x, y: minY - m },
  ]);
  return [middle, ...within, ...around];
}

function isInForce({ columns }: FileRow, atMs: number): boolean {
  const [from, to] = ['virkningFra', 'virkningTil'].map((name) => columns[name] ?? null);
  return (
    columns['registreringTil'] === null &&
    (columns['skala'] ?? BASE_SCALE) === BASE_SCALE &&
    (from === null || Date.parse(String(from)) <= atMs) &&
    (to === null || Date.parse(String(to)) > atMs)
  );
}

const BASE_SCALE = '1:10.000';

function holds({ geometry }: FileRow, place: Place): boolean {
  return covers({ geometry, properties: {} } as never, place);
}
