const SIDE = 'tv|th|mf|venstre|højre|hoejre|hojre|midtfor';
const FLOOR = '\\d{1,2}|st|stuen|kl|kld|k[2-9]';
const regex = (source: string, flags = 'giu'): RegExp => new RegExp(source, flags);

const BEFORE = '(?<![\\p{L}\\d./-]|\\d,)';
const HOUSE = `${BEFORE}(\\d{1,3}\\p{L}?)`;
const NOT_LETTER = '(?![\\p{L}\\d])';

type Rewrite = readonly [RegExp, string | ((...found: string[]) => string)];

/** Signs of a machine encoding: the rules below need one. */
const HAS_MACHINE = /[%+&Ã<\n_|\u200b-\u200d\u2060\ufeff]/;
const MACHINE: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/%[0-9a-f]{2}/i, decodePercent],
  // Blanks encoded by a form: the text has no real blank.
  [/^[^\s+]+\+[^\s+]+\+\S+$/, (text) => text.replaceAll('+', ' ')],
  [/^[^\s_]+_[^\s_]+_\S+$/, (text) => text.replaceAll('_', ' ')],
  [/[\u200b-\u200d\u2060\ufeff]/, (text) => text.replace(/[\u200b-\u200d\u2060\ufeff]/g, '')],
  [/&(?:#\w+|\w+);/, decodeEntities],
  [/Ã/, decodeTwice],
  [/<br/i, (text) => text.replace(/<br\s*\/?>/gi, ', ')],
  // `Nikolaj-` and `gade` on two lines.
  [/\p{L}[-\u00ad]\s*\n/u, (text) => text.replace(/(\p{L})[-\u00ad]\s*\n\s*(?=\p{Ll})/gu, '$1')],
];

const NTH = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
/** English floors: `1st floor left`, `third floor`, `floor 3`. */
const STOREY = '(?:floor|flr\\.?|fl\\.?|level|storey|story)(?!\\p{L})';
const ENGLISH: readonly Rewrite[] = [
  [regex(`\\blower\\s+ground(?:\\s+${STOREY})?(?!\\p{L})`), 'kælder'],
  [regex(`\\bground\\s*${STOREY}`), 'stuen'],
  [regex(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)\\.?[\\s-]+${STOREY}`), '$1. sal'],
  [
    regex(`\\b(first|second|third|fourth|fifth|sixth)\\s+${STOREY}`),
    (_: string, nth: string) => `${1 + NTH.indexOf(nth.toLowerCase())}. sal`,
  ],
  [regex(`\\b${STOREY}[:\\s]*(?:no\\.?\\s*)?(-?\\d{1,2})(?![\\p{L}\\d])`), '$1. sal'],
  [/(?<!\d)(\d{1,2})\.?\s+floor\b/gi, '$1. sal'],
  // `3F left`, `F3 left`.
  [
    /(?<=[,;]\s*)(?:(?=\d)|F(?=\d))(\d{1,2})(?:\/?F)?(?=[\s,]+(?:left|right|middle)\b)/gi,
    '$1. sal',
  ],
  [/\b(left|right)[-\s]hand\b/gi, '$1'],
  [/\b(?:to|on|at) the (left|right)\b/gi, '$1'],
  [/\b(?:(?:on|in|at)\s+)?the\s+(?=\d{1,2}\. sal|stuen|kælder|basement|cellar)/gi, ''],
];

const FLOOR_BEHIND = '(?<=[,;]\\s*|\\d\\p{L}?\\s+)(\\d{1,2})';
/** Swedish and German: `2 tr`, `vån 2`, `2. OG links`. */
const FOREIGN: readonly Rewrite[] = [
  [
    regex(`${FLOOR_BEHIND}\\s?tr(?:appor|appa|app|p)?(?!\\p{L})\\.?(?:\\s*upp(?!\\p{L}))?`),
    '$1. sal',
  ],
  [
    regex(
      `${FLOOR_BEHIND}\\.?\\s?(?:og|obergescho(?:ss|ß)|stock|stockwerk|stk)(?!\\p{L})\\.?(?=\\s*(?:$|[,;]|links|rechts|mitte|till|vänster|höger|re\\.?(?!\\p{L})|li\\.?(?!\\p{L})|tv|th|mf))`,
    ),
    '$1. sal',
  ],
  [regex(`${FLOOR_BEHIND}\\.?\\s?vån(?:ing(?:en)?)?(?!\\p{L})\\.?`), '$1. vån'],
  [/(?<=[,;\s])vån(?:ing(?:en)?)?\.?\s*(\d{1,2})(?![\d\p{L}])/giu, '$1. vån'],
  [/(?<=[\s,])till\s+(?=vänster|höger)/giu, ''],
];

const NUMBERS: readonly Rewrite[] = [
  // Spreadsheets: `5000.0`, `14,0`; `12,0 tv` is the ground floor.
  [/(?<![\d.,])(\d{1,4})\.0{1,2}(?![\d.])/g, '$1'],
  [/(?<![\d.,])(\d{1,4}),00?(?=\s*(?:$|[,;]|\p{L}{4}))/gu, '$1'],
  // `-1`, `÷1`, `minus 1`: a floor below ground.
  [/(?<=^|[\s,;])(?:–|[−÷]\s?|minus\s+)(?=\d)/giu, '-'],
  [/(?<=,)\s*[-–]\s+(?=\d)/g, ' -'],
  // `#75`, `husnr. 75`, `litra C`, `12,A`, `12(A)`.
  [/#\s*(?=\d)/g, ' nr. '],
  [/\bhus\s?(?:nr\.?|nummer)\s*(?=\d)/gi, 'nr. '],
  // `Haveby, Afd. 3, have 45`; `parcel 7, 5` is a road and its number.
  [
    /(?<=\p{L}[^,]*,\s*)(?:hus|have|parcel|lod|grund)\s?(?:nr\.?|nummer)?\s*(?=\d{1,3}\p{L}?\s*(?:$|,(?!\s*(?:nr\.?\s*)?\d{1,3}(?!\d))))/giu,
    'nr. ',
  ],
  [
    /(?<!\d)(\d{1,3})\s*,?\s*(?:litra|litr\.?|lit\.|bogst\.|(?:lit|bogstav)(?=[\s:])):?\s*(\p{L})(?![\p{L}\d])/giu,
    '$1$2',
  ],
  [/(?<![\p{L}\d.,/-])(\d{1,3}),(\p{L})(?=\s*(?:$|[,;]))/giu, '$1-$2'],
  [/(?<![\p{L}\d.,/-])(\d{1,3})\((\p{L})\)/giu, '$1$2'],
  [/(?<![\p{L}\d.,/-])(\d{1,3})['’´`":*\\](\p{L})(?=\s*(?:$|[,;]))/giu, '$1$2'],
  [/(?<![\p{L}\d.,/-])(\d{3})\.(\p{L})(?![\p{L}\d])/giu, '$1 $2'],
];

/** `12/2/3` is a house, a floor and a door; `2/4/6` are houses of one side of a road. */
function houseFloorDoor(...found: string[]): string {
  const [, house = '', , floor = '', door = ''] = found;
  const isRow = Number(floor) - parseInt(house, 10) === 2 && Number(door) - Number(floor) === 2;
  return isRow ? `${house}-${door}` : `${house}, ${floor}. ${door}`;
}

const APART: readonly Rewrite[] = [
  [/(?<!\p{L})t[./-]\s*([vh])(?!\p{L})\.?/giu, 't$1'],
  [/(?<!\p{L})m[./-]\s*f(?!\p{L})\.?/giu, 'mf'],
  [/(?<=\p{L})=(?=[\p{L}\d])/gu, ' '],
  [/[()[\]{}"„“”«»]/g, ' '],
  // `3.sal.th`, `5000Odense`, `36A/3th`, `36 og 38`.
  [
    regex(`(\\d)[.:]?\\s?sal(?:\\.(?=\\p{L})|[./:-]?(?=(?:${SIDE}|t\\.?[vh]|m\\.?f)(?!\\p{L})))`),
    '$1. sal ',
  ],
  [/(\d):sal(?!\p{L})/giu, '$1. sal'],
  [/(?<=\d\p{L}\d)\.?sal(?!\p{L})/giu, '. sal'],
  [/(?<!\d)(\d{4})(?=\p{L}{3})/gu, ' $1 '],
  // `Vestergade12A1tv`, `Vestergade12st.th`.
  [
    regex(
      `(\\p{L}{3})(?=\\d{1,3}(?:\\p{L}?[./_:-]?(?:${FLOOR})?[./_-]*(?:${SIDE})|[a-zæøå]\\d(?:\\.?\\s?sal)?)${NOT_LETTER})`,
    ),
    '$1 ',
  ],
  // `12/-1. sal`: the floor keeps its minus.
  [/(?<=[\p{L}\d]\.?)[/\\|:-]-(?=\d)/gu, ', -'],
  [/(\d\p{L}?)[/\\|:-]+(?=(?:\d{1,2}|st|kld?|k[2-9])[.\s/-]*(?:tv|th|mf|sal)(?!\p{L}))/giu, '$1, '],
  // `12A1tv`, `12 A1tv`, `12A.1.tv`, `12/2/3`, `12sttv`, `12kld`.
  [
    regex(
      `${BEFORE}(\\d{1,3})\\s(?!k[2-9])(\\p{L})(?=(?:\\d{1,2}|st|kl|k[2-9])\\.?(?:tv|th|mf)(?!\\p{L}))`,
    ),
    '$1$2',
  ],
  [regex(`${BEFORE}(\\d{1,3}(?!k[2-9])[a-zæøå])(\\d{1,2})\\.?(${SIDE})(?!\\p{L})`), '$1, $2. $3'],
  [regex(`${HOUSE}([./_:|-])(${FLOOR})\\2(${SIDE}|\\d{1,4})${NOT_LETTER}`), houseFloorDoor],
  [regex(`${HOUSE}\\.(\\d{1,2})(${SIDE})${NOT_LETTER}`), '$1, $2. $3'],
  // `9A.1`, `9A.1.sal tv`.
  [
    regex(
      `${BEFORE}(\\d{1,3}\\p{L})[.:](?=\\d{1,2}\\.?(?:\\s*(?:$|[,;]|sal(?!\\p{L}))|\\s+(?:${SIDE}|\\d{4})(?!\\p{L})))`,
    ),
    '$1, ',
  ],
  [
    regex(
      // `12k2tv` may also be number 12K.
      `(?!\\d+k[2-9])${HOUSE}[.-]?(st|stuen|kl|kld|k[2-9])(?:[.-]?(${SIDE}))?${NOT_LETTER}(?!\\.\\s?\\p{Lu}\\p{Ll}{2})`,
    ),
    '$1, $2. $3',
  ],
  [/(?<!\d)(\d{1,3}\p{L}?)\s+[-–]\s+(?=\d{1,3}\p{L}?\s*(?:,|$))/gu, '$1-'],
  [/(?<!\d)(\d{1,3})\s*[-–]\s*(?=\p{L}\s*(?:,|$))/gu, '$1-'],
  [/(\d\p{L}?)\s*\.{2,3}\s*(?=\d{1,3}\p{L}?\s*(?:,|$))/giu, '$1-'],
];

/** `12, 14+16`; `2, 4-6` may also be a floor and a door. */
function row(found: string): string {
  const numbers = found.match(/\d+/g)!.map(Number);
  const isRising = numbers.every((each, i) => i === 0 || each > numbers[i - 1]!);
  const isUnit = found.includes('-') && numbers[1]! < 10;
  return isRising && !isUnit ? found.replace(/\s*[,;]\s*/g, '+') : found;
}

const SEVERAL: readonly Rewrite[] = [
  [/(?<=\d\p{L}?)\s*\(?u?lige\s+(?:hus)?(?:numre|nr\.?)(?!\p{L})\)?/giu, ''],
  [/(\d\p{L}?)\s*(?:t\.\s?o\.\s?m\.?|t\/m|til\s+og\s+med)\s*(?=\d{1,3}\p{L}?\s*(?:,|$))/giu, '$1-'],
  // `64ff`, `64 m.fl.`: a house and the next ones.
  [/(\d\p{L}?)\s?(?:f\.?f|m\.\s?fl|mfl|(?:og\s+)?flg|osv|etc)(?![\p{L}\d])\.?/giu, '$1+'],
  [
    /(\d\p{L}?)\s*(?:\s(?:og|samt|and|eller)\s|[&+])\s*(?:nr\.?\s*)?(?=(?:\d{1,3}\p{L}?|\p{L})(?:[\s,&+-]|$))/giu,
    '$1+',
  ],
  [
    /(?<![\p{L}\d.-])\d{1,3}\p{L}?(?:\s*[,;]\s*\d{1,3}\p{L}?)+(?:[+-]\d{1,3}\p{L}?)+(?![\p{L}\d.])/giu,
    row,
  ],
];

/** After a number, or another word of the unit. */
const IN_UNIT =
  '(?<=(?:\\d\\p{L}?\\.?|sal|(?:st|kld?|lejl)\\.?|stuen?|kælder|etage|dør|lejlighed)[\\s,]+)';
const NTH_FLOOR = 'første|forste|foerste|anden|andet|tredje|tredie|fjerde|femte|sjette|syvende';

const UNITS: readonly Rewrite[] = [
  // `1.venstre`, `2.dør tv`, and `st.t h` as scanned.
  [/(?<=,\s*(?:\d{1,2}|st|kl)\.)(?=\p{L}[\p{L}\s0])/giu, ' '],
  [regex(`${IN_UNIT}t\\s([vh])(?=\\s*(?:$|,))`), 't$1'],
  [/(?<!\p{L})(?:lige\s+)?(?:til|mod|på|paa)\s+venstre(?!\p{L})/giu, 'tv'],
  [/(?<!\p{L})(?:lige\s+)?(?:til|mod|på|paa)\s+(?:højre|hoejre|hojre)(?!\p{L})/giu, 'th'],
  [regex(`(?<=[\\s,])side[:\\s]\\s*(?=(?:${SIDE})(?!\\p{L}))`), ''],
  [/(?<=[\s,])den\s+(?=\d{1,2}\.\s*(?:sal|etage)(?!\p{L}))/giu, ''],
  [/\b(?:midt\s+for|(?:i|til)\s+midt(?:en|for)?)(?!\p{L})/giu, 'mf'],
  // `til h.`, `til hø.`.
  [regex(`${IN_UNIT}til\\s+(?=[hv]\\p{L}{0,7}\\.?\\s*(?:$|,))`), ''],
  // `1ste sal`, `2den sal`, `førstesal`, `på 1. sal`.
  [
    /(?<=[\s,]\d{1,2})(?:ste|st|n?den|nd|die|dje|de|te|rd|th)\.?\s+(?=(?:sal|etage)(?!\p{L}))/giu,
    '. ',
  ],
  [regex(`(?<!\\p{L})(${NTH_FLOOR})(?=sal(?!\\p{L}))`), '$1 '],
  [
    regex(
      `(?<!\\p{L})(?:på|paa)\\s+(?=\\d{1,2}(?:\\.|\\.?\\s?(?:sal|etage|etg))(?!\\p{L})|(?:${NTH_FLOOR})\\s+(?:sal|etage)(?!\\p{L}))`,
    ),
    '',
  ],
  [
    /(?<=venstre|højre|hoejre|hojre|(?<!\p{L})(?:tv|th|mf))\s+(?:side|siden|dør|doer)(?![\p{L}]|\s*\d(?!\d?\.?\s*(?:sal|etage)))/giu,
    '',
  ],
  [/(?<=[,;]\s*)([1-9])\.\s*(?:kælder|kaelder|kld)(?:en|etage)?(?!\p{L})/giu, 'k$1'],
  [/(?<=(?<!\p{L})(?:st|stue|kl|kld|kæld))\.(?=(?:lejl|dør|bolig)(?!\p{L}))/giu, '. '],
  [/\bi\s+(?=(?:stue|kælder|kaelder|kld))/giu, ''],
  [
    regex(`(?<=\\d)\\.?\\s?s\\.?,?\\s?(?=(?:${SIDE}|midt|lejl|dør|doer|bolig)(?!\\p{L}))`),
    '. sal ',
  ],
  [/(?<=[\s,]\d{1,2})\.\s?s\.?(?=\s*(?:$|[,;]))/giu, '. sal'],
  [/(?<=[\s,]\d{1,2})\.\s?s\.\s*(?=\d)/giu, '. sal '],
  [/(?<=stue|kælder|kaelder)[\s-](?=etage)/giu, ''],
  [/(?<=^|[\s,])\|(?=\.?\s?(?:tv|th|mf)(?!\p{L})|\.[\s,:-]*(?:$|\d|\p{L}))/giu, ', l'],
  // `2 etg.` after the house, and `etg. 2`.
  [
    /(?<=(?:[,;]\s*|\d\p{L}?\s+)\d{1,2})\.?\s?(?:etg\.?|et\.|eta\.)(?=\s|$|,|\d|(?:tv|th|mf)(?!\p{L}))/giu,
    '. sal ',
  ],
  [/(?<=[,;]\s*|\d\p{L}?\s)(?:etg|et|eta)[.:\s]{1,3}(\d{1,2})(?![\d\p{L}])/giu, '$1. sal'],
  [/(?<!\p{L})(lejl|lejlighed|dør|doer|bolig|vær|app|apt)s?[.\s]*nr[.\s]*(?=\d)/giu, '$1. '],
  // `Haveby, 3. afdeling`.
  [/(?<!\d)(\d{1,2})\.?\s?(afd(?:eling)?)(?!\p{L}|\.?\s*\d)\.?/giu, '$2 $1'],
  // `Christian 9.s Gade`.
  [/\b(\d{1,2})\.\s?s(?=\s)/gi, '$1s'],
  [/\b(?:dk[\s.-]{0,3}|d\s?-\s?)(?=\d{4}\b)/gi, ''],
];

/** Each group has a pattern that must match before its rules are tried. */
const GROUPS: readonly (readonly [RegExp, readonly Rewrite[]])[] = [
  [/floor|fl[r.\s]|level|storey|story|lower|the |hand|left|right|middle/i, ENGLISH],
  [/\d\s?tr|\d\.?\s?(?:og|ober|sto?c?k)|vån|till /iu, FOREIGN],
  [
    /\d\p{L}?\.?\s?(?:og|samt|and|eller|f\.?f|flg|m\.|mfl|osv|etc|t[./]|til og|u?lige|[&+-])/iu,
    SEVERAL,
  ],
  [/[.,]0|[−–÷#(]|, ?-|minus|hus|have|parcel|lod|grund|lit|bogst|\d[,.'’´`":*\\]\p{L}/iu, NUMBERS],
];

export function decoded(text: string): string {
  let plain = text.normalize('NFC');
  if (!HAS_MACHINE.test(plain)) return plain;
  for (const [has, decode] of MACHINE) if (has.test(plain)) plain = decode(plain);
  return plain;
}

/** Texts that no rule changes. */
const AS_REGISTERED =
  /^\p{L}{3,}(?: \p{L}{3,})* \d{1,3}[A-Z]?(?:, (?:\d{1,2}|st|kl)\.(?: (?:tv|th|mf|\d{1,4}))?)?(?:, \p{L}{5,})?, \d{4} \p{L}{3,}(?: \p{L}+)?$/u;

export function plainText(text: string): string {
  if (AS_REGISTERED.test(text)) return text.normalize('NFC');
  let plain = decoded(text);
  for (const [has, rules] of GROUPS) if (has.test(plain)) plain = rewritten(plain, rules);
  return rewritten(rewritten(plain, APART), UNITS);
}

function rewritten(text: string, rules: readonly Rewrite[]): string {
  let made = text;
  for (const [pattern, by] of rules) {
    made = typeof by === 'string' ? made.replace(pattern, by) : made.replace(pattern, by);
  }
  return made;
}

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ aelig: 'æ', oslash: 'ø', aring: 'å', eacute: 'é', auml: 'ä', ouml: 'ö', uuml: 'ü' },
    ...{ amp: '&', nbsp: ' ', quot: '"', apos: "'", shy: '' },
  }),
);

/** `&oslash;`, `&#248;`, `&#xF8;`; others stay. */
function decodeEntities(text: string): string {
  // `&amp;oslash;` was encoded twice.
  const once = text.replace(/&amp;(?=#?\w+;)/gi, '&');
  return once.replace(/&(#x[0-9a-f]{1,5}|#\d{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (name.startsWith('#')) {
      const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 31 && code < 0xd800 ? String.fromCodePoint(code) : whole;
    }
    const letter = ENTITIES.get(name.toLowerCase());
    if (letter === undefined) return whole;
    return /^[A-Z]/.test(name) ? letter.toUpperCase() : letter;
  });
}

/** `%C3%B8`, `%25C3%25B8` encoded twice, `%F8` of Latin-1. */
function decodePercent(text: string): string {
  const once = text.replace(/%25(?=[0-9a-f]{2})/gi, '%');
  try {
    return decodeURIComponent(once);
  } catch {
    return once.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
  }
}

/** UTF-8 read as Latin-1, `SÃ¸ndergade`; undecodable text stays. */
function decodeTwice(text: string): string {
  return text.replace(
    /Ã[\u0080-\u00bf\u0152\u0160\u0178\u017d\u017e\u2013-\u203a\u02dc\u2122\u0153\u0161]/g,
    (pair) => {
      return TWICE.get(pair) ?? pair;
    },
  );
}

/** UTF-8 letters of addresses, read as Latin-1 and as Windows-1252. */
const TWICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 'Ã¦': 'æ', 'Ã¸': 'ø', 'Ã¥': 'å', 'Ã©': 'é', 'Ã¼': 'ü', 'Ã¶': 'ö', 'Ã¤': 'ä' },
    ...{
      'Ã\u0086': 'Æ',
      'Ã\u0098': 'Ø',
      'Ã\u0085': 'Å',
      'Ã†': 'Æ',
      'Ã˜': 'Ø',
      'Ã…': 'Å',
      'Ã‰': 'É',
    },
  }),
);
