import { constants, createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { replaceFile } from '../kernel/replace-file.ts';
import { NotAnObject } from './object-store.ts';
import type { ListedObject, LocalFile, ObjectStore } from './object-store.ts';

const PIECE_BYTES = 1024 * 1024;
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export class DirectoryStore implements ObjectStore {
  readonly name: string;
  readonly #directory: string;

  constructor(directory: string) {
    this.name = directory;
    this.#directory = directory;
  }

  async read(key: string, mostBytes: number): Promise<Uint8Array | null> {
    await using file = await this.#openPlain(key);
    if (file === null) return null;
    const { size } = await file.stat();
    if (size > mostBytes) throw new Error(`${key} is ${size} bytes, at most ${mostBytes} are read`);
    return await file.readFile();
  }

  async open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null> {
    const file = await this.#openPlain(key);
    return file && piecesOf(file, signal);
  }

  async sizeOf(key: string): Promise<number | null> {
    const found = await orNull(lstat(this.#pathOf(key)));
    return found?.isFile() === true ? found.size : null;
  }

  async write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    await this.#replace(key, Readable.from([bytes]), signal);
  }

  async copyIn(key: string, { path }: LocalFile, signal: AbortSignal): Promise<void> {
    await this.#replace(key, createReadStream(path, { highWaterMark: PIECE_BYTES }), signal);
  }

  async list(prefix: string, most: number): Promise<readonly ListedObject[]> {
    const found: ListedObject[] = [];
    const names = await orNull(
      readdir(this.#pathOf(prefix), { recursive: true, withFileTypes: true }),
    );
    for (const entry of names ?? []) {
      if (!entry.isFile() || found.length >= most) continue;
      const path = join(entry.parentPath, entry.name);
      // Another front may have removed it.
      const facts = await orNull(stat(path));
      const key = path.slice(this.#directory.length + 1);
      if (facts !== null) found.push({ key, modifiedAtMs: facts.mtimeMs });
    }
    return found;
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true });
  }

  async #replace(key: string, from: Readable, signal: AbortSignal): Promise<void> {
    const path = this.#pathOf(key);
    try {
      await mkdir(dirname(path), { recursive: true });
      await this.#refuseElsewhere(key);
      await replaceFile(path, (temporary) =>
        pipeline(from, createWriteStream(temporary, { flush: true }), { signal }),
      );
    } catch (error) {
      from.destroy();
      throw error;
    }
  }

  async #openPlain(key: string): Promise<FileHandle | null> {
    const path = this.#pathOf(key);
    const file = await orNull(open(path, PLAIN)).catch((error: unknown) => {
      const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
      throw isLink ? new NotAnObject(`${key} is a link`) : error;
    });
    if (file === null) return null;
    try {
      if (!(await file.stat()).isFile()) throw new NotAnObject(`${key} is not a plain file`);
      await this.#refuseElsewhere(key);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The store itself may be a link; no folder in it may. */
  async #refuseElsewhere(key: string): Promise<void> {
    const [root, folder] = [this.#directory, dirname(this.#pathOf(key))];
    const expected = join(await realpath(root), dirname(key));
    if ((await realpath(folder)) !== expected)
      throw new NotAnObject(`${basename(folder)} leads elsewhere`);
  }

  #pathOf(key: string): string {
    return join(this.#directory, key);
  }
}

/** In one buffer: a stream allocates for each, which is most of a file's cost. */
async function* piecesOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const memory = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(memory, 0, memory.length, null);
      if (bytesRead === 0) return;
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
