/**
 * The themes as the file downloads hold them: the same areas under the modern model's names, with
 * both time axes, and beside the present a row of the past and what is to come: the regions become
 * one, a parish is split, and in every other theme the first area changes its name.
 */
import type { AreaId } from '../../src/layers/keys.ts';
import { announcedAreas } from '../data/areas.ts';
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
  udtraeksdato: null,
  geometristatus: null,
};

/** Every feature of a theme as a row, each scale, the past of the first, and what is to come. */
export function fileRows(theme: AreaId, features: readonly SampleFeature[]): FileRow[] {
  const rows = features.map((feature) => rowOf(theme, feature));
  const [first] = rows;
  if (first === undefined) return [];
  const announced = announcedAreas(theme);
  if (announced === null) {
    return [past(first), present(first), ...rows.slice(1), renamed(first)];
  }
  return [
    past(first),
    ...rows.map((row) =>
      announced.ends.includes(String(row.columns['id_lokalId'])) ? present(row) : row,
    ),
    ...announced.begins.map((feature) => future(rowOf(theme, feature))),
  ];
}

function rowOf(theme: AreaId, feature: SampleFeature): FileRow {
  return { columns: modernColumns(theme, feature), geometry: feature.geometry };
}

/** When what the files announce comes into effect: midnight on the island, which is not midnight UTC. */
export const ANNOUNCED_AT = '2099-01-01T00:00:00+01:00';

function changed({ columns, geometry }: FileRow, changes: FileRow['columns']): FileRow {
  return { columns: { ...columns, ...changes }, geometry };
}

/** The row that is true now, until the one that is to come. */
function present(row: FileRow): FileRow {
  return changed(row, { virkningTil: ANNOUNCED_AT });
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
function past(row: FileRow): FileRow {
  const registreringTil = row.columns['registreringFra'] ?? null;
  return changed(row, { registreringFra: '2018-03-09T00:00:00+01:00', registreringTil });
}

/** The same area under the name it is to have. */
function renamed(row: FileRow): FileRow {
  return future(changed(row, { navn: `${String(row.columns['navn'])} (kommende)` }));
}

/** A row that is to come: must neither hide the present one nor be shown beside it. */
function future(row: FileRow): FileRow {
  return changed(row, { virkningFra: ANNOUNCED_AT });
}
