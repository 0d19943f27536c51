/** The address register of the generated country as it writes its tables: CSV files, zipped. */
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import { composeAccess, composeUnit } from '../../src/layers/address-text.ts';
import type { AccessRow } from '../../src/layers/addresses.ts';
import { nationalAddresses } from '../national/addresses.ts';
import type { GeneratedAddresses } from '../national/addresses.ts';
import { Land } from '../national/land.ts';
import type { Content, UpstreamContent } from './content.ts';

interface TableFile {
  readonly entity: string;
  readonly name: string;
  readonly md5: string;
  readonly zipBytes: number;
  readonly plainBytes: number;
  readonly rows: number;
}

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
      const path = entity === 'Adresse' ? plain : null;
      files.push(await writeTable(dir, { entity, lines: linesOf(columns, rows), plain: path }));
    }
    return new AddressFiles(dir, files, plain);
  }

  constructor(dir: string, files: readonly TableFile[], plain: string) {
    this.#dir = dir;
    this.#files = files;
    const sum = (of: (file: TableFile) => number) => files.reduce((all, file) => all + of(file), 0);
    const units = files.find(({ entity }) => entity === 'Adresse')?.rows ?? 0;
    this.facts = {
      rows: sum(({ rows }) => rows),
      bytes: sum(({ plainBytes }) => plainBytes),
      plain: { path: plain, rows: units },
    };
  }

  answer({ searchParams }: URL, response: ServerResponse): void {
    const name = searchParams.get('Filename');
    if (this.#files.some((file) => file.name === name)) {
      createReadStream(join(this.#dir, name ?? '')).pipe(response);
      return;
    }
    const entity = searchParams.get('Entity')?.toLowerCase();
    const listed = this.#files.filter((file) => file.entity.toLowerCase() === entity);
    const availableFileDownloads = listed.map((file) => ({
      fileName: file.name,
      entityName: file.entity,
      md5Hash: file.md5,
      fileSizeInBytes: file.zipBytes,
    }));
    const paginationMetadata = { currentPage: 1, totalCount: listed.length, totalPages: 1 };
    response.end(JSON.stringify({ paginationMetadata, availableFileDownloads }));
  }

  close(): void {
    // Files are open only while they are read.
  }
}

const FLUSH_CHARS = 256 * 1024;
const LOCAL = 0x04034b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;

/** A zip file of one member, written as it comes; `plain`: the member once more by itself. */
async function writeTable(
  dir: string,
  { entity, lines, plain }: { entity: string; lines: Iterable<string>; plain: string | null },
): Promise<TableFile> {
  const name = `DAR_V1_${entity}_TotalDownload_csv_Current_690.zip`;
  const file = openSync(join(dir, name), 'w');
  const plainFile = plain === null ? null : openSync(plain, 'w', 0o644);
  const md5 = createHash('md5');
  const write = (bytes: Buffer): void => {
    md5.update(bytes);
    writeSync(file, bytes);
  };
  const member = { name: Buffer.from(name.replace(/zip$/, 'csv')), crc: 0, packed: 0, bytes: 0 };
  write(headerOf(LOCAL, member));
  const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
  deflate.on('data', (chunk: Buffer) => {
    member.packed += chunk.length;
    write(chunk);
  });
  const ended = new Promise((resolve) => deflate.once('end', resolve));
  let rows = -1;
  const counted = function* (): Generator<string> {
    for (const line of lines) {
      rows += 1;
      yield line;
    }
  };
  for (const bytes of blocksOf(counted())) {
    member.crc = crc32(bytes, member.crc);
    member.bytes += bytes.length;
    if (plainFile !== null) writeSync(plainFile, bytes);
    if (!deflate.write(bytes)) await new Promise((resolve) => deflate.once('drain', resolve));
  }
  deflate.end();
  await ended;
  const directory = headerOf(DIRECTORY, member);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(member.packed + 30 + member.name.length, 16);
  write(Buffer.concat([directory, end]));
  closeSync(file);
  if (plainFile !== null) closeSync(plainFile);
  const zipBytes = statSync(join(dir, name)).size;
  return { entity, name, md5: md5.digest('hex'), zipBytes, plainBytes: member.bytes, rows };
}

function* blocksOf(lines: Iterable<string>): Generator<Buffer> {
  let some: string[] = [];
  let chars = 0;
  for (const line of lines) {
    some.push(line);
    chars += line.length;
    if (chars < FLUSH_CHARS) continue;
    yield Buffer.from(`${some.join('\n')}\n`);
    some = [];
    chars = 0;
  }
  yield Buffer.from(`${some.join('\n')}\n`);
}

/** Sizes are known at the end only: they are in the directory, not before the data. */
function headerOf(
  signature: number,
  { name, crc, packed, bytes }: { name: Buffer; crc: number; packed: number; bytes: number },
): Buffer {
  const isDirectory = signature === DIRECTORY;
  const header = Buffer.alloc(isDirectory ? 46 : 30);
  const at = isDirectory ? 2 : 0;
  header.writeUInt32LE(signature, 0);
  header.writeUInt16LE(20, 4 + at);
  header.writeUInt16LE(0x0808, 6 + at);
  header.writeUInt16LE(8, 8 + at);
  if (isDirectory) {
    header.writeUInt32LE(crc, 16);
    header.writeUInt32LE(packed, 20);
    header.writeUInt32LE(bytes, 24);
  }
  header.writeUInt16LE(name.length, 26 + at);
  return Buffer.concat([header, name]);
}

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
const HEAD = 'id_lokalId,status,registreringFra,registreringTil,virkningFra,virkningTil';

function* linesOf(columns: string, rows: Table['rows']): Generator<string> {
  yield `${HEAD},${columns}`;
  for (const [id, status, rest] of rows) yield `${id},${status},${TIMES},${rest}`;
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
      columns: 'adressebetegnelse,doerbetegnelse,etagebetegnelse,husnummer',
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
