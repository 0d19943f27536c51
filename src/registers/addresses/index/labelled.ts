/** Labelled texts: `vej=Strandvejen&nr=12&postnr=2100`. */
import { FORM_WORDS, PART_OF } from '../../../layers/address-labels.ts';
import type { AddressPart } from '../../../layers/address-labels.ts';
import { COUNTRY, REGIONS } from '../../../names/abbreviations.ts';
import { keyOf, normalize } from '../../../names/normalize.ts';
import type { WrittenAddress } from '../addresses.ts';
import { decoded } from './plain-text.ts';

type InText = Extract<WrittenAddress, { readonly text: string }>;

const FORM = `(?<![\\p{L}\\d])(?:${FORM_WORDS.join('|')})(?![\\p{L}\\d])`;
const MAY_BE_LABELLED = new RegExp(`[:=<]|%3D|${FORM}`, 'iu');
const FORM_WITHOUT_SIGN = new RegExp(
  `(${FORM})\\.?(?!\\.?\\s*(?:[:=./&]|og\\s))(?:\\s+[-–](?=\\s))?`,
  'giu',
);
const BEFORE_SIGN = /((?:[\p{L}\d]+[ \t./]{1,3}){0,3}[\p{L}\d]+)[\s.]{0,2}[:=]/gu;
const MOST_WORDS = 4;
const MOST_TEXT = 1_000;

/** Values that say nothing in a Danish address. `DK-84` is ISO 3166-2's. */
const SAID_BY_ALL = new Map<AddressPart, (folded: string) => boolean>([
  ['region', (folded) => REGIONS.has(folded) || /^(?:dk )?8[1-5]$/.test(folded)],
  ['land', (folded) => COUNTRY.has(folded)],
]);

/** Unlabelled text becomes an unknown place. */
export function partsLabelled(written: InText): WrittenAddress {
  const { text, floor, door, postcode, town } = written;
  if (!MAY_BE_LABELLED.test(text) || text.length > MOST_TEXT) return written;
  if ([floor, door, postcode, town].some((part) => (part ?? '').trim() !== '')) return written;
  const { values, lead } = valuesIn(bare(text));
  const isPlaced = [...values.keys()].some((part) => part !== 'etage' && part !== 'doer');
  const isTwice = [...values].some(([part, own]) => own.length > 1 && part !== 'adresse');
  if (!isPlaced || isTwice) return written;
  // An address may have several lines.
  const valueOf = (part: AddressPart): string | null => values.get(part)?.join(', ') ?? null;
  const others = [...SAID_BY_ALL].flatMap(([part, isSaid]) =>
    (values.get(part) ?? []).filter((value) => !isSaid(normalize(value))),
  );
  const rest = [...(values.get('etage') ?? []), ...(values.get('doer') ?? [])].map(restOfUnit);
  const unit = { floor: unitOf(valueOf('etage')), door: unitOf(valueOf('doer')) };
  const beside = { ...unit, postcode: valueOf('postnr') };
  const number = valueOf('husnr');
  const road = valueOf('vej');
  const whole = valueOf('adresse') ?? (road === null ? lead : null);
  const place = joined(
    ...[valueOf('by'), valueOf('bydel'), lead === whole ? '' : lead],
    ...[...rest, ...others],
  );
  if (road !== null && whole === null) return { ...beside, road, houseNumber: number, town: place };
  const line = [whole, road, number].filter((part) => part !== null && part !== '').join(' ');
  if (line === '') return written;
  return { ...beside, text: line, town: place };
}

function bare(text: string): string {
  const plain = /\s/.test(text) ? text : text.replaceAll('+', ' ');
  return decoded(plain)
    .replace(/<\/[^<>]*>/g, ', ')
    .replace(/<([^<>]*)>/g, ' $1: ')
    .replace(/["{}[\]]/g, ' ')
    .replace(FORM_WITHOUT_SIGN, '$1: ');
}

function valuesIn(text: string) {
  const values = new Map<AddressPart, string[]>();
  const labels = [...text.matchAll(BEFORE_SIGN)].flatMap((found) => labelIn(found) ?? []);
  for (const [i, { part, to }] of labels.entries()) {
    const value = trimmed(text.slice(to, labels[i + 1]?.from));
    const own = values.get(part) ?? [];
    values.set(part, value === '' || value === 'null' ? own : [...own, value]);
  }
  const lead = text.slice(0, labels[0]?.from ?? text.length).replace(/^\S*\?$/, '');
  return { values, lead: trimmed(lead) };
}

/** The longest: `Postnr. og by:`. */
function labelIn({ 0: found, 1: words = '', index }: RegExpExecArray) {
  const starts = [...words.matchAll(/[\p{L}\d]+/gu)].map((word) => word.index).slice(-MOST_WORDS);
  for (const start of starts) {
    const part = PART_OF.get(keyOf(normalize(words.slice(start))));
    if (part !== undefined) return { part, from: index + start, to: index + found.length };
  }
  return null;
}

const trimmed = (value: string): string => value.replace(/^[\s,;|&/–-]+|[\s,;|&/–-]+$/g, '');
const joined = (...parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null && part !== '').join(', ') || null;

const unitOf = (value: string | null): string | null => value?.split(/[,;|\n]/)[0]!.trim() ?? null;
const restOfUnit = (value: string): string => trimmed(value.slice(unitOf(value)!.length));
