/**
 * The address register at national size as file downloads over HTTP, in a process of its own: the
 * generated country as the register writes its tables, zipped on disk once and then only read.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { constants, crc32, createDeflateRaw } from 'node:zlib';
import type { DeflateRaw } from 'node:zlib';
import { composeAccess, composeUnit } from '../src/layers/address-text.ts';
import type { AccessRow } from '../src/layers/addresses.ts';
import { Land } from './national/land.ts';
import { nationalAddresses } from './national/addresses.ts';
import type { GeneratedAddresses } from './national/addresses.ts';

/** What the parent sends. */
export interface ImportOrder {
  readonly dir: string;
  /** Access addresses, of those of the whole country. */
  readonly count: number;
}

/** What the parent is told once it is served. */
export interface ImportServed {
  readonly url: string;
  readonly rows: number;
  readonly zipBytes: number;
  readonly plainBytes: number;
  /** The unit addresses once more, not zipped, for the database to read by itself. */
  readonly plainUnits: string;
  readonly units: number;
}

interface Listed {
  readonly entity: string;
  readonly name: string;
  readonly md5: string;
  readonly bytes: number;
}

const TIMES = '2018-05-03T16:58:34.000000Z,,2005-01-01T12:00:00.000000Z,';
const HEAD = 'id_lokalId,status,registreringFra,registreringTil,virkningFra,virkningTil';
const FLUSH_CHARS = 256 * 1024;

/** One table on its way into a zip file. */
class TableFile {
  readonly name: string;
  readonly #path: string;
  readonly #file: number;
  readonly #md5: Hash = createHash('md5');
  readonly #deflate: DeflateRaw;
  readonly #ended: Promise<void>;
  readonly #plain: number | null;
  #text: string[] = [];
  #chars = 0;
  #crc = 0;
  #packed = 0;
  plainBytes = 0;
  rows = 0;

  constructor(dir: string, entity: string, plain: string | null = null) {
    this.name = `DAR_V1_${entity}_TotalDownload_csv_Current_690.zip`;
    this.#path = join(dir, this.name);
    this.#file = openSync(this.#path, 'w');
    this.#plain = plain === null ? null : openSync(plain, 'w', 0o644);
    this.#deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED });
    this.#write(this.#header(0x04034b50, 0));
    this.#deflate.on('data', (chunk: Buffer) => {
      this.#packed += chunk.length;
      this.#write(chunk);
    });
    this.#ended = new Promise((resolve) => this.#deflate.on('end', resolve));
  }

  /** Waits now and then, so that what is packed can be written. */
  async line(text: string): Promise<void> {
    this.#text.push(text);
    this.#chars += text.length;
    this.rows += 1;
    if (this.#chars >= FLUSH_CHARS) await this.#flush();
  }

  async end(): Promise<Listed & { readonly rows: number; readonly plainBytes: number }> {
    await this.#flush();
    this.#deflate.end();
    await this.#ended;
    const directory = this.#header(0x02014b50, this.#packed);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#packed + 30 + this.name.length, 16);
    this.#write(Buffer.concat([directory, end]));
    closeSync(this.#file);
    if (this.#plain !== null) closeSync(this.#plain);
    const entity = this.name.split('_')[2] ?? '';
    const { size } = statSync(this.#path);
    const { rows, plainBytes, name } = this;
    return { entity, name, md5: this.#md5.digest('hex'), bytes: size, rows: rows - 1, plainBytes };
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(`${this.#text.join('\n')}\n`);
    this.#text = [];
    this.#chars = 0;
    this.#crc = crc32(bytes, this.#crc);
    this.plainBytes += bytes.length;
    if (this.#plain !== null) writeSync(this.#plain, bytes);
    if (!this.#deflate.write(bytes)) {
      await new Promise((resolve) => this.#deflate.once('drain', resolve));
    }
  }

  /** Sizes are known at the end only: they stand in the directory. */
  #header(signature: number, packed: number): Buffer {
    const isDirectory = signature === 0x02014b50;
    const name = Buffer.from(this.name.replace(/zip$/, 'csv'));
    const bytes = Buffer.alloc(isDirectory ? 46 : 30);
    const at = isDirectory ? 2 : 0;
    bytes.writeUInt32LE(signature, 0);
    bytes.writeUInt16LE(20, 4 + at);
    bytes.writeUInt16LE(0x0808, 6 + at);
    bytes.writeUInt16LE(8, 8 + at);
    if (isDirectory) {
      bytes.writeUInt32LE(this.#crc, 16);
      bytes.writeUInt32LE(packed, 20);
      bytes.writeUInt32LE(this.plainBytes, 24);
    }
    bytes.writeUInt16LE(name.length, 26 + at);
    return Buffer.concat([bytes, name]);
  }

  #write(bytes: Buffer): void {
    this.#md5.update(bytes);
    writeSync(this.#file, bytes);
  }
}

process.once('message', (order: ImportOrder) => {
  serve(order).then(
    (served) => process.send?.(served),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function serve({ dir, count }: ImportOrder): Promise<ImportServed> {
  const plainUnits = join(dir, 'units.csv');
  const files = await writeAll(dir, { count, plainUnits });
  const listed = new Map(files.map((file) => [file.entity.toLowerCase(), file]));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bench');
    const name = url.searchParams.get('Filename');
    const file = files.find((each) => each.name === name);
    if (file !== undefined) {
      createReadStream(join(dir, file.name)).pipe(response);
      return;
    }
    const found = listed.get((url.searchParams.get('Entity') ?? '').toLowerCase());
    response.end(JSON.stringify(listing(found)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rows: sum(({ rows }) => rows),
    zipBytes: sum(({ bytes }) => bytes),
    plainBytes: sum(({ plainBytes }) => plainBytes),
    plainUnits,
    units: listed.get('adresse')?.rows ?? 0,
  };
}

function listing(file: Listed | undefined) {
  const files = file === undefined ? [] : [file];
  return {
    paginationMetadata: { currentPage: 1, totalCount: files.length, totalPages: 1 },
    availableFileDownloads: files.map(({ name, entity, md5, bytes }) => ({
      fileName: name,
      entityName: entity,
      md5Hash: md5,
      fileSizeInBytes: bytes,
    })),
  };
}

async function writeAll(
  dir: string,
  { count, plainUnits }: { readonly count: number; readonly plainUnits: string },
) {
  const { postcodes, roads, accesses, units } = nationalAddresses(new Land(1));
  const country = { postcodes, roads, units, accesses: [...first(accesses, count)] };
  const files = [];
  for (const write of WRITERS) files.push(await write(dir, country));
  files.push(await writeUnits(dir, country, plainUnits));
  return files;
}

/** The generator's rows are given once: the access addresses are wanted by four tables. */
type Country = Pick<GeneratedAddresses, 'postcodes' | 'roads' | 'units'> & {
  readonly accesses: readonly AccessRow[];
};

/** An id made of a place: of things the generator gives none. */
function idOf(kind: string, place: number): string {
  return `00000000-0000-4000-8${kind}-${place.toString(16).padStart(12, '0')}`;
}

async function writePostcodes(dir: string, { postcodes }: Country) {
  const file = new TableFile(dir, 'Postnummer');
  await file.line(`${HEAD},navn,postnr`);
  for (const [i, { code, name }] of postcodes.entries()) {
    await file.line(`${idOf('001', i)},3,${TIMES},${name},${code}`);
  }
  return await file.end();
}

const TOWNS = new Map<string, string>();

/** The names are known once all addresses were seen. */
async function writeTowns(dir: string, { accesses }: Country) {
  const file = new TableFile(dir, 'SupplerendeBynavn');
  await file.line(`${HEAD},navn`);
  for (const { supplementaryTown } of accesses) {
    if (supplementaryTown === null || TOWNS.has(supplementaryTown)) continue;
    const id = idOf('002', TOWNS.size);
    TOWNS.set(supplementaryTown, id);
    await file.line(`${id},3,${TIMES},${supplementaryTown}`);
  }
  return await file.end();
}

async function writeRoads(dir: string, { roads }: Country) {
  const file = new TableFile(dir, 'NavngivenVej');
  await file.line(`${HEAD},vejadresseringsnavn,vejnavn`);
  for (const { roadId, name, shortName } of roads) {
    await file.line(`${roadId},3,${TIMES},${shortName ?? ''},${name}`);
  }
  return await file.end();
}

async function writeParts(dir: string, { roads }: Country) {
  const file = new TableFile(dir, 'NavngivenVejKommunedel');
  await file.line(`${HEAD},kommune,navngivenVej,vejkode`);
  for (const [i, { roadId, municipalityCode, roadCode }] of roads.entries()) {
    await file.line(`${idOf('003', i)},3,${TIMES},${municipalityCode},${roadId},${roadCode ?? ''}`);
  }
  return await file.end();
}

/** As far from its address's id as any other. */
function pointOf({ id }: AccessRow): string {
  return Array.from(id.replaceAll('-', ''))
    .reverse()
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

async function writePoints(dir: string, { accesses }: Country) {
  const file = new TableFile(dir, 'Adressepunkt');
  await file.line(`${HEAD},oprindelse_kilde,oprindelse_noejagtighedsklasse,position`);
  for (const access of accesses) {
    const { position } = access;
    const at = position === null ? '0 0' : `${position.xUtm32} ${position.yUtm32}`;
    await file.line(`${pointOf(access)},8,${TIMES},Adressemyn,A,POINT (${at})`);
  }
  return await file.end();
}

async function writeAccesses(dir: string, country: Country) {
  const { roads, postcodes, accesses } = country;
  const file = new TableFile(dir, 'Husnummer');
  await file.line(
    `${HEAD},adgangsadressebetegnelse,adgangspunkt,husnummerretning,husnummertekst,jordstykke,` +
      'navngivenVej,postnummer,supplerendeBynavn,vejmidte,vejpunkt',
  );
  for (const row of accesses) {
    const { id, status, houseNumber, supplementaryTown, bfe } = row;
    const { name: roadName, roadId, municipalityCode, roadCode } = roads[row.road]!;
    const postcode = row.postcode === null ? null : postcodes[row.postcode]!;
    const text = composeAccess({ roadName, houseNumber, supplementaryTown, postcode });
    const town = supplementaryTown === null ? '' : TOWNS.get(supplementaryTown);
    await file.line(
      `${id},${status},${TIMES},"${text}",${pointOf(row)},POINT (1 0),${houseNumber},${bfe ?? ''},` +
        `${roadId},${row.postcode === null ? '' : idOf('001', row.postcode)},${town},` +
        `${municipalityCode}-${roadCode ?? ''},${pointOf(row)}`,
    );
  }
  return await file.end();
}

async function writeUnits(dir: string, country: Country, plainUnits: string) {
  const { roads, postcodes, accesses } = country;
  const file = new TableFile(dir, 'Adresse', plainUnits);
  await file.line(`${HEAD},adressebetegnelse,doerbetegnelse,etagebetegnelse,husnummer`);
  for (const { id, status, access, floor, door } of country.units) {
    const home = accesses[access];
    if (home === undefined) continue;
    const { houseNumber, supplementaryTown } = home;
    const { name: roadName } = roads[home.road]!;
    const postcode = home.postcode === null ? null : postcodes[home.postcode]!;
    const parts = { roadName, houseNumber, supplementaryTown, postcode, floor, door };
    await file.line(
      `${id},${status},${TIMES},"${composeUnit(parts)}",${door ?? ''},${floor ?? ''},${home.id}`,
    );
  }
  return await file.end();
}

const WRITERS = [
  writePostcodes,
  writeTowns,
  writeRoads,
  writeParts,
  writePoints,
  writeAccesses,
] as const;

function* first(rows: Iterable<AccessRow>, count: number): Generator<AccessRow, undefined> {
  let left = count;
  for (const row of rows) {
    if (left <= 0) return;
    left -= 1;
    yield row;
  }
}
