/**
 * Words for floors, doors and flat numbers, folded, with the register's form and their origin.
 * `misspelt` and `scanned` words are never certain.
 */

const FLOORS = `
  st               st  register
  kl               kl  register
  stuen            st  spoken
  stue             st  spoken
  stueplan         st  spoken
  stueetage        st  spoken
  stueetagen       st  spoken
  stuelejlighed    st  spoken
  stuelejligheden  st  spoken
  parterre         st  spoken
  stu              st  cut
  stueetg          st  cut
  stuelejl         st  cut
  kaelder          kl  spoken
  kaelderen        kl  spoken
  kaelderetage     kl  spoken
  kaelderetagen    kl  spoken
  kaelderlejlighed kl  spoken
  kaelderlejl      kl  cut
  kaelderplan      kl  spoken
  souterrain       kl  spoken
  kld              kl  cut
  kaeld            kl  cut
  kael             kl  cut
  k1               kl  cut
  kalder           kl  without æ
  kalderen         kl  without æ
  kelder           kl  without æ
  kelderen         kl  without æ
  foerste          1   written out
  forste           1   without ø
  anden            2   written out
  andet            2   written out
  tredje           3   written out
  tredie           3   written out
  fjerde           4   written out
  femte            5   written out
  sjette           6   written out
  syvende          7   written out
  ottende          8   written out
  niende           9   written out
  tiende           10  written out
  ellevte          11  written out
  tolvte           12  written out
  trettende        13  written out
  fjortende        14  written out
  femtende         15  written out
  sekstende        16  written out
  syttende         17  written out
  attende          18  written out
  nittende         19  written out
  tyvende          20  written out
  basement         kl  English
  cellar           kl  English
  bsmt             kl  English
  groundfloor      st  English
  erdgeschoss      st  German
  hochparterre     st  German
  erdg             st  German
  keller           kl  German
  kellergeschoss   kl  German
  untergeschoss    kl  German
  bottenvaaning    st  Swedish
  bottenplan       st  Swedish
  kaellare         kl  Swedish
  kaellarplan      kl  Swedish
  eg               st  foreign
  bv               st  foreign
  ug               kl  foreign
  kg               kl  foreign
  k                kl  a beginning
  lk               kl  misspelt
  kll              kl  misspelt
  basment          kl  misspelt
  ts               st  misspelt
  sst              st  misspelt
  stt              st  misspelt
  l                1   scanned
  i                1   scanned
  lst              st  misspelt
  stun             st  misspelt
  5t               st  scanned
  sl               st  scanned
  s1               st  scanned
  z                2   scanned
`;

const DOORS = `
  tv               tv  register
  th               th  register
  mf               mf  register
  venstre          tv  spoken
  tilvenstre       tv  spoken
  venst            tv  cut
  ven              tv  cut
  hoejre           th  spoken
  tilhoejre        th  spoken
  hoejr            th  cut
  hojre            th  without ø
  tilhojre         th  without ø
  midt             mf  spoken
  midtfor          mf  spoken
  imidten          mf  spoken
  midten           mf  spoken
  mid              mf  cut
  midterste        mf  spoken
  midterlejlighed  mf  spoken
  midte            mf  cut
  midtf            mf  cut
  mfor             mf  cut
  left             tv  English
  right            th  English
  middle           mf  English
  center           mf  English
  centre           mf  English
  links            tv  German
  rechts           th  German
  mitte            mf  German
  li               tv  foreign
  re               th  foreign
  vaenster         tv  Swedish
  hoeger           th  Swedish
  mitten           mf  Swedish
  v                tv  a beginning
  h                th  a beginning
  m                mf  a beginning
  hoe              th  a beginning
  ho               th  a beginning
  hoej             th  a beginning
  rnf              mf  scanned
  tli              th  scanned
`;

/** After a floor's number; they mean nothing by themselves. */
const FILLERS = `
  sal              -  register
  etage            -  spoken
  etagen           -  spoken
  salen            -  spoken
  sals             -  spoken
  sall             -  misspelt
  sla              -  misspelt
  asl              -  misspelt
  saal             -  misspelt
  vaan             -  misspelt
`;

const FLATS = `
  lejl             -  cut
  lejlighed        -  spoken
  lejligheden      -  spoken
  lejlighedsnr     -  spoken
  lejlighedsnummer -  spoken
  lejlnr           -  cut
  lej              -  cut
  doer             -  spoken
  doernr           -  spoken
  doernummer       -  spoken
  dor              -  without ø
  d                -  cut
  vaer             -  cut
  vaerelse         -  spoken
  vaerelsesnr      -  spoken
  rum              -  spoken
  lok              -  cut
  lokale           -  spoken
  kollegievaerelse -  spoken
  bolig            -  spoken
  bolignr          -  spoken
  bol              -  cut
  app              -  cut
  appartement      -  spoken
  nr               -  cut
  no               -  English
  apt              -  English
  apartment        -  English
  flat             -  English
  unit             -  English
  door             -  English
  room             -  English
  number           -  English
  suite            -  English
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

function wordsIn(lines: string): readonly Word[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [word = '', form = '', ...origin] = line.trim().split(/\s+/);
      return { word, form, origin: origin.join(' ') };
    });
}

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
