/** The finder as the judges ask it. */
import type {
  AddressFinder,
  CleanseKind,
  WrittenAddress,
} from '../../src/registers/addresses/addresses.ts';
import { NO_FILTER } from '../../src/registers/addresses/addresses.ts';
import type { Answerer } from './score.ts';
import type { Suggest } from './typing.ts';

const LISTED = 5;

/** A house is asked for without a type, units and access addresses by theirs. */
export function answererOf(finder: Pick<AddressFinder, 'cleanse'>): Answerer {
  return (written, asks) => {
    const given = typeof written === 'string' ? { text: written } : written;
    const { category, candidates } = finder.cleanse(given, asks === 'house' ? null : asks, LISTED);
    return { category, ids: candidates.map(({ address }) => address.id) };
  };
}

export function suggesterOf(finder: Pick<AddressFinder, 'suggest'>): Suggest {
  return (text, caret) =>
    finder
      .suggest({ ...NO_FILTER, text, caret, depth: 'unit', limit: 20 })
      .map(({ address }) => address?.id ?? null);
}

export const firstBy =
  (finder: Pick<AddressFinder, 'cleanse'>) =>
  (written: string | WrittenAddress, kind: CleanseKind | null = null) => {
    const given = typeof written === 'string' ? { text: written } : written;
    const { category, candidates } = finder.cleanse(given, kind, LISTED);
    return [category, candidates[0]?.address.designation ?? null] as const;
  };
