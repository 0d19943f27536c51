/**
 * What follows from a layer's features: zones of the lines, pieces and regions of the areas. What
 * takes long is prepared before the publishing transaction, so that readers hardly wait.
 */
import type { Store } from '../src/db/connect.ts';
import { assignRegions, cutNewAreas } from '../src/registers/dagi/derive.ts';
import type { Run } from './deps.ts';

export interface Derived {
  /** Called inside the transaction, after the rows are in place. */
  readonly apply: (trx: Store['db']) => Promise<void>;
}

export async function derive(store: Store, { layer }: Run): Promise<Derived> {
  if (layer.register === 'dagi') {
    return {
      apply: async (trx) => {
        await cutNewAreas(trx, layer.id);
        await assignRegions(trx, layer.id);
      },
    };
  }
  await Promise.resolve(store);
  return { apply: () => Promise.resolve() };
}
