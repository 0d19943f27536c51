import { normalFloor } from '../../../layers/address-text.ts';
import { normalize } from '../../../names/normalize.ts';
import { plainText } from './plain-text.ts';

export interface Chunk {
  readonly text: string;
  readonly folded: string;
  readonly hasStop: boolean;
  readonly isBelow: boolean;
  /** Number of commas before it. */
  readonly part: number;
}

/** Words examined per text; the letters of the rest count as unknown. */
const MOST_CHUNKS = 40;
const MOST_REST = 100;
/** Glued floors and doors, `2.th`, `2tv`, and prefixes of a number, `lejl.7`. */
const SIDE = 'tv|th|mf|venstre|højre|hoejre|hojre|midtfor';
const FLOOR =
  '\\d{1,2}|st|stue(?:n|etagen?)?|kl|kld|k(?:æ|ae)lder(?:en|etagen?)?|k[2-9]|første|foerste|anden|tredje|tredie|fjerde|femte';
const GLUED: readonly RegExp[] = [
  new RegExp(`^(${FLOOR})[./:_·–-]*(${SIDE})$`, 'i'),
  new RegExp(`^(${FLOOR})\\.-?([a-z0-9/-]{1,4})$`, 'i'),
  new RegExp(`^(dør|lejl|lejlighed|bolig|app|apt)[.:-](${SIDE})$`, 'i'),
  /^(\d{1,2})\.?(sal)$/i,
  /^(d|dør|lejl|bolig|app|apt)[.:]?(\d{1,4})$/i,
  /^(nr|no)\.?(\d{1,4}[a-zæøå]?)$/i,
];
/** `Møllemarksvej26`, `Chr.8.Vej8`. */
const GLUED_NUMBER =
  /^((?:[\p{L}.]+\d{1,2}\.s?)?\p{L}[\p{L}.'’-]{2,}?)(\d{1,3}(?:\p{L}|[-/]\d{1,3}\p{L}?)?)$/u;

const ALONE =
  /^(?:\d{1,4}[a-zæøå]?|\d{1,2}\.|(?:st|kl)\.|tv|th|mf|\p{L}+(?<!tv|th|mf|venstre|jre|midtfor|sal))$/iu;

export function chunksOf(text: string): readonly Chunk[] {
  const plain = plainText(text);
  const chunks: Chunk[] = [];
  let part = 0;
  for (const match of plain.matchAll(/[,;\n]|[^\s,;]+/g)) {
    const [word] = match;
    if (/^[,;\n]$/.test(word)) {
      part += 1;
      continue;
    }
    chunks.push(...chunksOfWord(word, part));
    if (chunks.length >= MOST_CHUNKS) {
      const from = match.index + word.length;
      const rest = plain.slice(from, from + MOST_REST);
      const folded = normalize(rest);
      const last = { text: rest, folded, hasStop: false, isBelow: false, part: part + 1 };
      if (folded !== '') chunks.push(last);
      break;
    }
  }
  return chunks;
}

function chunksOfWord(word: string, part: number): readonly Chunk[] {
  if (ALONE.test(word)) return chunkOf(word, part, false);
  const isBelow = /^-+\d/.test(word);
  const bareWord = isBelow ? word.replace(/^-+/, '') : word;
  const ended = bareWord.replace(/\.+$/, '');
  const glued = GLUED.map((pattern) => pattern.exec(ended)).find((found) => found !== null);
  const isWhole = glued !== undefined || normalFloor(ended) !== null;
  const number = isWhole ? null : GLUED_NUMBER.exec(bareWord.replace(/[.:]+$/, ''));
  const words = glued
    ? [`${glued[1]!}.`, glued[2]! + bareWord.slice(ended.length)]
    : number
      ? [number[1]!, number[2]!]
      : [bareWord];
  // `12.-1. sal` is number 12 and a floor below ground.
  const isLastBelow = /\.-\d/.test(ended);
  return words.flatMap((each, i) => chunkOf(each, part, i === 0 ? isBelow : isLastBelow));
}

function chunkOf(word: string, part: number, isBelow: boolean): readonly Chunk[] {
  const text = word.replace(/[.:-]+$/, '').replace(/^[-/]+(?=[\p{L}\d])/u, '');
  const folded = normalize(text);
  return folded === '' ? [] : [{ text, folded, hasStop: /\.-*$/.test(word), isBelow, part }];
}

export function wordsOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ text, hasStop }) => (hasStop ? `${text}.` : text)).join(' ');
}

export function placesOf(chunks: readonly Chunk[]): readonly string[] {
  const parts = Map.groupBy(chunks, ({ part }) => part).values();
  return Array.from(parts, (words) => words.map(({ folded }) => folded).join(' '));
}
