import { SOURCE_WORDS } from '../../layers/words.ts';
import { number } from '../shared/format.ts';
import type { Words } from '../../layers/words.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import * as TERMS from './terms.ts';
import type { Guard, Layer, RunState } from './types.ts';

export const RUN_STATES = Object.keys(TERMS.RUNS) as readonly RunState[];

export function runWord(state: RunState): string {
  return inLanguage(TERMS.RUNS[state]);
}

const wordsOf =
  (table: Readonly<Record<string, Words>>) =>
  (key: string): string =>
    wordOf(table, key);

export const kindWord = wordsOf(TERMS.KINDS);
export const phaseWord = wordsOf(TERMS.PHASES);
export const answerWord = wordsOf(TERMS.ANSWERS);
export const hostWord = wordsOf(SOURCE_WORDS);
export const breakerWord = wordsOf(TERMS.BREAKERS);
export const actionWord = wordsOf(TERMS.ACTIONS);
export const guardWord = wordsOf(TERMS.GUARDS);
export const failureWord = wordsOf(TERMS.FAILURES);
export const issueWord = wordsOf(TERMS.ISSUES);

/** Empty: not known. */
export function triggerWord(trigger: string): string {
  return Object.hasOwn(TERMS.TRIGGERS, trigger) ? wordOf(TERMS.TRIGGERS, trigger) : '';
}

export function meaningOf(failure: string): string {
  const known = TERMS.MEANINGS.find(([pattern]) => pattern.test(failure));
  if (known !== undefined) return inLanguage(known[1]);
  return t('Kørslen blev ikke til noget.', 'The run came to nothing.');
}

const layerNames = new Map<string, string>();

export function nameLayers(layers: readonly Pick<Layer, 'lag' | 'navn'>[]): void {
  for (const { lag, navn } of layers) layerNames.set(lag, navn);
}

export function layerWord(layer: string): string {
  return layerNames.get(layer) ?? layer;
}

/** In the service's own words, with the numbers that it compared. */
export function refusalText({ tekst, text, tal }: Guard): string {
  const numbers = tal.map(({ navn, vaerdi }) => `${spaced(navn)} ${number(vaerdi)}`);
  return t(tekst, numbers.length === 0 ? text : `${text} (${numbers.join(', ')})`);
}

/** `lastGoodRows`: last good rows. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
