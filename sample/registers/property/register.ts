import type { SampleRegister } from '../../sample-register.ts';
import { ADDRESS_ENTITIES } from '../addresses/rows.ts';
import { CADASTRE_ENTITIES } from '../cadastre/rows.ts';
import { generateBuildings } from './buildings.ts';

export const sample: SampleRegister = {
  minRows: {
    Ejendomsrelation: 600,
    Grund: 400,
    GrundJordstykke: 400,
    Bygning: 1_000,
    BygningEjendomsrelation: 2,
    Etage: 1_000,
    Opgang: 700,
    Enhed: 1_000,
    EnhedEjendomsrelation: 50,
    TekniskAnlaeg: 50,
  },
  asJson: ['TekniskAnlaeg'],
  needs: [...ADDRESS_ENTITIES, ...CADASTRE_ENTITIES],
  rows: generateBuildings,
};
