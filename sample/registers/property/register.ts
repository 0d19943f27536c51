import type { SampleRegister } from '../../sample-register.ts';
import { BBR_MIN_ROWS, generateBuildings } from './buildings.ts';

export const PROTECTION_PATH = '/fbb/wfs';

export const sample: SampleRegister = {
  minRows: BBR_MIN_ROWS,
  asJson: ['TekniskAnlaeg'],
  rows: generateBuildings,
  settingsAt: (base) => ({
    fbb: {
      files: { url: `${base}${PROTECTION_PATH}`, pageSize: 50, pageTimeoutMs: 20_000 },
      tables: {
        fredede: { guards: { minRows: 10 } },
        bevaringssag: { guards: { minRows: 5 } },
        alle: { guards: { minRows: 50 }, source: { maxRows: 500 } },
      },
    },
  }),
};
