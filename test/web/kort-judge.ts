/** Holds what the map page says and draws of places against the service's own answers and files. */
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createRandom } from '../../sample/data/random.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import type { Areas, BuildingLines, Line, NearestAddress } from '../../src/web/shared/answers.ts';

export type Degrees = Readonly<Record<'lon' | 'lat', number>>;
export type Customer = Readonly<Record<'base' | 'key', string>>;

/** The answer a customer gets; null: there is none (404). */
export async function answerOf<Body>({ base, key }: Customer, path: string): Promise<Body | null> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${base}/v1/${path}`, { headers });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Random places where the sample has land and sea. */
export async function randomPlaces(
  customer: Customer,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<readonly Degrees[]> {
  const told = await answerOf<{ bounds: [number, number, number, number] }>(
    customer,
    'kort/kommune.json',
  );
  const [west, south, east, north] = told!.bounds;
  const random = createRandom(`map ${seed}`);
  const between = (from: number, to: number) => Number(random.between(from, to).toFixed(7));
  return Array.from({ length: count }, () => ({
    lon: between(west, east),
    lat: between(south, north),
  }));
}

/** Types a place, and waits until its answers and what is drawn of them are there. */
export async function goTo(page: Page, { lon, lat }: Degrees): Promise<void> {
  await page.locator('#q').fill(`${lat} ${lon}`);
  await page.keyboard.press('Enter');
  const place = JSON.stringify({ srid: 4326, lon, lat });
  await page.locator(`#map[data-place='${place}']`).waitFor({ state: 'attached' });
}

const metres = (value: number) =>
  `${Math.abs(value).toLocaleString('da-DK', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} m`;

/** What the page must say of a line, written once more and by hand. */
function wordsOf({ status, inden_for: within, usikker, afstand_m: far }: Line): string {
  if (status !== 'ok' || within === null) return 'Kunne ikke afgøres';
  const inForce = usikker ? 'Gælder her, ikke endeligt vedtaget' : 'Gælder her';
  const verdict = within ? inForce : 'Gælder ikke her';
  if (far === null) return `${verdict} · ingen inden for 500 m`;
  const inside = far < 0 || (far === 0 && within);
  return `${verdict} · ${metres(far)} ${inside ? 'til zonens kant' : 'herfra'}`;
}

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Holds everything the page says of the place it shows against the answers. `bfe`: the property of the address
 * that was searched for; absent: that of the nearest one.
 */
export async function expectSaid(
  page: Page,
  customer: Customer,
  { lon, lat, bfe: chosen }: Degrees & { readonly bfe?: number },
): Promise<BuildingLines> {
  const at = `lon=${lon}&lat=${lat}`;
  const [lines, areas, nearest] = await Promise.all([
    answerOf<BuildingLines>(customer, `natur/byggelinjer?${at}`),
    answerOf<Areas>(customer, `dagi/reverse?${at}`),
    answerOf<NearestAddress>(customer, `adresser/reverse?${at}&radius=1000`),
  ]);
  // Printed, they are unfolded without a hand.
  await page.evaluate(`for (const fold of document.querySelectorAll('.noes'))
    fold.open = !matchMedia('print').matches`);
  const said: string[] = await page.evaluate(`${JSON.stringify(LINE_KEYS)}.map((key) =>
    document.querySelector('[data-line=' + key + ']').innerText)`);
  for (const [i, key] of LINE_KEYS.entries()) {
    const line = lines!.linjer[key];
    const text = plain(said[i]!);
    expect(text, `${at} ${key}`).toContain(plain(wordsOf(line)));
    if (line.antal > 0) expect(text, `${at} ${key}`).toContain(`${line.antal} registreret`);
  }
  const text = plain(await page.locator('#answers').innerText());
  for (const { navn, kode } of areas!.omraader) expect(text, at).toContain(`${navn} (${kode})`);
  if (nearest === null) expect(text, at).toContain('Ingen adresse inden for 1000 m');
  else {
    const { betegnelse, afstand_m: far, bfe_nummer } = nearest.adresse;
    const bfe = chosen ?? bfe_nummer;
    expect(text, at).toContain(plain(`${betegnelse} · ${metres(far)}`));
    if (bfe !== null) expect(text, at).toContain(String(bfe));
  }
  return lines!;
}

type Position = readonly number[];
export type Edges = ReadonlyMap<LineKey, readonly (readonly [Position, Position])[]>;

export async function edgesOf({ base, key }: Customer): Promise<Edges> {
  const edges = new Map<LineKey, [Position, Position][]>();
  for (const layer of LINE_KEYS) {
    const found: [Position, Position][] = [];
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await fetch(`${base}/v1/kort/${layer}.fgb`, { headers });
    for await (const feature of deserialize(body!)) {
      const { properties, geometry } = feature as unknown as {
        properties: { i_kraft: boolean };
        geometry: { coordinates: unknown };
      };
      if (!properties.i_kraft) continue;
      found.push(...ringsIn(geometry.coordinates).flatMap(edgesIn));
    }
    edges.set(layer, found);
  }
  return edges;
}

function edgesIn(ring: readonly Position[]): [Position, Position][] {
  return ring.slice(1).map((end, i) => [ring[i]!, end]);
}

function ringsIn(coordinates: unknown): Position[][] {
  const [first] = coordinates as unknown[][];
  if (typeof first?.[0] === 'number') return [coordinates as Position[]];
  return (coordinates as unknown[]).flatMap(ringsIn);
}

/** The answer is rounded to 0.1 m, and a place of degrees projected by two hands. */
const ROUNDING_M = 0.06;
const ON_EDGE_M = 0.001;

/** Each distance is drawn as long as it is answered, to an edge of the layer; and nothing else is. */
export async function expectDrawn(page: Page, { linjer, epsg25832 }: BuildingLines, edges: Edges) {
  const text = await page.locator('#map').getAttribute('data-segments');
  const drawn = new Map(
    (JSON.parse(text ?? '[]') as [LineKey, number, number][]).map(([key, x, y]) => [key, { x, y }]),
  );
  const [px = 0, py = 0] = epsg25832;
  for (const key of LINE_KEYS) {
    const { afstand_m: far } = linjer[key];
    const foot = drawn.get(key);
    expect(foot === undefined, `${key} at ${px} ${py}`).toBe(far === null);
    if (foot === undefined || far === null) continue;
    const length = Math.hypot(foot.x - px, foot.y - py);
    expect(Math.abs(length - Math.abs(far)), `${key} at ${px} ${py}`).toBeLessThan(ROUNDING_M);
    const all = edges.get(key) ?? [];
    if (length > 0) expect(nearest(all, [foot.x, foot.y]), key).toBeLessThan(ON_EDGE_M);
    if (far > 0) expect(Math.abs(nearest(all, [px, py]) - far), key).toBeLessThan(ROUNDING_M);
  }
}

function nearest(edges: readonly (readonly [Position, Position])[], [px, py]: Position): number {
  let best = Infinity;
  for (const [[ax = 0, ay = 0], [bx = 0, by = 0]] of edges) {
    const [dx, dy] = [bx - ax, by - ay];
    const squared = dx * dx + dy * dy;
    const along = squared === 0 ? 0 : ((px! - ax) * dx + (py! - ay) * dy) / squared;
    const t = Math.min(1, Math.max(0, along));
    best = Math.min(best, Math.hypot(px! - ax - t * dx, py! - ay - t * dy));
  }
  return best;
}
