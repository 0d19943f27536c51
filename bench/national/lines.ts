/**
 * The ten line layers at national size: counts from the registers where they are known
 * (60,810 strand pieces, 5,343 klit pieces, 319,718 areas of protected nature), else our estimate;
 * 0.8 M features and 28 M vertices in all. Features of a layer lie apart, but for the coast's
 * parcels, which share their borders; so the dissolved zones are known without a union.
 */
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { multiLineWkb } from '../../test/support/multi-line.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { normalFrom, randomFrom, TILE_M, toCentimetre } from './land.ts';
import type { Land, Random, Tile } from './land.ts';

export interface Recipe {
  /** Features at scale 1. */
  readonly count: number;
  /** Mean vertices of a feature; sizes vary tenfold around it. */
  readonly vertices: number;
  /** Mean radius, or half length of a line, metres. */
  readonly sizeM: number;
  readonly shape: 'blob' | 'circle' | 'holed' | 'line' | 'parcels';
}

/** Of the lines whose size is known; another has a little more than its least rows, drawn as nature is. */
const RECIPES: Readonly<Partial<Record<LineKey, Recipe>>> = {
  strandbeskyttelse: { count: 60_810, vertices: 26, sizeM: 300, shape: 'parcels' },
  klitfredning: { count: 5_343, vertices: 30, sizeM: 500, shape: 'parcels' },
  soe: { count: 3_000, vertices: 180, sizeM: 400, shape: 'holed' },
  aa: { count: 3_000, vertices: 260, sizeM: 500, shape: 'holed' },
  skov: { count: 12_000, vertices: 220, sizeM: 550, shape: 'holed' },
  kirke: { count: 2_000, vertices: 65, sizeM: 300, shape: 'circle' },
  fortidsminde: { count: 28_000, vertices: 42, sizeM: 100, shape: 'circle' },
  dige: { count: 250_000, vertices: 18, sizeM: 75, shape: 'line' },
  natur: { count: 319_718, vertices: 44, sizeM: 66, shape: 'blob' },
  vandloeb: { count: 110_000, vertices: 36, sizeM: 140, shape: 'line' },
};

function recipeOf(key: LineKey): Recipe {
  const { geometry, guards } = LINE_LAYERS[key];
  const shape = geometry === 'line' ? 'line' : 'blob';
  return RECIPES[key] ?? { count: 1.25 * guards.minRows, vertices: 44, sizeM: 100, shape };
}

export interface GeneratedFeature extends SnapshotFeature {
  /** Edges that bound its zone (D27): all of them, or a parcel's outer ones. */
  readonly zoneEdges: readonly (readonly number[])[];
}

/** Features of a layer. `density` multiplies their number on the same land. */
export function* lineFeatures(land: Land, key: LineKey, density = 1): Generator<GeneratedFeature> {
  const recipe = recipeOf(key);
  const random = randomFrom(seedOf(key));
  let number = 0;
  for (const shape of shapesOf(land, key, { recipe, density })) {
    yield describe(key, { ...shape, number, random });
    number += 1;
  }
}

function seedOf(key: string): number {
  return Array.from(key).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) >>> 0;
}

/** What lies where, without what it is called; another key lies elsewhere. */
export function* shapesOf(
  land: Land,
  key: string,
  { recipe, density = 1 }: { readonly recipe: Recipe; readonly density?: number },
): Generator<Made> {
  const seed = seedOf(key);
  const random = randomFrom(seed + 1);
  const isCoastal = recipe.shape === 'parcels';
  const perTile = land.spread(recipe.count * land.scale * density, { coast: isCoastal, seed });
  for (const [i, count] of perTile.entries()) {
    const tile = land.tiles[i]!;
    yield* (isCoastal ? parcels : scattered)(tile, count, { recipe, random });
  }
}

/** The layer as a snapshot buffer. */
export function lineSnapshot(land: Land, key: LineKey, density = 1): SharedArrayBuffer {
  const geometry = recipeOf(key).shape === 'line' ? 'line' : 'area';
  const builder = new LayerSnapshotBuilder({ layer: key, geometry, version: 1 });
  for (const feature of lineFeatures(land, key, density)) {
    builder.add(feature);
    for (const edge of feature.zoneEdges) builder.addZoneEdge(lineWkb(edge));
  }
  return builder.withZones().finish();
}

export interface Made {
  readonly rings: readonly (readonly number[])[];
  readonly zoneEdges: readonly (readonly number[])[];
}

interface Making {
  readonly recipe: Recipe;
  readonly random: Random;
}

/** Each feature in a lattice cell of its own, so that none overlap. */
function* scattered(tile: Tile, count: number, { recipe, random }: Making): Generator<Made> {
  const side = Math.ceil(Math.sqrt(count * 1.2));
  const cellM = TILE_M / Math.max(1, side);
  let owed = 0;
  for (let cell = 0; cell < side * side; cell++) {
    owed += count / (side * side);
    if (owed < 1) continue;
    owed -= 1;
    const wanted = recipe.sizeM * Math.exp(0.7 * normalFrom(random));
    const sizeM = Math.min(0.48 * cellM, recipe.shape === 'circle' ? recipe.sizeM : wanted);
    const vertices = Math.max(
      4,
      Math.round(recipe.vertices * Math.exp(0.8 * normalFrom(random) - 0.16)),
    );
    const centre = {
      x: tile.x + ((cell % side) + 0.5) * cellM,
      y: tile.y + (Math.floor(cell / side) + 0.5) * cellM,
    };
    yield made(recipe, { centre, sizeM, vertices, random });
  }
}

interface Blob {
  readonly centre: { readonly x: number; readonly y: number };
  readonly sizeM: number;
  readonly vertices: number;
  readonly random: Random;
}

function made(recipe: Recipe, blob: Blob): Made {
  if (recipe.shape === 'line') return { rings: [wander(blob)], zoneEdges: [] };
  const shell = ring(blob, recipe.shape === 'circle' ? 1 : 0.45);
  if (recipe.shape !== 'holed' || blob.vertices < 24) {
    return { rings: [shell], zoneEdges: pieces(shell) };
  }
  const hole = ring({ ...blob, sizeM: blob.sizeM * 0.3, vertices: blob.vertices >> 2 }, 0.6);
  return { rings: [shell, hole], zoneEdges: [...pieces(shell), ...pieces(hole)] };
}

/** A ring around the centre; `least` of the size is always kept, so 1 is a circle. */
function ring({ centre, sizeM, vertices, random }: Blob, least: number): number[] {
  const path: number[] = [];
  let length = 0.7;
  for (let i = 0; i < vertices; i++) {
    length = Math.min(1, Math.max(least, length + 0.12 * normalFrom(random)));
    const angle = (2 * Math.PI * i) / vertices;
    const reach = least === 1 ? sizeM : sizeM * length;
    path.push(
      toCentimetre(centre.x + reach * Math.cos(angle)),
      toCentimetre(centre.y + reach * Math.sin(angle)),
    );
  }
  return [...path, path[0]!, path[1]!];
}

function wander({ centre, sizeM, vertices, random }: Blob): number[] {
  const path: number[] = [];
  const step = (2 * sizeM) / vertices;
  let angle = 2 * Math.PI * random();
  let x = centre.x - sizeM * Math.cos(angle);
  let y = centre.y - sizeM * Math.sin(angle);
  for (let i = 0; i < vertices; i++) {
    path.push(toCentimetre(x), toCentimetre(y));
    angle += 0.25 * normalFrom(random);
    x += step * Math.cos(angle);
    y += step * Math.sin(angle);
  }
  return path;
}

/** Strips along a crooked shore, cut at every parcel; neighbours share the cut to the bit. */
function* parcels(tile: Tile, count: number, { recipe, random }: Making): Generator<Made> {
  const rows = Math.max(
    1,
    Math.min(Math.floor(TILE_M / (recipe.sizeM + 100)), Math.ceil(count / 40)),
  );
  const perRow = Math.ceil(count / rows);
  const width = TILE_M / perRow;
  const along = Math.max(2, recipe.vertices >> 1);
  let left = count;
  for (let row = 0; row < rows && left > 0; row++) {
    const baseY = tile.y + row * (recipe.sizeM + 100) + 50;
    const inRow = Math.min(perRow, left);
    left -= inRow;
    const shore = shoreline({
      x: tile.x,
      y: baseY,
      steps: inRow * along,
      stepM: width / along,
      random,
    });
    for (let i = 0; i < inRow; i++) {
      const below = shore.slice(2 * i * along, 2 * (i * along + along + 1));
      const above: number[] = [];
      for (let j = below.length - 2; j >= 0; j -= 2) {
        above.push(below[j]!, toCentimetre(below[j + 1]! + recipe.sizeM));
      }
      const zoneEdges = [below, above];
      if (i === 0) zoneEdges.push([...above.slice(-2), ...below.slice(0, 2)]);
      if (i === inRow - 1) zoneEdges.push([...below.slice(-2), ...above.slice(0, 2)]);
      yield { rings: [[...below, ...above, below[0]!, below[1]!]], zoneEdges };
    }
  }
}

function shoreline(from: {
  readonly x: number;
  readonly y: number;
  readonly steps: number;
  readonly stepM: number;
  readonly random: Random;
}): number[] {
  const path: number[] = [];
  let y = from.y;
  for (let i = 0; i <= from.steps; i++) {
    path.push(toCentimetre(from.x + i * from.stepM), toCentimetre(y));
    y = Math.min(from.y + 40, Math.max(from.y - 40, y + normalFrom(from.random)));
  }
  return path;
}

/** A ring in pieces of 32 edges, as the store keeps them. */
function pieces(path: readonly number[]): number[][] {
  const cut: number[][] = [];
  for (let i = 0; i + 3 < path.length; i += 64) cut.push(path.slice(i, i + 66));
  return cut;
}

function describe(
  key: LineKey,
  made: Made & { readonly number: number; readonly random: Random },
): GeneratedFeature {
  const { number, random, rings, zoneEdges } = made;
  const isRepealed = number % 40 === 39;
  const adopted = number % 3 !== 0;
  const hex = (value: number, digits: number): string =>
    Math.floor(value).toString(16).padStart(digits, '0').slice(-digits);
  const id = `${hex(random() * 2 ** 32, 8)}-${hex(random() * 2 ** 16, 4)}-4000-8000-${hex(number, 12)}`;
  const isLine = recipeOf(key).shape === 'line';
  const day = (n: number): string => new Date(1e12 + n * 864e5).toISOString();
  return {
    key: id,
    objectId: id,
    standing: isRepealed ? 'repealed' : 'in_force',
    adopted,
    attributes: JSON.stringify({
      category: null,
      dating: null,
      documentUrl: null,
      dykeType: null,
      monumentType: null,
      municipalityCvr: String(29_000_000 + (number % 98)),
      municipalityName: `Kommune ${number % 98}`,
      natureType: key === 'natur' ? ['Mose', 'Eng', 'Hede', 'Sø'][number % 4] : null,
      protectionReason: null,
      protectionStatus: null,
      registeredAt: day((number * 7) % 6_000),
      statusCode: isRepealed ? '4' : adopted ? '3' : '1',
      statusName: isRepealed ? 'Ophævet' : adopted ? 'Vedtaget' : 'Forslag',
      validFrom: day((number * 13) % 6_000),
    }),
    wkb: isLine ? multiLineWkb(rings) : multiPolygonWkb([rings]),
    areaM2: isLine ? null : Math.round(random() * 1e6) / 100,
    zoneEdges: isRepealed ? [] : zoneEdges,
  };
}
