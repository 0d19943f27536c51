import type { SampleRegister } from '../../sample-register.ts';
import { ADDRESS_ENTITIES } from '../addresses/rows.ts';
import { CADASTRE_ENTITIES } from '../cadastre/rows.ts';
import { BBR_MIN_ROWS, generateBuildings } from './buildings.ts';

export const sample: SampleRegister = {
  minRows: BBR_MIN_ROWS,
  asJson: ['TekniskAnlaeg'],
  needs: [...ADDRESS_ENTITIES, ...CADASTRE_ENTITIES],
  rows: generateBuildings,
};
