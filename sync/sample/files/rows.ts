/**
 * The themes as the file downloads hold them: the same areas under the modern model's names, with
 * both time axes, and beside the present a row of the past and one of the future.
 */
import type { AreaId } from '../../../src/layers/keys.ts';
import type { SampleFeature, SampleValue } from '../data/feature.ts';
import { valueText } from '../data/feature.ts';
import type { SampleGeometry } from '../data/geometry.ts';

/** One row: columns in order, texts, numbers, booleans and nulls only. */
export interface FileRow {
  readonly columns: Readonly<Record<string, string | number | boolean | null>>;
  readonly geometry: SampleGeometry | null;
}

/** Names that changed with the model; null: no longer there. */
const MODERN: Readonly<Record<string, string | null>> = {
  'id.namespace': 'id_namespace',
  'id.lokalId': 'id_lokalId',
  regionsLokalId: 'regionLokalId',
  storkredsLokalId: 'storkredsLokalId',
  udtraeksdato: null,
  geometristatus: null,
};

/** Every feature of a theme as a row, each scale, and the first area in three times. */
export function fileRows(theme: AreaId, features: readonly SampleFeature[]): FileRow[] {
  const rows = features.map((feature) => ({
    columns: modernColumns(theme, feature),
    geometry: feature.geometry,
  }));
  const [first, ...others] = rows;
  return first === undefined ? [] : [past(first), present(first), ...others, future(first)];
}

const CHANGES = '2099-01-01T00:00:00+01:00';

/** The row that is true now, until the one that is to come. */
function present({ columns, geometry }: FileRow): FileRow {
  return { columns: { ...columns, virkningTil: CHANGES }, geometry };
}

function modernColumns(theme: AreaId, { properties }: SampleFeature): FileRow['columns'] {
  const columns: Record<string, string | number | boolean | null> = {
    datafordelerRowId: null,
    registreringTil: null,
    virkningTil: null,
    datafordelerOpdateringstid: '2026-11-01T02:00:00.000000Z',
  };
  for (const [name, value] of Object.entries(properties)) {
    // The region is a reference now, and its code is only with the region itself.
    if (name === 'regionskode' && theme !== 'region') continue;
    const modern = name in MODERN ? MODERN[name] : name;
    if (modern === null || modern === undefined) continue;
    columns[modern] = modern.endsWith('okalId') ? valueText(value) : plain(value);
  }
  return columns;
}

function plain(value: SampleValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? value.raw : value;
}

/** The registration before this one: never to be mirrored. */
function past({ columns, geometry }: FileRow): FileRow {
  const until = columns['registreringFra'] ?? null;
  return {
    columns: { ...columns, registreringFra: '2018-03-09T00:00:00+01:00', registreringTil: until },
    geometry,
  };
}

/** The same area under the name it is to have: must not hide the present one. */
function future({ columns, geometry }: FileRow): FileRow {
  const name = `${String(columns['navn'])} (kommende)`;
  return {
    columns: { ...columns, navn: name, virkningFra: CHANGES },
    geometry,
  };
}
