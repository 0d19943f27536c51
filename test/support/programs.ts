/** Where programs are that some tests take. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium's shell lays out and paints with the same code and has no window: two thirds of the processor time. */
const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const MAPSERVER = ['/usr/lib/cgi-bin/mapserv', '/usr/bin/mapserv', '/usr/libexec/mapserv'];

/** null: it is not here. */
export function findChromiumProgram(): string | null {
  return CHROMIUM.find((path) => path !== '' && existsSync(path)) ?? null;
}

/** null: it is not here. */
export function findMapServer(): string | null {
  return MAPSERVER.find((path) => existsSync(path)) ?? null;
}

/** Whether a tool is here; says what is missing when it is not. With REQUIRE_ALL=1 that is a failure. */
export function isHere(program: string, missing: string): boolean {
  if (isOnPath(program)) return true;
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(missing);
  console.log(`SKIPPED: ${missing}`);
  return false;
}

export function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && existsSync(join(folder, program)));
}
