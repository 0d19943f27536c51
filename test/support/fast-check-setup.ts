/** vitest's set-up of every project: properties are tried on what the seed of this run draws. */
import fc from 'fast-check';
import { TEST_SEED } from './run-settings.ts';

fc.configureGlobal({ seed: TEST_SEED });
