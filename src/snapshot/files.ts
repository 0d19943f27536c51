/**
 * Snapshots on disk. A published layer version is two files: the FlatGeobuf that any GIS opens, and
 * beside it the engine's own bytes (`.idx`), which load as they are. Files appear under their names
 * only when complete.
 */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { SnapshotRefused } from './format.ts';

/** Bytes read or written at once: Node refuses more than 2 GiB, and smaller reads run side by side. */
const PIECE_BYTES = 64 * 1024 * 1024;

/** A snapshot larger than this is refused before memory is taken for it, bytes. */
const MAX_BYTES = 8 * 1024 ** 3;

/** Writes a file whole or not at all. */
export async function saveBytes(path: string, bytes: Uint8Array): Promise<void> {
  await replaceFile(path, async (temporary) => {
    const file = await open(temporary, 'w');
    try {
      for (let at = 0; at < bytes.length;) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        at += (await file.write(piece, 0, piece.length, at)).bytesWritten;
      }
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

/** Saves a snapshot's own bytes. */
export function saveSnapshot(path: string, buffer: SharedArrayBuffer): Promise<void> {
  return saveBytes(path, new Uint8Array(buffer));
}

/** Reads a file into shared memory; opening it checks what it is. Throws when it cannot be read. */
export async function loadSnapshot(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MAX_BYTES) throw new SnapshotRefused(`it is ${size} bytes long`);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size;) {
      const length = Math.min(PIECE_BYTES, size - at);
      const { bytesRead } = await file.read(bytes, at, length, at);
      if (bytesRead === 0) throw new SnapshotRefused('it is cut off');
      at += bytesRead;
    }
    return buffer;
  } finally {
    await file.close();
  }
}

/** Lets `write` fill a temporary file beside `path`, then puts it in place. */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
