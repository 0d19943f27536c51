import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';

const PATHS: Readonly<Record<Theme, string>> = {
  region: 'regioner',
  kommune: 'kommuner',
  sogn: 'sogne',
  retskreds: 'retskredse',
  politikreds: 'politikredse',
  opstillingskreds: 'opstillingskredse',
};

export function pathOfArea(theme: Theme): string {
  return PATHS[theme];
}

export const AREA_PATHS: readonly (readonly [theme: Theme, path: string])[] = THEMES.map(
  (theme) => [theme, PATHS[theme]] as const,
);
