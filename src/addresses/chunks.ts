/** A text taken apart into the words that addresses are read from. */
import { normalize } from '../names/normalize.ts';

/** A word of a text, between spaces and commas. */
export interface Chunk {
  readonly text: string;
  readonly folded: string;
  /** A full stop stood behind it. */
  readonly hasStop: boolean;
  /** Commas before it. */
  readonly part: number;
  readonly start: number;
  readonly end: number;
}

/** Words of one text that are looked at; of the rest so many letters are kept as unknown. */
const MOST_CHUNKS = 40;
const MOST_REST = 100;
/** What joins a word to its neighbour although it is another: `2.th`, `2tv`, `DK-5000`. */
const SIDE = 'tv|th|mf|venstre|højre|hoejre|midtfor';
const FLOOR = '\\d{1,2}|st|stuen|kl|kld|k[2-9]';
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/[()[\]{}"„“”«»]/g, ' '],
  // `3.sal.th`, `5000Odense`, `36A/3th`, `36 og 38`.
  [/(\d)\.?\s?sal\.?(?=\p{L})/giu, '$1. sal '],
  [/(?<![\p{L}\d])(\d{4})(?=\p{L}{3})/gu, '$1 '],
  [/(\d\p{L}?)[/\\|:-]+(?=(?:\d{1,2}|st|kl)[.\s/-]*(?:tv|th|mf|sal)(?!\p{L}))/giu, '$1, '],
  [/(?<!\d)(\d{1,3}\p{L}?)\s+[-–]\s+(?=\d{1,3}\p{L}?\s*(?:,|$))/gu, '$1-'],
  [/(\d\p{L}?)\s+(?:og|&)\s+(?=(?:\d{1,3}\p{L}?|\p{L})(?:[\s,]|$))/giu, '$1+'],
  [/(?<!\p{L})t\.\s*v\b\.?/giu, 'tv'],
  [/(?<!\p{L})t\.\s*h\b\.?/giu, 'th'],
  [/(?<!\p{L})m\.\s*f\b\.?/giu, 'mf'],
  [/\btil venstre\b/gi, 'tv'],
  [/\btil (?:højre|hoejre)(?![\p{L}])/giu, 'th'],
  [/\bmidt for\b/gi, 'mf'],
  // `Christian 9.s Gade`.
  [/\b(\d{1,2})\.\s?s(?=\s)/gi, '$1s'],
  [/\b(?:dk[\s.-]{0,3}|d\s?-\s?)(?=\d{4}\b)/gi, ''],
];
const GLUED: readonly RegExp[] = [
  new RegExp(`^(${FLOOR})[./-]*(${SIDE})$`, 'i'),
  new RegExp(`^(${FLOOR})\\.-?([a-z0-9/-]{1,4})$`, 'i'),
  /^(\d{1,2})\.?(sal)$/i,
  /^(d|dør|nr|lejl)\.?(\d{1,4})$/i,
];
/** `Møllemarksvej26`. */
const GLUED_NUMBER = /^(\p{L}[\p{L}.'’-]{2,}?)(\d{1,3}(?:\p{L}|[-/]\d{1,3}\p{L}?)?)$/u;

/** The words of a text, in order; sides and floors written together are taken apart. */
export function chunksOf(text: string): readonly Chunk[] {
  let plain = text.normalize('NFC');
  for (const [pattern, by] of REWRITES) plain = plain.replace(pattern, by);
  const chunks: Chunk[] = [];
  let part = 0;
  for (const match of plain.matchAll(/[,;\n]|[^\s,;]+/g)) {
    const [word] = match;
    if (/^[,;\n]$/.test(word)) {
      part += 1;
      continue;
    }
    const glued = GLUED.map((pattern) => pattern.exec(word.replace(/\.+$/, ''))).find(
      (found) => found !== null,
    );
    const number = glued ? null : GLUED_NUMBER.exec(word.replace(/[.:]+$/, ''));
    const words = glued ? [`${glued[1]!}.`, glued[2]!] : number ? [number[1]!, number[2]!] : [word];
    for (const each of words) {
      const bare = each.replace(/[.:-]+$/, '').replace(/^-+(?=[\p{L}\d])/u, '');
      const folded = normalize(bare);
      if (folded === '') continue;
      const end = match.index + word.length;
      chunks.push({
        text: bare,
        folded,
        hasStop: each.endsWith('.'),
        part,
        start: match.index,
        end,
      });
    }
    if (chunks.length >= MOST_CHUNKS) {
      const end = plain.length;
      const rest = plain.slice(match.index + word.length, match.index + word.length + MOST_REST);
      const folded = normalize(rest);
      const last = { text: rest, folded, hasStop: false, part: part + 1, start: match.index, end };
      if (folded !== '') chunks.push(last);
      break;
    }
  }
  return chunks;
}

export function wordsOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ text, hasStop }) => (hasStop ? `${text}.` : text)).join(' ');
}

/** Words side by side in one part, joined. */
export function placesOf(chunks: readonly Chunk[]): readonly string[] {
  const byPart = new Map<number, string[]>();
  for (const { part, folded } of chunks) {
    const words = byPart.get(part) ?? [];
    words.push(folded);
    byPart.set(part, words);
  }
  return [...byPart.values()].map((words) => words.join(' '));
}
