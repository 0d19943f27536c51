/** What the tests of one file share: opened while the file loads, closed after its last test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { within } from '../../src/kernel/within.ts';
import { HANG_MS } from './run-settings.ts';

/** The opened value. What opens for longer than only a hang takes fails the file. */
export async function opened<T extends { close(): unknown }>(opening: Promise<T>): Promise<T> {
  afterAll(async () => {
    const shared = await opening;
    await shared.close();
  });
  const late = (): never => expect.unreachable('did not open');
  return await within(10 * HANG_MS, opening, late);
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
