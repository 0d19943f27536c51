/** The finder as the judges ask it. */
import type { AddressFinder, WashCandidate } from '../../src/layers/addresses.ts';
import type { Answerer } from './score.ts';
import type { Suggest } from './typing.ts';

const LISTED = 5;

export function answererOf(finder: Pick<AddressFinder, 'wash'>): Answerer {
  return (written, asks) => {
    const given =
      typeof written === 'string' ? { text: written } : 'text' in written ? { text: written.text } : written;
    const { category, candidates } = finder.wash(given, asks === 'access' ? 'access' : 'unit', LISTED);
    return { category, ids: candidates.map(asks === 'house' ? houseOf : idOf) };
  };
}

const idOf = ({ address }: WashCandidate): string => address.id;
const houseOf = ({ address }: WashCandidate): string =>
  'access' in address ? address.access.id : address.id;

export function suggesterOf(finder: Pick<AddressFinder, 'suggest'>): Suggest {
  return (text, caret) =>
    finder
      .suggest({ text, caret, depth: 'unit', limit: 20, municipalityCodes: [], postcodes: [] })
      .map(({ address }) => address?.id ?? null);
}
