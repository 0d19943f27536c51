/** What the tests of one file share: opened while the file loads, closed after its last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { HANG_MS } from './run-settings.ts';

/** The opened value. What opens for longer than only a hang takes fails the file. */
export async function opened<T extends { close(): unknown }>(opening: Promise<T>): Promise<T> {
  afterAll(async () => {
    const shared = await opening;
    await shared.close();
  });
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error('did not open')), 10 * HANG_MS);
  return await Promise.race([opening, limit.promise]).finally(() => clearTimeout(timer));
}

/** A folder of a file's or a suite's own, gone after its last test. */
export function ownFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `geoopslag-${name}-`));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
