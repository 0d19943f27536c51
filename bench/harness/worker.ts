/** A process that works on jobs, inside itself. */
import { composeWork } from '../../src/start/worker.ts';
import { compositionOf } from './composition.ts';
import type { Settings } from './composition.ts';

/** Resolves when it has what it needs in memory. It works until its process ends. */
export async function startWorker(settings: Settings): Promise<void> {
  const { started } = await composeWork(compositionOf(settings));
  await started;
}
