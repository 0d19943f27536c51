/**
 * `yazl` takes the checksums of an archive by `buffer-crc32`, a byte at a time in JavaScript: a quarter of the
 * time of a large workbook. Node has the same checksum in native code, which takes its place here. Whoever
 * opens an archive holds it against its content.
 */
import { createRequire } from 'node:module';
import { crc32 } from 'node:zlib';

interface BufferCrc32 {
  /** `before`: of what came before. */
  unsigned: (bytes: Uint8Array, before?: number) => number;
}

const ofYazl = createRequire(createRequire(import.meta.url).resolve('yazl'));
const checksums = ofYazl('buffer-crc32') as BufferCrc32;
checksums.unsigned = (bytes, before = 0) => crc32(bytes, before);
