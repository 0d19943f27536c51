/** Rows of the matrix: features that are not what they were, in geometry and in attributes. */
import type { LayerId } from '../../src/layers/keys.ts';
import { isAreaId } from '../../src/layers/keys.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import { LOSSES } from '../../sample/data/lost-member.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import type { Random } from '../../sample/data/random.ts';
import { familyOf } from './matrix-terms.ts';
import type { Family, MatrixRow } from './matrix-terms.ts';
import { ANSWERED, ANSWERED_OR_UNAVAILABLE, HARMLESS, KEPT, MIRRORED } from './matrix-terms.ts';
import { MIRRORED_OR_KEPT, REFUSED, SPOILING, UNAVAILABLE, row } from './matrix-terms.ts';

/** A few features, many, or all: a small share must not slip through under a limit. */
function someShare(draw: Random): Pick<FaultRule, 'share' | 'seed'> {
  const share = draw.pick([draw.between(0.002, 0.02), draw.between(0.02, 0.4), 1]);
  return { share, seed: draw.integer(1, 1e6) };
}

const BROKEN_KINDS = [
  ...['open', 'open-a-millimetre', 'flat-hole', 'empty-part', 'other-kind', 'lost-corner'],
] as const;

/** From one feature in hundreds up: few are published with their places, many are refused. */
function brokenShare(draw: Random): Pick<FaultRule, 'share' | 'seed'> {
  const share = draw.pick([
    draw.between(0.001, 0.02),
    draw.between(0.001, 0.02),
    draw.between(0.02, 0.4),
    1,
  ]);
  return { share, seed: draw.integer(1, 1e6) };
}

const BROKEN = { broken: true, ...SPOILING } as const;
const SERVED = { served: true, ...SPOILING } as const;
const OF_GML = {
  sync: { others: MIRRORED, cadastre: KEPT, dagi: KEPT },
  line: { others: ANSWERED, cadastre: ANSWERED_OR_UNAVAILABLE },
  area: UNAVAILABLE,
} as const;

/** Nothing is where it was; a window may have been empty all along. */
const DISPLACED = { sync: KEPT, line: ANSWERED_OR_UNAVAILABLE, area: UNAVAILABLE } as const;

export const GEOMETRY_ROWS: readonly MatrixRow[] = [
  row('null-geometry', 'Features without a geometry', BROKEN, (draw) => [
    { fault: 'null-geometry', ...brokenShare(draw) },
  ]),
  row('empty-geometry', 'Geometries without a single position', BROKEN, (draw) => [
    { fault: 'empty-geometry', ...brokenShare(draw) },
  ]),
  row('open-rings', 'Rings that do not close', BROKEN, (draw) => [
    { fault: 'open-rings', ...brokenShare(draw) },
  ]),
  row(
    'broken-geometry',
    'Unreadable geometries, from one feature up: open rings, flat holes, empty parts, lines for areas, a corner at 0 0',
    BROKEN,
    (draw) => [
      { fault: 'broken-geometry', attribute: draw.pick(BROKEN_KINDS), ...brokenShare(draw) },
    ],
  ),
  row(
    'lost-member',
    'A member, ring or position list that is referred to, nil, empty, words or gone',
    BROKEN,
    (draw) => [
      { fault: 'lost-member', attribute: draw.pick(Object.keys(LOSSES)), ...brokenShare(draw) },
    ],
  ),
  row(
    'invalid-geometry',
    'Areas that cross themselves: repaired where that changes next to nothing',
    SERVED,
    (draw) => [{ fault: 'invalid-geometry', ...someShare(draw) }],
  ),
  row(
    'covered-twice',
    'Areas with a part of their own inside: covered twice, so covered',
    SERVED,
    (draw) => [{ fault: 'covered-twice', ...someShare(draw) }],
  ),
  row('heights', 'Positions with a height, in some features or all', HARMLESS, (draw) => [
    { fault: 'third-ordinate', ...someShare(draw) },
  ]),
  row('arcs', 'GML lines and rings as parts of ellipses', OF_GML, { fault: 'arcs' }),
  row('old-positions', 'GML positions in gml:coordinates', HARMLESS, { fault: 'gml-coordinates' }),
  row('swapped-axes', 'Northing before easting', DISPLACED, { fault: 'swapped-axes' }),
  row('degrees', 'Degrees named EPSG:25832', DISPLACED, { fault: 'wrong-crs' }),
  row('declared-crs', 'GML in a reference system that cannot be read', OF_GML, {
    fault: 'declared-crs',
  }),
  row('outside-denmark', 'Everything moved out of Denmark', DISPLACED, (draw) => [
    { fault: 'outside-denmark', value: draw.integer(300_000, 600_000) },
  ]),
  row(
    'displaced',
    'Everything moved tens of kilometres within Denmark',
    { byPoint: true, ...DISPLACED },
    (draw) => [{ fault: 'outside-denmark', value: draw.integer(30_000, 200_000) }],
  ),
  row('rescaled', 'Features rescaled in place, few or all', { ...SERVED, area: null }, (draw) => [
    { fault: 'rescaled', value: draw.pick([20, 50, 200, 500]), ...someShare(draw) },
  ]),
  row(
    'exchanged',
    'Features exchange geometries: counts and area stay right',
    {
      ...{ served: true, line: ANSWERED, area: null },
      sync: { others: MIRRORED_OR_KEPT, dagi: REFUSED },
    },
    { fault: 'exchanged' },
  ),
];

function attributeOf(draw: Random, layer: LayerId): string {
  return draw.pick([KEYS[familyOf(layer)], ...decidingOf(layer)]);
}

const KEYS: Readonly<Record<Family, string>> = {
  'portal areas': 'Objekt_id',
  'portal lines': 'Objekt_id',
  heritage: 'beskyttelse_areal_lbnr',
  cadastre: 'id.lokalId',
  dagi: 'id.lokalId',
};

/** The same without the keys: words may well be keys. */
function decidingOf(layer: LayerId): readonly string[] {
  switch (familyOf(layer)) {
    case 'portal areas':
    case 'portal lines': {
      return ['Statuskode', 'Off_kode', ...(layer === 'skov' ? ['Skovs_kode'] : [])];
    }
    case 'heritage':
      return ['systemnr'];
    case 'cadastre':
      return ['virkningFra'];
    case 'dagi':
      return ['skala', isAreaId(layer) ? CODE_COLUMNS[layer] : 'navn'];
  }
}

/** Columns that may end a row; a register without one has none that is spoiled. */
function endsOf(layer: LayerId): readonly string[] {
  return familyOf(layer).startsWith('portal') ? ['Systid_til'] : ['registreringTil', 'virkningTil'];
}

/** Codes of rows in force by the columns that decide it. */
function codesOf(layer: LayerId): readonly Pick<FaultRule, 'attribute' | 'value'>[] {
  switch (familyOf(layer)) {
    case 'portal areas':
    case 'portal lines':
      return [
        { attribute: 'Statuskode', value: 3 },
        { attribute: 'Off_kode', value: 1 },
        ...(layer === 'skov' ? [{ attribute: 'Skovs_kode', value: 1 }] : []),
      ];
    case 'heritage':
      return [{ attribute: 'systemnr' }, { attribute: 'beskyttelse_areal_lbnr' }];
    case 'cadastre':
      return [{ attribute: 'tematype' }];
    case 'dagi':
      return [
        { attribute: 'skala' },
        { attribute: isAreaId(layer) ? CODE_COLUMNS[layer] : 'navn' },
      ];
  }
}

export const SCHEMA_ROWS: readonly MatrixRow[] = [
  row('new-column', 'A new attribute', HARMLESS, { fault: 'new-column' }),
  row('renamed-case', 'An attribute in capital letters', HARMLESS, (draw, layer) => [
    { fault: 'renamed-column', attribute: attributeOf(draw, layer) },
  ]),
  // Of areas without the scale column the namespace says the scale.
  row(
    'missing-column',
    'An attribute that answers need is gone',
    { ...SPOILING, sync: KEPT },
    (draw, layer) => [{ fault: 'missing-column', attribute: attributeOf(draw, layer) }],
  ),
  row(
    'retyped-column',
    'An attribute that answers need has become words',
    DISPLACED,
    (draw, layer) => [{ fault: 'retyped-column', attribute: draw.pick(decidingOf(layer)) }],
  ),
  row(
    'type-drift',
    'The same from the second page on',
    { ...HARMLESS, sync: MIRRORED_OR_KEPT },
    (draw, layer) => {
      const attribute = draw.pick(decidingOf(layer));
      return [{ fault: 'retyped-column', attribute, fromIndex: draw.pick([1, 5, 50]) }];
    },
  ),
  row(
    'odd-ends',
    'Ends of rows that are to come, words for no end, and what is no time',
    BROKEN,
    (draw, layer) => [
      { fault: 'odd-ends', attribute: draw.pick(endsOf(layer)), ...brokenShare(draw) },
    ],
  ),
  row(
    'odd-codes',
    'Codes that decide in other spellings, and what is no code',
    BROKEN,
    (draw, layer) => [{ fault: 'odd-codes', ...draw.pick(codesOf(layer)), ...brokenShare(draw) }],
  ),
  row('null-keys', 'Features without the key attribute', BROKEN, (draw) => [
    { fault: 'null-keys', ...brokenShare(draw) },
  ]),
];
