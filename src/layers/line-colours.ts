import type { LineKey } from './keys.ts';

/** Not in keys.ts, which pages without a map load. */
export const LINE_COLOURS: Readonly<Record<LineKey, string>> = {
  strandbeskyttelse: '#1f6fb2',
  klitfredning: '#b8860b',
  soe: '#2a9bc9',
  aa: '#3b7dd8',
  skov: '#2e7d32',
  kirke: '#8e44ad',
  fortidsminde: '#a0522d',
  dige: '#6d4c41',
  natur: '#6a994e',
  vandloeb: '#00838f',
};
