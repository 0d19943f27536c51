import {
  assignRegions,
  cutNewAreas,
  describeDistricts,
} from '../../../src/registers/areas/derive.ts';
import { POSTAL } from '../../../src/layers/keys.ts';
import type { AreaId } from '../../../src/layers/keys.ts';
import { readDue } from '../../dated/carry-out.ts';
import { explain } from '../../dated/explain.ts';
import { withDatedGuards } from '../../dated/guards.ts';
import { reopenDated, settleDated } from '../../dated/settle.ts';
import type { FeatureKind } from '../features/kind.ts';

export const AREAS: FeatureKind = {
  derive: (_, { layer }) => {
    const id = layer.id as AreaId;
    return Promise.resolve({
      apply: async (trx) => {
        await cutNewAreas(trx, id);
        if (id === POSTAL || id === 'kommune') await describeDistricts(trx, id);
        return id === POSTAL ? [] : await assignRegions(trx, id);
      },
    });
  },
  // Only rows of the mirrored scale.
  sourceRows: ({ staged }) => staged,
  dates: { guarded: withDatedGuards, readDue, explain, settle: settleDated, reopen: reopenDated },
};
