/**
 * Reads a tile only if still the scanned file: opened without following links, identical before and
 * after each read. Not kept open.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { checkStretch } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';

export type FileIdentity = ReturnType<typeof identityOf>;

export function identityOf({ dev, ino, size, mtimeMs }: Stats) {
  return { device: dev, node: ino, size, changedMs: mtimeMs };
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.device === b.device && a.node === b.node && a.size === b.size && a.changedMs === b.changedMs
  );
}

export class TileUnreadable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TileUnreadable';
  }
}

/** Throws TileUnreadable, and what `work` throws. */
export async function withTile<T>(
  path: string,
  expected: FileIdentity,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  await using handle = await openUnlinked(path);
  await checkIdentity(handle, expected);
  const result = await work(sourceOf(handle, expected.size));
  // The bytes may be half of each.
  await checkIdentity(handle, expected);
  return result;
}

async function openUnlinked(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw new TileUnreadable(
      `cannot be opened (${(cause as NodeJS.ErrnoException).code ?? ''})`,
      cause,
    );
  }
}

async function checkIdentity(handle: FileHandle, expected: FileIdentity): Promise<void> {
  const stats = await handle.stat();
  if (stats.nlink === 0) throw new TileUnreadable('was deleted');
  if (!stats.isFile() || !isSameFile(identityOf(stats), expected)) {
    throw new TileUnreadable('is another file than the one that was found');
  }
}

function sourceOf(handle: FileHandle, size: number): ByteSource {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    checkStretch({ size }, offset, length);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length;) {
      const { bytesRead } = await handle
        .read(bytes, at, length - at, offset + at)
        .catch((cause: unknown) => {
          throw new TileUnreadable('cannot be read', cause);
        });
      if (bytesRead === 0) throw new TileUnreadable('became shorter while it was read');
      at += bytesRead;
    }
    return bytes;
  };
  return { size, read };
}
