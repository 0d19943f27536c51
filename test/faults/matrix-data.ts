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
import { MIRRORED_OR_KEPT, REFUSED, SPOILING, UNAVAILABLE } from './matrix-terms.ts';

/** A few features, many, or all: a small share must not slip through under a limit. */
function someShare(draw: Random): Pick<FaultRule, 'share' | 'seed'> {
  const share = draw.pick([draw.between(0.002, 0.02), draw.between(0.02, 0.4), 1]);
  return { share, seed: draw.integer(1, 1e6) };
}

/** Kinds of `broken-geometry`. */
const BROKEN_KINDS = [
  'open',
  'open-a-millimetre',
  'flat-hole',
  'empty-part',
  'other-kind',
  'lost-corner',
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

/** Nothing is where it was; a window may have been empty all along. */
const DISPLACED = {
  sync: KEPT,
  line: ANSWERED_OR_UNAVAILABLE,
  area: UNAVAILABLE,
} as const;

export const GEOMETRY_ROWS: readonly MatrixRow[] = [
  {
    id: 'null-geometry',
    about: 'Features without a geometry',
    rules: (draw) => [{ fault: 'null-geometry', ...brokenShare(draw) }],
    ...BROKEN,
  },
  {
    id: 'empty-geometry',
    about: 'Geometries without a single position',
    rules: (draw) => [{ fault: 'empty-geometry', ...brokenShare(draw) }],
    ...BROKEN,
  },
  {
    id: 'open-rings',
    about: 'Rings that do not close',
    rules: (draw) => [{ fault: 'open-rings', ...brokenShare(draw) }],
    ...BROKEN,
  },
  {
    id: 'broken-geometry',
    about:
      'Unreadable geometries, from one feature up: open rings, flat holes, empty parts, lines for areas, a corner at 0 0',
    rules: (draw) => [
      { fault: 'broken-geometry', attribute: draw.pick(BROKEN_KINDS), ...brokenShare(draw) },
    ],
    ...BROKEN,
  },
  {
    id: 'lost-member',
    about: 'A member, ring or position list that is referred to, nil, empty, words or gone',
    rules: (draw) => [
      { fault: 'lost-member', attribute: draw.pick(Object.keys(LOSSES)), ...brokenShare(draw) },
    ],
    ...BROKEN,
  },
  {
    id: 'invalid-geometry',
    about: 'Areas that cross themselves: repaired where that changes next to nothing',
    rules: (draw) => [{ fault: 'invalid-geometry', ...someShare(draw) }],
    served: true,
    ...SPOILING,
  },
  {
    id: 'covered-twice',
    about: 'Areas with a part of their own inside: covered twice, so covered',
    rules: (draw) => [{ fault: 'covered-twice', ...someShare(draw) }],
    served: true,
    ...SPOILING,
  },
  {
    id: 'heights',
    about: 'Positions with a height, in some features or all',
    rules: (draw) => [{ fault: 'third-ordinate', ...someShare(draw) }],
    ...HARMLESS,
  },
  {
    id: 'arcs',
    about: 'GML lines and rings as parts of ellipses',
    rules: () => [{ fault: 'arcs' }],
    sync: { others: MIRRORED, cadastre: KEPT, dagi: KEPT },
    line: { others: ANSWERED, cadastre: ANSWERED_OR_UNAVAILABLE },
    area: UNAVAILABLE,
  },
  {
    id: 'old-positions',
    about: 'GML positions in gml:coordinates',
    rules: () => [{ fault: 'gml-coordinates' }],
    ...HARMLESS,
  },
  {
    id: 'swapped-axes',
    about: 'Northing before easting',
    rules: () => [{ fault: 'swapped-axes' }],
    ...DISPLACED,
  },
  {
    id: 'degrees',
    about: 'Degrees named EPSG:25832',
    rules: () => [{ fault: 'wrong-crs' }],
    ...DISPLACED,
  },
  {
    id: 'declared-crs',
    about: 'GML in a reference system that cannot be read',
    rules: () => [{ fault: 'declared-crs' }],
    sync: { others: MIRRORED, cadastre: KEPT, dagi: KEPT },
    line: { others: ANSWERED, cadastre: ANSWERED_OR_UNAVAILABLE },
    area: UNAVAILABLE,
  },
  {
    id: 'outside-denmark',
    about: 'Everything moved out of Denmark',
    rules: (draw) => [{ fault: 'outside-denmark', value: draw.integer(300_000, 600_000) }],
    ...DISPLACED,
  },
  {
    id: 'displaced',
    about: 'Everything moved tens of kilometres within Denmark',
    rules: (draw) => [{ fault: 'outside-denmark', value: draw.integer(30_000, 200_000) }],
    byPoint: true,
    ...DISPLACED,
  },
  {
    id: 'rescaled',
    about: 'Features rescaled in place, few or all',
    rules: (draw) => [
      { fault: 'rescaled', value: draw.pick([20, 50, 200, 500]), ...someShare(draw) },
    ],
    served: true,
    ...SPOILING,
    area: null,
  },
  {
    id: 'exchanged',
    about: 'Features exchange geometries: counts and area stay right',
    rules: () => [{ fault: 'exchanged' }],
    served: true,
    sync: { others: MIRRORED_OR_KEPT, dagi: REFUSED },
    line: ANSWERED,
    area: null,
  },
];

/** Attributes an answer depends on, by what the layer's mapping reads. */
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
  {
    id: 'new-column',
    about: 'A new attribute',
    rules: () => [{ fault: 'new-column' }],
    ...HARMLESS,
  },
  {
    id: 'renamed-case',
    about: 'An attribute in capital letters',
    rules: (draw, layer) => [{ fault: 'renamed-column', attribute: attributeOf(draw, layer) }],
    ...HARMLESS,
  },
  {
    id: 'missing-column',
    about: 'An attribute that answers need is gone',
    rules: (draw, layer) => [{ fault: 'missing-column', attribute: attributeOf(draw, layer) }],
    sync: KEPT,
    line: ANSWERED_OR_UNAVAILABLE,
    // Without the scale column the namespace says the scale.
    area: ANSWERED_OR_UNAVAILABLE,
  },
  {
    id: 'retyped-column',
    about: 'An attribute that answers need has become words',
    rules: (draw, layer) => [{ fault: 'retyped-column', attribute: draw.pick(decidingOf(layer)) }],
    ...DISPLACED,
  },
  {
    id: 'type-drift',
    about: 'The same from the second page on',
    rules: (draw, layer) => [
      {
        fault: 'retyped-column',
        attribute: draw.pick(decidingOf(layer)),
        fromIndex: draw.pick([1, 5, 50]),
      },
    ],
    ...SPOILING,
    line: ANSWERED,
    area: ANSWERED,
  },
  {
    id: 'odd-ends',
    about: 'Ends of rows that are to come, words for no end, and what is no time',
    rules: (draw, layer) => [
      { fault: 'odd-ends', attribute: draw.pick(endsOf(layer)), ...brokenShare(draw) },
    ],
    ...BROKEN,
  },
  {
    id: 'odd-codes',
    about: 'Codes that decide in other spellings, and what is no code',
    rules: (draw, layer) => [
      { fault: 'odd-codes', ...draw.pick(codesOf(layer)), ...brokenShare(draw) },
    ],
    ...BROKEN,
  },
  {
    id: 'null-keys',
    about: 'Features without the key attribute',
    rules: (draw) => [{ fault: 'null-keys', ...brokenShare(draw) }],
    ...BROKEN,
  },
];
