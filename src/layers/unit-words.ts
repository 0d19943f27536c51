/**
 * Folded words for floors, doors and flats: the register's form, their origin, the words.
 * `misspelt` and `scanned` words are never certain.
 */

const FLOORS = `
  st | register | st
  kl | register | kl
  st | spoken | stuen stue stueplan stueetage stueetagen stuelejlighed stuelejligheden parterre
  st | cut | stu stueetg stuelejl
  kl | spoken | kaelder kaelderen kaelderetage kaelderetagen kaelderlejlighed kaelderplan souterrain
  kl | cut | kaelderlejl kld kaeld kael k1
  kl | without æ | kalder kalderen kelder kelderen
  1 | written out | foerste
  1 | without ø | forste
  2 | written out | anden andet
  3 | written out | tredje tredie
  4 | written out | fjerde
  5 | written out | femte
  6 | written out | sjette
  7 | written out | syvende
  8 | written out | ottende
  9 | written out | niende
  10 | written out | tiende
  11 | written out | ellevte
  12 | written out | tolvte
  13 | written out | trettende
  14 | written out | fjortende
  15 | written out | femtende
  16 | written out | sekstende
  17 | written out | syttende
  18 | written out | attende
  19 | written out | nittende
  20 | written out | tyvende
  kl | English | basement cellar bsmt
  st | English | groundfloor
  st | German | erdgeschoss hochparterre erdg
  kl | German | keller kellergeschoss untergeschoss
  st | Swedish | bottenvaaning bottenplan
  kl | Swedish | kaellare kaellarplan
  st | foreign | eg bv
  kl | foreign | ug kg
  kl | a beginning | k
  kl | misspelt | lk kll basment
  st | misspelt | ts sst stt lst stun
  1 | scanned | l i
  st | scanned | 5t sl s1
  2 | scanned | z
`;

const DOORS = `
  tv | register | tv
  th | register | th
  mf | register | mf
  tv | spoken | venstre tilvenstre
  tv | cut | venst ven
  th | spoken | hoejre tilhoejre
  th | cut | hoejr
  th | without ø | hojre tilhojre
  mf | spoken | midt midtfor imidten midten midterste midterlejlighed
  mf | cut | mid midte midtf mfor
  tv | English | left
  th | English | right
  mf | English | middle center centre
  tv | German | links
  th | German | rechts
  mf | German | mitte
  tv | foreign | li
  th | foreign | re
  tv | Swedish | vaenster
  th | Swedish | hoeger
  mf | Swedish | mitten
  tv | a beginning | v
  th | a beginning | h hoe ho hoej
  mf | a beginning | m
  mf | scanned | rnf
  th | scanned | tli
`;

/** After a floor's number; they mean nothing by themselves. */
const FILLERS = `
  - | register | sal
  - | spoken | etage etagen salen sals
  - | misspelt | sall sla asl saal vaan
`;

const FLATS = `
  - | cut | lejl lejlnr lej d vaer lok bol app nr
  - | spoken | lejlighed lejligheden lejlighedsnr lejlighedsnummer doer doernr doernummer vaerelse vaerelsesnr rum lokale kollegievaerelse bolig bolignr appartement
  - | without ø | dor
  - | English | no apt apartment flat unit door room number suite
`;

/** Abbreviations, whatever their letters are like: `kg` is `Kellergeschoss`. */
const ABBREVIATED = new Set(['a beginning', 'foreign']);
const UNSURE = new Set(['misspelt', 'scanned', ...ABBREVIATED]);
/** Too short, or too like other words, for a misspelt word to be taken for them. */
const NOT_LIKENED = new Set([...UNSURE, 'cut', 'English', 'German', 'Swedish']);

interface Word {
  readonly word: string;
  readonly form: string;
  readonly origin: string;
}

const wordsIn = (lines: string): readonly Word[] =>
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [form = '', origin = '', words = ''] = line.trim().split(' | ');
      return words.split(' ').map((word) => ({ word, form, origin }));
    });

const formsOf = (
  words: readonly Word[],
  isOne: (origin: string) => boolean,
): ReadonlyMap<string, string> =>
  new Map(words.flatMap(({ word, form, origin }) => (isOne(origin) ? [[word, form]] : [])));
const isSure = (origin: string): boolean => !UNSURE.has(origin);
const isUnsure = (origin: string): boolean => UNSURE.has(origin);
const isLikened = (origin: string): boolean => !NOT_LIKENED.has(origin);

const floors = wordsIn(FLOORS);
const doors = wordsIn(DOORS);
const fillers = wordsIn(FILLERS);

export const FLOOR_WORDS = formsOf(floors, isSure);
export const DOOR_WORDS = formsOf(doors, isSure);
export const UNSURE_FLOORS = formsOf(floors, isUnsure);
export const UNSURE_DOORS = formsOf(doors, isUnsure);
export const ABBREVIATED_FLOORS = formsOf(floors, (origin) => ABBREVIATED.has(origin));
export const ABBREVIATED_DOORS = formsOf(doors, (origin) => ABBREVIATED.has(origin));
export const LIKENED_FLOORS = formsOf(floors, isLikened);
export const LIKENED_DOORS = formsOf(doors, isLikened);
export const FLOOR_FILLERS: ReadonlySet<string> = new Set(formsOf(fillers, isSure).keys());
export const UNSURE_FILLERS: ReadonlySet<string> = new Set(formsOf(fillers, isUnsure).keys());
export const FLAT_WORDS: ReadonlySet<string> = new Set(wordsIn(FLATS).map(({ word }) => word));
