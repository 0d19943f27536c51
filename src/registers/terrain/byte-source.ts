/** Bytes that a raster is read from: a file, or an answer in memory. */

export interface ByteSource {
  readonly size: number;
  /** Exactly so many bytes; a RasterRefused `cut_off` where they are not there. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Why a raster tells no height: said by the reader, never with a guess at what it may have meant. */
export class RasterRefused extends Error {
  /** `cut_off`: it ends before what it announces. */
  readonly kind: 'cut_off' | 'refused';

  constructor(kind: RasterRefused['kind'], message: string) {
    super(message);
    this.name = 'RasterRefused';
    this.kind = kind;
  }
}

/** Throws where a stretch is not within the bytes. */
export function checkStretch({ size }: Pick<ByteSource, 'size'>, at: number, length: number): void {
  if (Number.isSafeInteger(at) && at >= 0 && length >= 0 && at + length <= size) return;
  throw new RasterRefused('cut_off', `${length} bytes at ${at} are asked for, of ${size} in all`);
}

/** An answer that came whole. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  const source: ByteSource = {
    size: bytes.length,
    read: (offset, length) => {
      checkStretch(source, offset, length);
      return Promise.resolve(bytes.subarray(offset, offset + length));
    },
  };
  return source;
}
