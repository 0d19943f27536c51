export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes; throws RasterRefused `cut_off` where they are missing. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export class RasterRefused extends Error {
  /** `cut_off`: it ends earlier than announced. */
  readonly kind: 'cut_off' | 'refused';

  constructor(kind: RasterRefused['kind'], message: string) {
    super(message);
    this.name = 'RasterRefused';
    this.kind = kind;
  }
}

/** Throws where the range is not within the bytes. */
export function checkStretch({ size }: Pick<ByteSource, 'size'>, at: number, length: number): void {
  if (Number.isSafeInteger(at) && at >= 0 && length >= 0 && at + length <= size) return;
  throw new RasterRefused('cut_off', `${length} bytes at ${at} are asked for, of ${size} in all`);
}

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
