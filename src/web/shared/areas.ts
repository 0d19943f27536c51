import type { Area } from '../../account/permissions.ts';
import type { Words } from '../../layers/words.ts';

/** What a restricted key may open (D64), in the order of the form. */
export const AREA_WORDS: Readonly<Record<Area, Words>> = {
  bbr: { da: 'BBR', en: 'BBR' },
  dagi: { da: 'DAGI', en: 'DAGI' },
  natur: { da: 'Natur', en: 'Nature' },
  adresser: { da: 'Adresser', en: 'Addresses' },
  cvr: { da: 'CVR', en: 'CVR' },
  dhm: { da: 'Højdemodel', en: 'Terrain' },
  stednavne: { da: 'Stednavne', en: 'Place names' },
  vurdering: { da: 'Vurdering', en: 'Assessment' },
  miljoe: { da: 'Forhold', en: 'Conditions' },
  replikering: { da: 'Replikering', en: 'Replication' },
  jobs: { da: 'Job', en: 'Jobs' },
};
