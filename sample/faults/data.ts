/** Faults of the features themselves: geometry, reference system, schema. */
import { systemClock } from '../../src/kernel/clock.ts';
import { toWgs84 } from '../../src/geo/project.ts';
import { valueText } from '../data/feature.ts';
import type { SampleFeature, SampleValue } from '../data/feature.ts';
import type { Position, Ring, SampleGeometry } from '../data/geometry.ts';
import {
  at,
  linesOf,
  mapPositions,
  multiLine,
  multiPolygon,
  partsOf,
  placeOf,
  polygon,
  ring,
  toMillimetre,
} from '../data/geometry.ts';
import { LOSSES } from '../data/lost-member.ts';
import type { Loss } from '../data/lost-member.ts';
import { KEYS } from './stages.ts';
import type { Fault, FaultContext, Operation } from './stages.ts';

const FEATURES: readonly Operation[] = ['features'];

export const DATA_FAULTS = {
  'null-geometry': shapeFault('a share of the features without a geometry', () => null),
  'empty-geometry': shapeFault('a share of the geometries without a single position', (shape) => ({
    ...shape,
    coordinates: [],
  })),
  'invalid-geometry': shapeFault('a share of the areas crossing themselves', crossed),
  'covered-twice': shapeFault(
    'a share of the areas with a part inside that they hold already',
    twice,
  ),
  'third-ordinate': shapeFault('a share of the geometries with heights', (shape) =>
    mapPositions(shape, (pos) => [at(pos, 0), at(pos, 1), 12.5]),
  ),
  'open-rings': shapeFault('a share of the areas with rings that do not close', opened),
  'broken-geometry': shapeFault(
    'a share of the geometries that cannot be read, by kind',
    (shape, { attribute }) => broken(shape, attribute),
  ),
  'lost-member': {
    title: 'a share of the geometries with a part that is referred to, empty, nil or gone, by kind',
    ...featureFault((feature, { attribute }) => ({
      ...feature,
      loses: attribute !== null && attribute in LOSSES ? (attribute as Loss) : 'empty',
    })),
  },
  'odd-ends': {
    title: 'a share of the rows in force with an end that is to come, or is no time',
    ...featureFault((feature, { attribute, randomFor }) => {
      const name = attribute ?? 'Systid_til';
      return isOpen(feature.properties[name])
        ? withValue(feature, name, randomFor(`end ${feature.id}`).pick(oddEnds()))
        : feature;
    }),
  },
  'odd-codes': {
    title: 'a share of the rows of a code with other spellings of it, and what is no code',
    valueIs: 'the code that is spoiled; -1: any',
    defaultValue: -1,
    ...featureFault((feature, context) => {
      const { value, randomFor } = context;
      const name = targetOf(feature.properties, context);
      const code = valueText(feature.properties[name]);
      const isSpoiled = code !== null && (value === -1 || Number(code) === value);
      return isSpoiled
        ? withValue(feature, name, randomFor(`code ${feature.id}`).pick(oddCodes(code)))
        : feature;
    }),
  },
  'swapped-axes': positionFault('northing before easting', swapped),
  'wrong-crs': positionFault('degrees under the name of EPSG:25832', (pos) => {
    const { lon, lat } = toWgs84({ xUtm32: at(pos, 0), yUtm32: at(pos, 1) });
    return [Math.round(lon * 1e9) / 1e9, Math.round(lat * 1e9) / 1e9, ...pos.slice(2)];
  }),
  'declared-crs': {
    title: 'metres of EPSG:25832 under the name of another system',
    operations: FEATURES,
    crsName: () => 'urn:ogc:def:crs:EPSG::25833',
  },
  'outside-denmark': {
    ...positionFault('everything moved by some distance to the east', (pos, { value }) => [
      toMillimetre(at(pos, 0) + value),
      ...pos.slice(1),
    ]),
    valueIs: 'metres',
    defaultValue: 400_000,
  },
  rescaled: {
    title: 'a share of the features of another size, in the same place',
    valueIs: 'per cent of their size',
    defaultValue: 200,
    defaultShare: 0.1,
    operations: ['features', 'hits'],
    held: (all, { share, value, randomFor }) =>
      all.map((feature) =>
        randomFor(feature.id).next() < share ? resized(feature, value / 100) : feature,
      ),
  },
  exchanged: {
    title: 'every feature with the geometry of another: the counts and the area stay right',
    operations: ['features', 'hits'],
    held: (all) => {
      const drawn = all.filter(({ geometry }) => geometry !== null);
      const others = new Map(drawn.map(({ id }, n) => [id, at(drawn, drawn.length - 1 - n)]));
      return all.map((feature) => ({
        ...feature,
        geometry: others.get(feature.id)?.geometry ?? feature.geometry,
      }));
    },
  },
  'missing-column': {
    title: 'an attribute gone from schema and rows',
    ...columnFault((columns, name) =>
      Object.fromEntries(Object.entries(columns).filter(([each]) => each !== name)),
    ),
  },
  'renamed-column': {
    title: 'an attribute in capital letters in schema and rows',
    ...columnFault((columns, name) =>
      Object.fromEntries(
        Object.entries(columns).map(([each, value]) => [
          each === name ? each.toUpperCase() : each,
          value,
        ]),
      ),
    ),
  },
  'retyped-column': {
    title: 'an attribute turned into words in schema and rows',
    schema: (schema, context) => ({ ...schema, [targetOf(schema, context)]: 'boolean' }),
    page: (page, context) =>
      page.map((feature) => withValue(feature, targetOf(feature.properties, context), 'ja')),
  },
  'new-column': {
    title: 'an attribute nobody has seen before',
    schema: (schema) => ({ ...schema, Ny_kolonne: 'string' }),
    page: (page) => page.map((feature) => withValue(feature, 'Ny_kolonne', 'ny')),
  },
  'null-keys': {
    title: 'a share of the features without the key attribute',
    ...featureFault((feature) => {
      const key = KEYS.find((name) => name in feature.properties);
      return key === undefined ? feature : withValue(feature, key, null);
    }, 0.1),
  },
} as const satisfies Record<string, Fault>;

/** Attributes an answer depends on, the first a layer has being the one that is spoiled. */
const TARGETS = ['Statuskode', 'tematype', 'systemnr', 'navn'] as const;

function targetOf(having: Readonly<Record<string, unknown>>, { attribute }: FaultContext): string {
  return attribute ?? TARGETS.find((name) => name in having) ?? 'navn';
}

type Columns<V> = Readonly<Record<string, V>>;

/** Changes the columns of schema and rows alike. */
function columnFault(
  change: <V>(columns: Columns<V>, name: string) => Columns<V>,
): Pick<Fault, 'schema' | 'page'> {
  return {
    schema: (schema, context) => change(schema, targetOf(schema, context)),
    page: (page, context) =>
      page.map(({ properties, ...feature }) => ({
        ...feature,
        properties: change(properties, targetOf(properties, context)),
      })),
  };
}

function withValue(feature: SampleFeature, name: string, value: SampleValue): SampleFeature {
  return { ...feature, properties: { ...feature.properties, [name]: value } };
}

/** Ends that have not come in 30 days, words for no end, and what is no time; none is of a row that has ended. */
export function oddEnds(): readonly string[] {
  const soon = new Date(systemClock.nowMs() + 40 * 24 * 3_600_000).toISOString();
  return [
    ...[soon, soon.slice(0, 10), '2031-05-06T07:08:09', '2999-12-31', '9999-12-31'],
    ...['2031/01/01 00:00:00.000', 'NULL', '-', '0001-01-01', '0000-00-00', '2026-13-45'],
    ...['2026-02-30T12:00:00', 'ukendt', '01-05-2031', '1799-12-31T00:00:00', '20310101', 'Inf'],
  ];
}

const isOpen = (value: SampleValue | undefined): boolean =>
  value === null || (valueText(value) ?? '').startsWith('9999');

/** Spellings of a code, and what none can tell. */
function oddCodes(text: string): readonly SampleValue[] {
  const code = text.replace(/\.0*$/, '');
  return [
    ...[`${code},0`, `${code},00`, ` ${code} `, `${code}.0`, `${code}\t`, code],
    ...['ukendt', '?', '-', 'NULL', 'ja', '½', `${code}-`, `${code} ${code}`, `${code},5`],
  ];
}

/** Spoils a share of the features, whichever page they come on. */
function featureFault(
  change: (feature: SampleFeature, context: FaultContext) => SampleFeature,
  defaultShare = 0.5,
): Pick<Fault, 'defaultShare' | 'operations' | 'page'> {
  return {
    defaultShare,
    operations: FEATURES,
    page: (page, context) =>
      page.map((feature) =>
        context.randomFor(feature.id).next() < context.share ? change(feature, context) : feature,
      ),
  };
}

function shapeFault(
  title: string,
  change: (shape: SampleGeometry, context: FaultContext) => SampleGeometry | null,
): Fault {
  const spoil = ({ geometry, ...feature }: SampleFeature, context: FaultContext) => ({
    ...feature,
    geometry: geometry && change(geometry, context),
  });
  return { title, ...featureFault(spoil, 0.1) };
}

function positionFault(
  title: string,
  change: (pos: Position, context: FaultContext) => Position,
): Fault {
  return {
    title,
    operations: FEATURES,
    page: (page, context) =>
      page.map((feature) => ({
        ...feature,
        geometry: feature.geometry && mapPositions(feature.geometry, (pos) => change(pos, context)),
      })),
  };
}

function swapped([x = 0, y = 0, ...rest]: Position): Position {
  return [y, x, ...rest];
}

/** The same shape about its first position. */
function resized(feature: SampleFeature, factor: number): SampleFeature {
  const { geometry } = feature;
  if (geometry === null) return feature;
  let first: { x: number; y: number } | null = null;
  const from = (here: number, fixed: number) => toMillimetre(fixed + (here - fixed) * factor);
  return {
    ...feature,
    geometry: mapPositions(geometry, (pos) => {
      const place = placeOf(pos);
      first ??= place;
      return [from(place.x, first.x), from(place.y, first.y), ...pos.slice(2)];
    }),
  };
}

/** Two vertices of every ring changed round: the side between them now crosses its neighbours. */
function crossed(shape: SampleGeometry): SampleGeometry {
  return mapRings(shape, (line) => {
    if (line.length < 5) return line;
    const corners = line.slice(0, -1);
    const [first, second, third, ...rest] = corners;
    return first && second && third ? ring([first, third, second, ...rest]) : line;
  });
}

/** The area and a part of half its size around its first corner, which it covers for the most part. */
function twice(shape: SampleGeometry): SampleGeometry {
  const parts = partsOf(shape);
  const shell = parts[0]?.[0];
  if (shell === undefined) return shape;
  const { x, y } = placeOf(at(shell, 0));
  const half = shell.map((pos): Position => {
    const corner = placeOf(pos);
    return [toMillimetre((corner.x + x) / 2), toMillimetre((corner.y + y) / 2)];
  });
  return multiPolygon(...parts, [half]);
}

function opened(shape: SampleGeometry): SampleGeometry {
  return mapRings(shape, (line) => {
    const last = placeOf(at(line, line.length - 1));
    return [...line.slice(0, -1), [last.x + 1, last.y + 1]];
  });
}

/** By the kind that `attribute` names. */
function broken(shape: SampleGeometry, kind: string | null): SampleGeometry {
  const isArea = shape.type === 'Polygon' || shape.type === 'MultiPolygon';
  const lines = linesOf(shape);
  switch (kind) {
    // A line has no end to be open at: it comes as an area.
    case 'open':
      return isArea ? mapRings(shape, (line) => line.slice(0, -1)) : polygon(...lines);
    case 'open-a-millimetre':
      return isArea ? mapRings(shape, openedBy(0.0011)) : polygon(...lines);
    case 'flat-hole':
      return withPart(shape, at(lines, 0).slice(0, isArea ? 3 : 1));
    case 'empty-part':
      return withPart(shape, []);
    case 'lost-corner': {
      let seen = 0;
      return mapPositions(shape, (pos) => (seen++ === 1 ? [0, 0] : pos));
    }
    case 'other-kind':
    case null:
    default:
      return isArea ? multiLine(...lines) : multiPolygon(lines);
  }
}

/** The same with one more part, or hole. */
function withPart(shape: SampleGeometry, part: Ring): SampleGeometry {
  if (shape.type === 'LineString') return multiLine(shape.coordinates, part);
  const more = shape.type === 'MultiPolygon' ? [part] : part;
  return { ...shape, coordinates: [...shape.coordinates, more] } as SampleGeometry;
}

function openedBy(metres: number): (line: Ring) => Ring {
  return (line) => {
    const [x = 0, y = 0, ...rest] = at(line, 0);
    return [...line.slice(0, -1), [x, y + metres, ...rest]];
  };
}

function mapRings(shape: SampleGeometry, change: (line: Ring) => Ring): SampleGeometry {
  const parts = partsOf(shape).map((rings) => rings.map(change));
  if (shape.type === 'Polygon') return polygon(...at(parts, 0));
  return shape.type === 'MultiPolygon' ? multiPolygon(...parts) : shape;
}
