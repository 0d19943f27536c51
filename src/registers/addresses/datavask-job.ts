import { toWgs84 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { accessOf } from './addresses.ts';
import { withTail } from '../../answers/register-meta.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import { hitOf } from './answer.ts';
import type { AddressLookups } from './lookup.ts';
import { addressMeta } from './meta.ts';
import { candidateText } from './datavask-answer.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import { csvTextOrNone } from '../../core/rows/csv-cells.ts';
import { cleansedRow, noAddressAlike, writtenOf, cleansedIn } from './cleansed-row.ts';
import type { CleansedRow, WrittenRow } from './cleansed-row.ts';
import { numbers } from '../../core/rows/points.ts';
import { ADDRESS_ROLES } from '../../core/rows/job-types.ts';
import type { JobKind, RowKind } from '../../core/rows/kind.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import { finderOf } from './index/kept-finder.ts';

const COLUMNS = [
  'kategori',
  'antal_resultater',
  'afstand',
  'type',
  'id',
  'status',
  'betegnelse',
  'adgangsadresse_id',
  'vejnavn',
  'vejkode',
  'husnr',
  'etage',
  'doer',
  'supplerende_bynavn',
  'postnr',
  'postnrnavn',
  'kommunekode',
  'bfe_nummer',
  'lon',
  'lat',
  'ulaeste_kolonner',
];

/** `coverage`: of the copy; null: the country. */
interface Labels {
  readonly meta: RegisterMeta;
  readonly coverage: Pick<Coverage, 'name'> | null;
}

export const datavask: JobKind<WrittenRow, CleansedRow, AddressLookups, Labels> = {
  name: 'datavask',
  terms: {
    roles: ADDRESS_ROLES,
    called: { da: 'adressevask', en: 'address cleansing' },
    words: { da: 'Adressevask: hvilken adresse menes?', en: 'Which address is meant?' },
  },
  needs: { layers: [], addresses: 'needed' },
  labels: (parts) => {
    const { coverage = null } = parts.catalogue.registers[ADDRESSES];
    return { meta: addressMeta(parts), coverage: coverage && { name: coverage.name } };
  },
  rows: datavaskRows,
  memory: { module: import.meta.url, open },
};

/** No similar address is an error, and not billed (D62). */
function foundIn(
  cleansed: CleansedRow,
  coverage: Pick<Coverage, 'name'> | null,
): CleansedRow | Failure {
  return cleansed.candidates.length > 0 ? cleansed : noAddressAlike(coverage);
}

function datavaskRows({
  meta,
  coverage,
}: Labels): RowKind<WrittenRow, CleansedRow, AddressLookups> {
  const { tail } = withTail(meta);
  const foundAtAll = (cleansed: CleansedRow) => foundIn(cleansed, coverage);
  return {
    columns: COLUMNS,
    types: numbers('antal_resultater', 'afstand', 'bfe_nummer', 'lon', 'lat'),
    question: writtenOf,
    askAll: ({ addresses }, questions) => {
      const answers = questions.map((written) => cleansedRow(addresses, written));
      const [generation = 0] = answers.flatMap((answer) =>
        answer instanceof Failure ? [] : [answer.generation],
      );
      const value = answers.map((answer) =>
        answer instanceof Failure ? answer : foundAtAll(answer.value),
      );
      return Promise.resolve({ generation, value });
    },
    writeCsv,
    writeJson: (out, { category, candidates, unread }) => {
      out.ascii(`{"kategori":${category === null ? 'null' : `"${category}"`},"resultater":[`);
      for (const [i, each] of candidates.entries()) {
        out.text(`${i > 0 ? ',' : ''}${candidateText(each)}`);
      }
      // Absent where all was read: the answer is then the single lookup's.
      if (unread.length > 0) out.text(`],"ulaeste_kolonner":${JSON.stringify(unread)}${tail}`);
      else out.text(`]${tail}`);
    },
    writePlace: (out, { candidates }) => {
      const position =
        candidates[0] === undefined ? null : accessOf(candidates[0].address).position;
      if (position === null) {
        out.ascii('null');
        return;
      }
      const { lon, lat } = toWgs84(position);
      out.ascii('{"type":"Point","coordinates":[').degrees(lon).ascii(',').degrees(lat).ascii(']}');
    },
  };
}

function writeCsv(out: JsonWriter, { category, candidates, unread }: CleansedRow): void {
  const [best] = candidates;
  if (best === undefined) throw new Error('An answer without a candidate is none.');
  const { address, differences } = best;
  const access = accessOf(address);
  const { road, postcode, position } = access;
  const isUnit = hitOf(address).kind === 'unit';
  const { floor, door } = 'access' in address ? address : { floor: null, door: null };
  const distance = Object.values(differences).reduce((sum, edits) => sum + edits, 0);
  const texts = [
    address.designation,
    access.id,
    road.name,
    road.roadCode,
    access.houseNumber,
    floor,
    door,
    access.supplementaryTown,
    postcode?.code ?? null,
    postcode?.name ?? null,
    road.municipalityCode,
  ];
  out.text(
    `${category ?? ''},${candidates.length},${distance},${isUnit ? 'adresse' : 'adgangsadresse'}` +
      `,${address.id},${address.status},${texts.map(csvTextOrNone).join(',')},${address.bfe ?? ''},`,
  );
  if (position === null) out.ascii(',');
  else {
    const { lon, lat } = toWgs84(position);
    out.degrees(lon).ascii(',').degrees(lat);
  }
  out.text(`,${csvTextOrNone(unread.length === 0 ? null : unread.join(' | '))}`);
}

function open(memory: JobMemory): (question: WrittenRow) => CleansedRow | Failure {
  const finder = finderOf(memory);
  return (row) => foundIn(cleansedIn(finder, row), memory.addressLand);
}
