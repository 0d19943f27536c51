/** What the regions of the sample must hold, written down by hand. */
import type { Theme } from '../../src/layers/keys.ts';

type Member = `${Theme}/${string}`;
const listed = (text: string) => text.split(' ') as Member[];

/**
 * D41: the areas by the region most of their land is in. Three lie in both regions: parish 9910,
 * court district 1193, police district 1492.
 */
export const SAMPLE_REGIONS: Readonly<Record<string, readonly Member[]>> = {
  '1091': listed(
    'region/1091 kommune/0091 kommune/0092 kommune/0093 sogn/9901 sogn/9902 sogn/9903 ' +
      'sogn/9906 sogn/9907 sogn/9908 sogn/9909 sogn/9910 sogn/9912 sogn/9913 retskreds/1191 ' +
      'retskreds/1192 politikreds/1491 opstillingskreds/0001 opstillingskreds/0002 ' +
      'opstillingskreds/0003',
  ),
  '1092': listed(
    'region/1092 kommune/0094 kommune/0095 kommune/0096 sogn/9904 sogn/9905 sogn/9911 ' +
      'sogn/9914 sogn/9915 retskreds/1193 politikreds/1492 opstillingskreds/0004',
  ),
};
