/** What the tests of one file share: opened while the file loads, closed after its last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
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
export const ownFolder = (name: string): string => folder(name, afterAll);

/** A folder of the test's own, gone after it. */
export const testFolder = (name: string): string => folder(name, onTestFinished);

function folder(name: string, when: (end: () => void) => void): string {
  const path = mkdtempSync(join(tmpdir(), `geoopslag-${name}-`));
  when(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
