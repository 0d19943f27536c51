/** `bbr`: the property of a BFE number, or of an address (D72, D97). */
import { Failure } from '../../kernel/failures.ts';
import { propertyRecord } from './record/record.ts';
import type { PropertyRecord } from './record/record.ts';
import type { PropertiesAnswer } from './answers.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { csvCell } from '../../core/rows/csv-cells.ts';
import { numbers } from '../../core/rows/points.ts';
import type { RowReader, FindAccess } from '../../core/rows/row-reader.ts';
import { ADDRESS_ROLES } from '../../core/rows/job-types.ts';
import type { JobKind, RowKind, SlowAnswers } from '../../core/rows/kind.ts';
import type { PropertyLookups } from './batches.ts';
import { rowError } from '../../core/rows/row-errors.ts';

/** null: an address without a known property. */
type PropertyQuestion = number | null;

export const bbr: JobKind<PropertyQuestion, PropertyRecord, PropertyLookups, null> = {
  name: 'bbr',
  terms: {
    roles: [['bfe'], ['adgangsadresse_id'], ...ADDRESS_ROLES],
    called: { da: 'ejendom og bygninger', en: 'property and buildings' },
    words: { da: 'Ejendom og bygninger (BBR)', en: 'Property and buildings (BBR)' },
  },
  // Properties are not in memory: the routes' lookups answer every row.
  needs: { layers: [], addresses: 'beside' },
  labels: () => null,
  rows: bbrRows,
};

type Building = PropertyRecord['bygninger'][number];

const CELLS: Readonly<Record<string, (record: PropertyRecord, main: Building | null) => Cell>> = {
  bfe_nummer: (record) => record.bfe_nummer,
  grund_id: (record) => record.grund_id,
  kommunekode: (record) => record.kommunekode,
  adresse: (_, main) => main?.enheder[0]?.adresse.betegnelse,
  matrikelnummer: ({ jordstykke }) => jordstykke.matrikelnummer,
  ejerlav_kode: ({ jordstykke }) => jordstykke.ejerlav_kode,
  antal_bygninger: (record) => record.antal_bygninger,
  antal_enheder: ({ bygninger }) => bygninger.reduce((sum, { enheder }) => sum + enheder.length, 0),
  anvendelse_kode: (_, main) => main?.anvendelse?.kode,
  anvendelse_tekst: (_, main) => main?.anvendelse?.tekst,
  opfoerelsesaar: (_, main) => main?.opfoerelsesaar,
  bebygget_m2: (_, main) => main?.areal.bebygget_m2,
  samlet_bygningsareal_m2: (_, main) => main?.areal.samlet_bygningsareal_m2,
  samlet_boligareal_m2: (_, main) => main?.areal.samlet_boligareal_m2,
  samlet_erhvervsareal_m2: (_, main) => main?.areal.samlet_erhvervsareal_m2,
  ydervaeg: (_, main) => main?.materialer.ydervaeg?.tekst,
  tag: (_, main) => main?.materialer.tag?.tekst,
  opvarmningsmiddel: (_, main) => main?.varme.opvarmningsmiddel?.tekst,
  asbest: (_, main) => main?.asbest?.tekst,
  lon: (_, main) => main?.geometri?.coordinates[0],
  lat: (_, main) => main?.geometri?.coordinates[1],
};

const COLUMNS = Object.keys(CELLS);
const WRITTEN = Object.values(CELLS);

const TYPES = numbers(
  ...['bfe_nummer', 'ejerlav_kode', 'antal_bygninger', 'antal_enheder', 'opfoerelsesaar'],
  ...COLUMNS.filter((column) => column.endsWith('_m2')),
  ...['lon', 'lat'],
);

function bbrRows(): RowKind<PropertyQuestion, PropertyRecord, PropertyLookups> {
  return {
    columns: COLUMNS,
    types: TYPES,
    question: propertyOf,
    askAll,
    writeCsv,
    writeJson: (out, record) => out.text(JSON.stringify(record)),
    writePlace: (out, record) => {
      const [lon, lat] = placeOf(record);
      out.ascii(
        lon === null || lat === null ? 'null' : `{"type":"Point","coordinates":[${lon},${lat}]}`,
      );
    },
  };
}

function propertyOf(row: RowReader, findAccess: FindAccess): PropertyQuestion {
  const bfe = row.bfe();
  if (bfe !== null) return bfe;
  const address = row.access(findAccess);
  if (address === null) throw row.lacking('propertyEmpty');
  return address.bfe;
}

async function askAll(
  lookups: PropertyLookups,
  questions: readonly PropertyQuestion[],
): Promise<SlowAnswers<PropertyRecord>> {
  const wanted = [...new Set(questions.filter((number) => number !== null))];
  const { generation, asked, value } = await lookups.properties.find(wanted, null);
  const answers = new Map(wanted.map((bfe, i) => [bfe, value[i]]));
  const records = questions.map((number) => {
    if (number === null) return noProperty(asked);
    const answer = answers.get(number);
    if (answer === undefined) throw new Error('The lookup gave no answer for a number.');
    return answer instanceof Failure ? answer : propertyRecord(answer.rows, answer.around);
  });
  return { generation, value: records };
}

/** None only if both the cadastre and EBR answered (D88). */
function noProperty({ cadastre, locations }: PropertiesAnswer['asked']): Failure {
  if (cadastre && locations) return new Failure('not_found', rowError('noProperty'));
  return new Failure('upstream_unavailable', rowError('propertyUnasked'));
}

function mainBuildingOf({ bygninger, hovedbygning_index: main }: PropertyRecord): Building | null {
  return main === null ? null : (bygninger[main] ?? null);
}

function placeOf(record: PropertyRecord): readonly [number | null, number | null] {
  const [lon = null, lat = null] = mainBuildingOf(record)?.geometri?.coordinates ?? [];
  return [lon, lat];
}

function writeCsv(out: JsonWriter, record: PropertyRecord): void {
  const main = mainBuildingOf(record);
  out.text(WRITTEN.map((cell) => csvCell(cell(record, main))).join(','));
}
