/** What the sample holds of each register: every folder of `registers` with a `register.ts`. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SampleRegister } from './sample-register.ts';

const FOLDER = join(import.meta.dirname, 'registers');

interface SampleModule {
  readonly sample: SampleRegister;
}

export const SAMPLES: readonly SampleRegister[] = await Promise.all(
  readdirSync(FOLDER)
    .sort()
    .map((name) => join(FOLDER, name, 'register.ts'))
    .filter((path) => existsSync(path))
    .map(async (path) => ((await import(path)) as SampleModule).sample),
);
