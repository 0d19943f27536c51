/** Conditions and lines from memory, by the same rules as ../store.ts. */
import { remember } from '../../../kernel/remember.ts';
import { lineAttributesReader } from '../../../snapshot/attributes.ts';
import { RING, ringsOfWkb } from '../../../geo/wkb.ts';
import { Slice } from '../../../kernel/turns.ts';
import type { SnapshotSet } from '../../../core/held/snapshot-set.ts';
import type { ConditionAttributes, LineAttributes } from '../../../layers/feature.ts';
import { NAMED_PARCELS, parcelsNamedBy } from '../../../layers/conditions/condition.ts';
import { conditionOf, isConditionId } from '../../../layers/conditions/index.ts';
import { isLineKey } from '../../../layers/keys.ts';
import type { LayerId } from '../../../layers/keys.ts';
import type { LayerSnapshot } from '../../../snapshot/layer.ts';
import { askedArea, windowsOf } from './asked-area.ts';
import type { AskedArea } from './asked-area.ts';
import { ObjectEngine } from './engine.ts';
import { Tally } from './tally.ts';
import { TOUCH_M, TOUCH_M2, ZONES } from '../store.ts';
import type { Found, FoundObject, PlacesQuestion, PlacesRead, Zoning } from '../store.ts';

/** As `ST_Intersects`. */
const MEETS_M = 1e-6;

const engines = new WeakMap<LayerSnapshot, ObjectEngine>();

function engineOf(set: SnapshotSet, layer: LayerId, today: string): ObjectEngine | null {
  const snapshot = set.layers.get(layer)?.snapshot;
  if (snapshot === undefined) return null;
  const engine = engines.get(snapshot) ?? new ObjectEngine(snapshot);
  engines.set(snapshot, engine);
  return engine.turnTo(today);
}

/** Includes the layers that it is judged by. */
export function isHeld(set: SnapshotSet, layer: LayerId): boolean {
  return set.layers.has(layer) && (layer !== ZONES || set.layers.has('kommune'));
}

type Asked =
  | { readonly point: { readonly xUtm32: number; readonly yUtm32: number } }
  | { readonly area: AskedArea };

/** Requires `isHeld` layers. `wkbs`: points and valid areas. */
export async function readHeld(set: SnapshotSet, question: PlacesQuestion): Promise<PlacesRead> {
  const slice = new Slice();
  const found: ReadonlyMap<LayerId, Found>[] = [];
  const zoning: Zoning[] = [];
  const areasM2: number[] = [];
  for (const asked of question.wkbs.map(askedOf)) {
    if (found.length > 0 && slice.isOver) await slice.next();
    const { parcels = [] } = found.length === 0 ? question : {};
    const measured = await measure(set, asked, { ...question, parcels }, slice);
    found.push(measured.found);
    areasM2.push(measured.areaM2);
    zoning.push(measured.zoning);
  }
  const { layers } = question;
  return {
    generation: set.generation,
    copies: new Map(layers.map((layer) => [layer, set.layers.get(layer)?.copy ?? null])),
    rung: 'snapshot',
    ...{ found, zoning, areasM2, faults: found.map(() => null) },
  };
}

function askedOf(wkb: Uint8Array): Asked {
  const rings = ringsOfWkb(wkb);
  if (rings.kinds.items[0] !== RING.point) return { area: askedArea(rings) };
  return { point: { xUtm32: rings.xy.items[0]!, yUtm32: rings.xy.items[1]! } };
}

interface Counted extends Pick<PlacesQuestion, 'radiusM' | 'onLineM'> {
  readonly engine: ObjectEngine;
  readonly tally: Tally;
}

async function measure(set: SnapshotSet, asked: Asked, question: PlacesQuestion, slice: Slice) {
  const { layers, today, radiusM, onLineM } = question;
  const counting = (layer: LayerId, reach: Pick<Counted, 'radiusM' | 'onLineM'>) => {
    const engine = engineOf(set, layer, today);
    return engine === null ? [] : [{ layer, engine, tally: new Tally(), ...reach }];
  };
  const counted = layers.flatMap((layer) => counting(layer, { radiusM, onLineM }));
  const zones = layers.includes(ZONES) ? set.layers.get(ZONES)?.snapshot : undefined;
  const reach = { radiusM: MEETS_M, onLineM: 0 };
  const [municipalities] = zones === undefined ? [] : counting('kommune', reach);
  const all = municipalities === undefined ? counted : [...counted, municipalities];
  const areaM2 = await count(asked, all, { slice, today });
  const isPoint = 'point' in asked;
  const found = counted.flatMap(({ layer, engine, tally }) =>
    tally.count === 0 ? [] : [[layer, foundOf(engine, tally, { isPoint, question })] as const],
  );
  const zoning =
    zones === undefined || municipalities === undefined
      ? 'partly'
      : zoningOf(zones, municipalities, isPoint ? null : areaM2);
  return { found: new Map(found), areaM2, zoning };
}

/**
 * Returns the place's square metres. Yields between windows, when another question may change the
 * engines.
 */
async function count(
  asked: Asked,
  counted: readonly Counted[],
  { slice, today }: { readonly slice: Slice; readonly today: string },
): Promise<number> {
  if ('point' in asked) {
    for (const { engine, tally, ...reach } of counted) engine.at(asked.point, tally, reach);
    return 0;
  }
  let areaM2 = 0;
  for (const window of windowsOf(asked.area)) {
    if (areaM2 > 0 && slice.isOver) await slice.next();
    areaM2 += window.areaM2;
    for (const { engine, tally, radiusM } of counted) {
      engine.turnTo(today).in(window, tally, radiusM);
    }
  }
  return areaM2;
}

interface Shown {
  readonly isPoint: boolean;
  readonly question: PlacesQuestion;
}

function foundOf(engine: ObjectEngine, tally: Tally, { isPoint, question }: Shown): Found {
  const { snapshot } = engine;
  const { mostObjects, parcels = [] } = question;
  const isWithin = (m2: number, m: number) => isPoint || m2 > TOUCH_M2 || m > TOUCH_M;
  const within = [...tally.shares].filter(([, { m2, m }]) => isWithin(m2, m));
  const sum = (of: 'm2' | 'm') =>
    [...tally.shares.values()].reduce((all, each) => all + each[of], 0);
  const isUnited = within.length > 1;
  const here = new Set(within.map(([feature]) => feature));
  const named = naming(snapshot, tally, parcels).filter(([feature]) => !here.has(feature));
  return {
    nearestM: Math.sqrt(tally.nearest),
    count: tally.count,
    within: within.length,
    objects: [
      ...objectsOf(snapshot, within, mostObjects),
      ...objectsOf(snapshot, named, mostObjects),
    ].slice(0, mostObjects),
    sharedM2: isUnited ? tally.m2 : sum('m2'),
    sharedM: isUnited ? tally.m : sum('m'),
  };
}

type Within = readonly (readonly [feature: number, { readonly m2: number; readonly m: number }])[];

/** Newest in force first, then by rounded share, then by id. */
function objectsOf(snapshot: LayerSnapshot, within: Within, most: number): readonly FoundObject[] {
  if (within.length === 0) return [];
  const { featureRank } = snapshot;
  const { day, attributes } = readerOf(snapshot);
  const ordered = within.toSorted(([a, shareA], [b, shareB]) => {
    const [dayA, dayB] = [day(a), day(b)];
    if (dayA !== dayB) return dayA > dayB ? -1 : 1;
    const larger = Math.round(shareB.m2 * 100) - Math.round(shareA.m2 * 100);
    return larger === 0 ? featureRank[a]! - featureRank[b]! : larger;
  });
  return ordered.slice(0, most).map(([feature, { m2, m }]) => {
    const { objectId, areaM2 } = snapshot.identify(feature);
    return { objectId, areaM2, attributes: attributes(feature), sharedM2: m2, sharedM: m };
  });
}

function naming(snapshot: LayerSnapshot, tally: Tally, parcels: readonly string[]): Within {
  const { layer } = snapshot.meta;
  const fields = isConditionId(layer) && parcels.length > 0 ? conditionOf(layer).fields : [];
  if (!fields.some(({ name }) => name === NAMED_PARCELS.numbers)) return [];
  const { attributes } = readerOf(snapshot);
  const isNaming = (feature: number) => {
    const { values } = attributes(feature) as ConditionAttributes;
    return parcelsNamedBy(values).some((parcel) => parcels.includes(parcel));
  };
  return tally
    .features()
    .filter(isNaming)
    .map((feature) => [feature, NONE] as const);
}

const NONE = { m2: 0, m: 0 } as const;

interface Reader {
  readonly day: (feature: number) => string;
  readonly attributes: (feature: number) => ConditionAttributes | LineAttributes;
}

const readers = new WeakMap<LayerSnapshot, Reader>();

function readerOf(snapshot: LayerSnapshot): Reader {
  const known = readers.get(snapshot);
  if (known !== undefined) return known;
  const from = snapshot.columns.find(({ name }) => name === 'validFrom');
  const dayOf = (feature: number) => {
    const text = from?.values.at(from.codes[feature]!) ?? '';
    return text.startsWith('"') ? text : '';
  };
  const attributesOf = (feature: number) =>
    JSON.parse(snapshot.feature(feature).attributes) as ConditionAttributes;
  const made = isLineKey(snapshot.meta.layer)
    ? { day: () => '', attributes: lineAttributesReader(snapshot) }
    : { day: dayOf, attributes: attributesOf };
  readers.set(snapshot, made);
  return made;
}

function zoningOf(zones: LayerSnapshot, { engine, tally }: Counted, areaM2: number | null): Zoning {
  const zoned = remember(zonedCodes, zones, () => codesOfZones(zones));
  const codes = engine.snapshot.columns.find(({ name }) => name === 'code');
  const isZoned = (feature: number) =>
    codes !== undefined && zoned.has(JSON.parse(codes.values.at(codes.codes[feature]!)) as string);
  const shares = [...tally.shares].filter(([, { m2 }]) => m2 > TOUCH_M2);
  const here = areaM2 === null ? tally.features() : shares.map(([feature]) => feature);
  if (!here.every(isZoned)) return 'missing';
  const isWhole = areaM2 === null || shares.reduce((sum, [, { m2 }]) => sum + m2, 0) > areaM2 - 1;
  return here.length > 0 && isWhole ? 'whole' : 'partly';
}

const zonedCodes = new WeakMap<LayerSnapshot, ReadonlySet<string>>();

function codesOfZones(zones: LayerSnapshot): ReadonlySet<string> {
  const values = zones.columns.find(({ name }) => name === 'values')?.values;
  const codes = Array.from({ length: values?.count ?? 0 }, (_, n) => {
    const { kommunekode = null } = JSON.parse(
      values!.at(n) || '{}',
    ) as ConditionAttributes['values'];
    return kommunekode === null ? '' : String(kommunekode).padStart(4, '0').slice(0, 4);
  });
  return new Set(codes);
}
