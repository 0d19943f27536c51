/** The address register of the generated country as it writes its tables: CSV files, zipped. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { composeAccess, composeUnit } from '../../src/layers/address-text.ts';
import type { AccessRow } from '../../src/registers/addresses/addresses.ts';
import { nationalAddresses } from '../national/addresses.ts';
import type { GeneratedAddresses } from '../national/addresses.ts';
import { Land } from '../national/land.ts';
import type { Content, UpstreamContent } from './content.ts';
import { answerFiles, GENERATIONS, HEAD, sumOf, writeTable } from './table-files.ts';
import type { TableFile } from './table-files.ts';

/** The listing and the files of the download service. */
export class AddressFiles implements Content {
  readonly path = '';
  readonly facts: Content['facts'];
  readonly #dir: string;
  readonly #files: readonly TableFile[];

  static async write({ dir, count }: Extract<UpstreamContent, { register: 'adresser' }>) {
    const { postcodes, roads, accesses, units } = nationalAddresses(new Land(1));
    const country = { postcodes, roads, units, accesses: [...Iterator.from(accesses).take(count)] };
    const plain = join(dir, 'units.csv');
    const files: TableFile[] = [];
    for (const { entity, columns, rows } of tablesOf(country)) {
      const path = entity === PLAIN ? plain : null;
      files.push(await writeTable(dir, { ...TOTAL, entity, ...textOf(columns, rows) }, path));
    }
    return new AddressFiles(dir, files, plain);
  }

  constructor(dir: string, files: readonly TableFile[], plain: string) {
    this.#dir = dir;
    this.#files = files;
    this.facts = {
      rows: sumOf(files, ({ rows }) => rows),
      bytes: sumOf(files, ({ plainBytes }) => plainBytes),
      plain: {
        path: plain,
        rows: files.find(({ entity }) => entity === PLAIN)?.rows ?? 0,
        columns: HEAD.length + UNIT_COLUMNS.split(',').length,
      },
    };
  }

  answer(url: URL, response: ServerResponse): void {
    answerFiles({ dir: this.#dir, files: this.#files }, url, response);
  }

  close(): void {
    // Files are open only while they are read.
  }
}

/** Lies open beside its zip file. */
const PLAIN = 'Adresse';
const UNIT_COLUMNS = 'adressebetegnelse,doerbetegnelse,etagebetegnelse,husnummer';
const TOTAL = {
  ...({ register: 'DAR', download: 'TotalDownload', format: 'csv', foot: null } as const),
  generation: GENERATIONS.total,
};

interface Table {
  readonly entity: string;
  readonly columns: string;
  /** The row's id and status, and what follows its times. */
  readonly rows: Iterable<readonly [id: string, status: number, rest: string]>;
}

/** The generator's rows are given once: the access addresses are wanted by four tables. */
type Country = Pick<GeneratedAddresses, 'postcodes' | 'roads' | 'units'> & {
  readonly accesses: readonly AccessRow[];
};

const TIMES = '2018-05-03T16:58:34.000000Z,,2005-01-01T12:00:00.000000Z,';
function textOf(columns: string, rows: Table['rows']) {
  const lines = Iterator.from(rows).map(([id, status, rest]) => `${id},${status},${TIMES},${rest}`);
  return { head: `${HEAD.join(',')},${columns}`, rows: lines };
}

/** An id made of a place: of things the generator gives none. */
function idOf(kind: string, place: number): string {
  return `00000000-0000-4000-8${kind}-${place.toString(16).padStart(12, '0')}`;
}

/** As far from its address's id as any other. */
function pointOf({ id }: AccessRow): string {
  const reversed = Array.from(id.replaceAll('-', '')).reverse().join('');
  return reversed.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function tablesOf(country: Country): readonly Table[] {
  const { postcodes, roads, accesses, units } = country;
  const towns = new Map<string, string>();
  for (const { supplementaryTown: town } of accesses) {
    if (town !== null && !towns.has(town)) towns.set(town, idOf('002', towns.size));
  }
  return [
    {
      entity: 'Postnummer',
      columns: 'navn,postnr',
      rows: postcodes.map(({ code, name }, i) => [idOf('001', i), 3, `${name},${code}`]),
    },
    {
      entity: 'SupplerendeBynavn',
      columns: 'navn',
      rows: Array.from(towns, ([name, id]) => [id, 3, name] as const),
    },
    {
      entity: 'NavngivenVej',
      columns: 'vejadresseringsnavn,vejnavn',
      rows: roads.map(({ roadId, name, shortName }) => [roadId, 3, `${shortName ?? ''},${name}`]),
    },
    {
      entity: 'NavngivenVejKommunedel',
      columns: 'kommune,navngivenVej,vejkode',
      rows: roads.map(({ roadId, municipalityCode, roadCode }, i) => {
        return [idOf('003', i), 3, `${municipalityCode},${roadId},${roadCode ?? ''}`];
      }),
    },
    {
      entity: 'Adressepunkt',
      columns: 'oprindelse_kilde,oprindelse_noejagtighedsklasse,position',
      rows: Iterator.from(accesses).map((access) => {
        const { xUtm32: x, yUtm32: y } = access.position ?? { xUtm32: 0, yUtm32: 0 };
        return [pointOf(access), 8, `Adressemyn,A,POINT (${x} ${y})`] as const;
      }),
    },
    {
      entity: 'Husnummer',
      columns:
        'adgangsadressebetegnelse,adgangspunkt,husnummerretning,husnummertekst,jordstykke,' +
        'navngivenVej,postnummer,supplerendeBynavn,vejmidte,vejpunkt',
      rows: Iterator.from(accesses).map((row) => accessRow(country, towns, row)),
    },
    {
      entity: 'Adresse',
      columns: UNIT_COLUMNS,
      rows: Iterator.from(units)
        .filter(({ access }) => access < accesses.length)
        .map(({ id, status, access, floor, door }) => {
          const home = accesses[access]!;
          const text = composeUnit({ ...partsOf(country, home), floor, door });
          return [id, status, `"${text}",${door ?? ''},${floor ?? ''},${home.id}`] as const;
        }),
    },
  ];
}

function partsOf({ roads, postcodes }: Country, home: AccessRow) {
  const { houseNumber, supplementaryTown } = home;
  const postcode = home.postcode === null ? null : postcodes[home.postcode]!;
  return { roadName: roads[home.road]!.name, houseNumber, supplementaryTown, postcode };
}

function accessRow(country: Country, towns: ReadonlyMap<string, string>, row: AccessRow) {
  const { id, status, houseNumber, supplementaryTown, bfe } = row;
  const { roadId, municipalityCode, roadCode } = country.roads[row.road]!;
  const town = supplementaryTown === null ? '' : towns.get(supplementaryTown);
  const postcode = row.postcode === null ? '' : idOf('001', row.postcode);
  const text = composeAccess(partsOf(country, row));
  return [
    id,
    status,
    `"${text}",${pointOf(row)},POINT (1 0),${houseNumber},${bfe ?? ''},${roadId},${postcode},` +
      `${town},${municipalityCode}-${roadCode ?? ''},${pointOf(row)}`,
  ] as const;
}
