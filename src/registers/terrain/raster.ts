/** Accepts only what the national model uses: a guessed height looks like a real one. */
import { promisify } from 'node:util';
import { inflate, zstdDecompress } from 'node:zlib';
import { BaseDecoder, GeoTIFF } from 'geotiff';
import { LIMITS } from '../../kernel/limits.ts';
import type { RasterGrid } from '../../geo/heights.ts';
import { RasterRefused, checkStretch } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { guardDirectory } from './directory-guard.ts';
import { decodeLzw } from './lzw.ts';

export interface BlockLayout {
  readonly columns: number;
  readonly rows: number;
  readonly across: number;
}

export interface HeightRaster {
  readonly grid: RasterGrid;
  /** null: the file names none. */
  readonly noData: number | null;
  readonly blocks: BlockLayout;
  readonly bytes: number;
  /** Row by row. A block that is not stored is all NaN. */
  readBlock(n: number, source: ByteSource): Promise<Cells>;
}

export type Cells = Float32Array | Float64Array;

/** Throws RasterRefused, and what the source throws. */
export async function openRaster(source: ByteSource): Promise<HeightRaster> {
  await guardDirectory(source);
  const tags = await readTags(source);
  const grid = gridOf(tags);
  const format = formatOf(tags);
  const { blocks } = format;
  const across = Math.ceil(grid.columns / blocks.columns);
  const count = across * Math.ceil(grid.rows / blocks.rows);
  const { offsets, lengths } = tags;
  if (offsets.length !== count || lengths.length !== count) {
    throw refused(`${offsets.length} blocks, where ${count} make the raster`);
  }
  const raster = { grid, format, offsets, lengths };
  return {
    grid,
    noData: tags.noData,
    blocks: { ...blocks, across },
    bytes: 16 * count + 512,
    readBlock: (n, from) => readBlock(raster, n, from),
  };
}

interface Tags {
  readonly columns: number;
  readonly rows: number;
  readonly bits: readonly number[];
  readonly sampleFormat: number;
  readonly compression: number;
  readonly predictor: number;
  readonly blockColumns: number;
  readonly blockRows: number;
  readonly offsets: ArrayLike<number>;
  readonly lengths: ArrayLike<number>;
  readonly noData: number | null;
  readonly scaled: boolean;
  readonly scale: readonly number[];
  readonly tie: readonly number[];
  readonly matrix: readonly number[];
  readonly crs: unknown;
  readonly isPoint: boolean;
}

async function readTags(source: ByteSource): Promise<Tags> {
  try {
    const file = await GeoTIFF.fromSource(asGeoTiffSource(source));
    const image = await file.getImage(0);
    const { fileDirectory } = image;
    const keys: Readonly<Record<string, unknown>> = image.getGeoKeys() ?? {};
    return await tagsFrom(keys, (name) =>
      fileDirectory.loadValue(name as Parameters<typeof fileDirectory.loadValue>[0]),
    );
  } catch (error) {
    if (error instanceof RasterRefused || isOfSystem(error)) throw error;
    throw refused(`its header cannot be read (${error instanceof Error ? error.message : 'why?'})`);
  }
}

/** Missing fields get the format's default values. */
async function tagsFrom(
  keys: Readonly<Record<string, unknown>>,
  read: (name: string) => Promise<unknown>,
): Promise<Tags> {
  const [columns, rows] = [numberIn(await read('ImageWidth')), numberIn(await read('ImageLength'))];
  const tileColumns = await read('TileWidth');
  const isTiled = tileColumns !== undefined;
  const rowsOfBlock = await read(isTiled ? 'TileLength' : 'RowsPerStrip');
  const noData = await read('GDAL_NODATA');
  return {
    ...{ columns, rows, isPoint: keys['GTRasterTypeGeoKey'] === 2 },
    bits: numbersIn(await read('BitsPerSample')),
    sampleFormat: numberIn((await read('SampleFormat')) ?? 1),
    compression: numberIn((await read('Compression')) ?? 1),
    predictor: numberIn((await read('Predictor')) ?? 1),
    blockColumns: isTiled ? numberIn(tileColumns) : columns,
    blockRows: Math.min(numberIn(rowsOfBlock ?? rows), isTiled ? Infinity : rows),
    offsets: numbersIn(await read(isTiled ? 'TileOffsets' : 'StripOffsets')),
    lengths: numbersIn(await read(isTiled ? 'TileByteCounts' : 'StripByteCounts')),
    noData: noDataIn(noData),
    scaled: isScaled(await read('GDAL_METADATA')),
    scale: numbersIn(await read('ModelPixelScale')),
    tie: numbersIn(await read('ModelTiepoint')),
    matrix: numbersIn(await read('ModelTransformation')),
    crs: keys['ProjectedCSTypeGeoKey'],
  };
}

/** A disk error is not the raster's fault. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && ('syscall' in error || error.name === 'TileUnreadable');
}

/** The library requests a kilobyte; the bytes it then uses must exist. */
function asGeoTiffSource(source: ByteSource): Parameters<typeof GeoTIFF.fromSource>[0] {
  const fetchSlice = async ({ offset, length }: { offset: number; length: number }) => {
    const within = Math.min(length, Math.max(0, source.size - offset));
    const bytes = await source.read(offset, within);
    return { offset, length: within, data: ownBuffer(bytes) };
  };
  // The package does not export the declared class.
  const asked: unknown = {
    fetchSlice,
    fetch: async (slices: { offset: number; length: number }[]) => {
      const found = await Promise.all(slices.map(fetchSlice));
      return found.map(({ data }) => data);
    },
    fileSize: source.size,
    close: () => Promise.resolve(),
  };
  return asked as Parameters<typeof GeoTIFF.fromSource>[0];
}

function ownBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
}

function numberIn(value: unknown): number {
  const number = Number(
    Array.isArray(value) || ArrayBuffer.isView(value) ? numbersIn(value)[0] : value,
  );
  if (!Number.isSafeInteger(number) || number < 0) throw refused('a field that is no whole number');
  return number;
}

function numbersIn(value: unknown): number[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'number') return [value];
  return Array.from(value as ArrayLike<number | bigint>, Number);
}

function noDataIn(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').trim();
  return text === '' ? null : Number(text);
}

/** Refused, since nothing here multiplies by them. */
function isScaled(metadata: unknown): boolean {
  return typeof metadata === 'string' && /role="(?:scale|offset)"/.test(metadata);
}

const CRS = 25832;

function gridOf(tags: Tags): RasterGrid {
  const { columns, rows, scale, tie, matrix, crs, isPoint } = tags;
  if (crs !== CRS) throw refused(`coordinates in EPSG:${String(crs)}, not EPSG:${CRS}`);
  const placed = scale.length >= 2 && tie.length === 6 ? byTie(scale, tie) : byMatrix(matrix);
  const { west, north, cellX, cellY } = placed;
  const { min, max } = LIMITS.terrain.cellM;
  const isCell = (size: number) => size >= min && size <= max;
  if (!isCell(cellX) || !isCell(cellY)) throw refused(`cells of ${cellX} by ${cellY} m`);
  if (columns < 1 || rows < 1) throw refused('no cells');
  // A point is the middle of its cell.
  const half = isPoint ? 0.5 : 0;
  const grid = { ...placed, west: west - half * cellX, north: north + half * cellY, columns, rows };
  if (!isInReach(grid)) throw refused('a raster that does not lie in Denmark');
  return grid;
}

type Placed = Pick<RasterGrid, 'west' | 'north' | 'cellX' | 'cellY'>;

function byTie(scale: readonly number[], tie: readonly number[]): Placed {
  const [cellX = NaN, cellY = NaN] = scale;
  const [column = NaN, row = NaN, , x = NaN, y = NaN] = tie;
  return { west: x - column * cellX, north: y + row * cellY, cellX, cellY };
}

function byMatrix(matrix: readonly number[]): Placed {
  const [cellX = NaN, turnX, , west = NaN, turnY, down = NaN, , north = NaN] = matrix;
  if (turnX !== 0 || turnY !== 0) throw refused('a raster that is turned, or lies nowhere');
  return { west, north, cellX, cellY: -down };
}

/** Metres, far beyond Denmark. */
const REACH = { west: 0, east: 1_500_000, south: 5_500_000, north: 7_000_000 };

function isInReach({ west, north, cellX, cellY, columns, rows }: RasterGrid): boolean {
  const [east, south] = [west + columns * cellX, north - rows * cellY];
  return west >= REACH.west && east <= REACH.east && south >= REACH.south && north <= REACH.north;
}

type Format = ReturnType<typeof formatOf>;

const FLOAT = 3;
const COMPRESSIONS = { none: 1, lzw: 5, deflate: 8, oldDeflate: 32_946, zstd: 50_000 } as const;
const KNOWN: readonly number[] = Object.values(COMPRESSIONS);

function formatOf(tags: Tags) {
  const { bits, sampleFormat, compression, predictor, blockColumns, blockRows, scaled } = tags;
  const [size, ...others] = bits;
  if (others.length > 0) throw refused(`${bits.length} bands, not one`);
  if (sampleFormat !== FLOAT || (size !== 32 && size !== 64)) {
    throw refused('cells that are no floating-point numbers of 32 or 64 bits');
  }
  if (scaled) throw refused('cells with a scale or an offset');
  if (!KNOWN.includes(compression)) throw refused(`compression ${compression}`);
  // Predictor 2 is for integers: writers disagree about it with 64 bits.
  if (![1, size === 32 ? 2 : 1, 3].includes(predictor)) throw refused(`predictor ${predictor}`);
  const bytes = (blockColumns * blockRows * size) / 8;
  if (!(bytes >= 1 && bytes <= LIMITS.terrain.blockBytes)) {
    throw refused(`blocks of ${bytes} bytes, of at most ${LIMITS.terrain.blockBytes}`);
  }
  const blocks = { columns: blockColumns, rows: blockRows };
  return { bits: size, compression, predictor, blocks };
}

interface OpenedRaster extends Pick<Tags, 'offsets' | 'lengths'> {
  readonly grid: RasterGrid;
  readonly format: Format;
}

async function readBlock(
  { grid, format, offsets, lengths }: OpenedRaster,
  n: number,
  source: ByteSource,
): Promise<Cells> {
  const { bits, blocks } = format;
  const [offset, length] = [offsets[n], lengths[n]];
  if (offset === undefined || length === undefined) throw new Error(`There is no block ${n}.`);
  const whole = blocks.columns * blocks.rows;
  // Not stored. Other readers take it for zeros, but there is no data.
  if (length === 0) return new Float32Array(whole).fill(NaN);
  checkStretch(source, offset, length);
  if (length > 2 * LIMITS.terrain.blockBytes) throw refused(`a block written in ${length} bytes`);
  const first = Math.floor(n / Math.ceil(grid.columns / blocks.columns)) * blocks.rows;
  const rows = Math.min(blocks.rows, grid.rows - first);
  const decoder = new BlockDecoder(format);
  const decoded = await decoder.decodeWhole(ownBuffer(await source.read(offset, length)));
  // Tiles store their last rows in full; strips need not.
  const least = (blocks.columns * rows * bits) / 8;
  if (decoded.byteLength < least) {
    throw new RasterRefused('cut_off', `block ${n} has ${decoded.byteLength} bytes of ${least}`);
  }
  const count = Math.min(whole, Math.floor(decoded.byteLength / (bits / 8)));
  return bits === 32 ? new Float32Array(decoded, 0, count) : new Float64Array(decoded, 0, count);
}

const inflateAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);
const zstdAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(zstdDecompress);

/** Limits a decoded block to its own size; the predictor is the package's. */
class BlockDecoder extends BaseDecoder {
  readonly #compression: number;
  readonly #bytes: number;

  constructor({ bits, compression, predictor, blocks }: Format) {
    const size = { tileWidth: blocks.columns, tileHeight: blocks.rows };
    super({ ...size, predictor, bitsPerSample: [bits], planarConfiguration: 1 });
    this.#compression = compression;
    this.#bytes = (blocks.columns * blocks.rows * bits) / 8;
  }

  async decodeWhole(block: ArrayBuffer): Promise<ArrayBuffer> {
    try {
      return (await this.decode(block)) as ArrayBuffer;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'why?';
      throw new RasterRefused('cut_off', `a block cannot be unpacked (${why})`);
    }
  }

  override async decodeBlock(block: ArrayBuffer): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(block);
    const limit = { maxOutputLength: this.#bytes };
    switch (this.#compression) {
      case COMPRESSIONS.none:
        return block;
      case COMPRESSIONS.lzw:
        return ownBuffer(decodeLzw(bytes, this.#bytes));
      case COMPRESSIONS.zstd:
        return ownBuffer(await zstdAside(bytes, limit));
      default:
        return ownBuffer(await inflateAside(bytes, limit));
    }
  }
}

function refused(why: string): RasterRefused {
  return new RasterRefused('refused', why);
}
