/**
 * Checks a TIFF's directory before the library reads it, which allocates what each field announces,
 * forged or not.
 */
import { LIMITS } from '../../kernel/limits.ts';
import { RasterRefused } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';

const TYPE_BYTES: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4 },
  ...{ 16: 8, 17: 8, 18: 8 },
};

interface Layout {
  readonly directoryAt: number;
  readonly countBytes: 2 | 8;
  readonly entryBytes: 12 | 20;
}

/** Throws RasterRefused. Only little-endian files pass, the byte order of this machine. */
export async function guardDirectory(source: ByteSource): Promise<void> {
  const { directoryAt, countBytes, entryBytes } = await layoutOf(source);
  const head = viewOf(await source.read(directoryAt, countBytes));
  const fields = countBytes === 2 ? head.getUint16(0, true) : wholeAt(head, 0);
  const most = LIMITS.terrain.headerFields;
  if (fields < 1 || fields > most)
    throw refused(`a header of ${fields} fields, of at most ${most}`);
  const entries = viewOf(await source.read(directoryAt + countBytes, fields * entryBytes));
  let announced = 0;
  for (let at = 0; at < fields * entryBytes; at += entryBytes) {
    const bytes = TYPE_BYTES[entries.getUint16(at + 2, true)];
    if (bytes === undefined) throw refused('a field of an unknown type');
    const count = entryBytes === 12 ? entries.getUint32(at + 4, true) : wholeAt(entries, at + 4);
    announced += count * bytes;
  }
  if (announced > Math.min(LIMITS.terrain.headerBytes, source.size)) {
    throw refused(`a header that announces ${announced} bytes`);
  }
}

const FIRST_BYTES = 16;

async function layoutOf(source: ByteSource): Promise<Layout> {
  const head = viewOf(await source.read(0, Math.min(FIRST_BYTES, source.size)));
  if (head.byteLength < FIRST_BYTES) throw new RasterRefused('cut_off', 'no TIFF: too few bytes');
  const order = head.getUint16(0, true);
  if (order === 0x4d4d) throw refused('a TIFF in the byte order of other processors');
  if (order !== 0x4949) throw refused('no TIFF');
  const version = head.getUint16(2, true);
  if (version === 42) {
    return { directoryAt: head.getUint32(4, true), countBytes: 2, entryBytes: 12 };
  }
  if (version === 43 && head.getUint16(4, true) === 8) {
    return { directoryAt: wholeAt(head, 8), countBytes: 8, entryBytes: 20 };
  }
  throw refused(`a TIFF of version ${version}`);
}

function wholeAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function refused(why: string): RasterRefused {
  return new RasterRefused('refused', why);
}
