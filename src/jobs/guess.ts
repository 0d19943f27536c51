/**
 * Guesses roles, kind, coordinate system and decimal sign, by names, then values. Runs in browsers
 * too.
 */
import { numberOf, textOf } from '../core/rows/cells.ts';
import type { Cell, Row } from '../core/rows/cells.ts';
import { DEFAULT_SRID, KIND_TERMS, ROLES } from '../core/rows/job-types.ts';
import type { Kind, Role, RoleColumns, Srid } from '../core/rows/job-types.ts';

export interface Guess {
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  readonly decimal: DecimalSign;
}

/** null: no number has decimals. */
export type DecimalSign = 'comma' | 'point' | null;

export function guess(inputColumns: readonly string[], rows: readonly Row[]): Guess {
  const named = columnsByName(inputColumns);
  const placed = named.x === undefined || named.y === undefined ? byValue(inputColumns, rows) : {};
  const { columns, srid } = turned({ ...named, ...placed }, { inputColumns, rows });
  return {
    kind: kindOf(columns),
    columns,
    srid,
    decimal: decimalOf(columns, { inputColumns, rows }),
  };
}

/** Names without case, marks and Danish letters: `Øst-koordinat` is `oestkoordinat`. */
const NAMES: Readonly<Record<Role, RegExp>> = {
  x: /^(x|lon|lng|long|longitude|laengdegrad|oest|ost|east|easting|e|xkoordinat|koordinatx|oestkoordinat|koordinatoest|(utm|utm32|epsg25832|etrs89|wgs84|punkt)(x|oest|lon|e)|etrs89koordinatoest)$/,
  y: /^(y|lat|latitude|breddegrad|nord|north|northing|n|ykoordinat|koordinaty|nordkoordinat|koordinatnord|(utm|utm32|epsg25832|etrs89|wgs84|punkt)(y|nord|lat|n)|etrs89koordinatnord)$/,
  adgangsadresse_id: /^(adgangsadresseid|adgangsadresse|adgadrid|accessaddressid|dawaid)$/,
  adresse:
    /^(adresse|adressebetegnelse|betegnelse|fuldadresse|heleadressen|postadresse|ejendomsadresse|address|adr)$/,
  vej: /^(vej|vejnavn|gade|gadenavn|road|roadname|street|streetname)$/,
  husnr: /^(husnr|husnummer|hnr|houseno|housenumber|nr)$/,
  etage:
    /^(etage|etagebetegnelse|etagenr|etagenummer|etagekode|etagesal|saletage|etg|etgnr|sal|salnr|floor|floorno|floornumber)$/,
  doer: /^(doer|dor|doerbetegnelse|doernr|doernummer|doerkode|side|sidedoer|sidedoernr|doerside|door|doorno|doornumber)$/,
  postnr: /^(postnr|postnummer|pnr|postcode|zip|zipcode|postalcode)$/,
  by: /^(by|bynavn|postdistrikt|postnrnavn|city|town|postby)$/,
  bfe: /^(bfe|bfenr|bfenummer|bestemtfastejendom)$/,
};

export function isHeadingOf(role: Role, column: string): boolean {
  return NAMES[role].test(plain(column));
}

const UNIT_WORDS =
  /etage|^etg|^et$|floor|lejlighed|^lejl|boligenhed|^apt|^app$|app?art|doer|door|tvth|stth|^(sal|side|dor|bolig|enhed|enheds|unit|vaerelse|room|suite|level)(nr|no|nummer|number|betegnelse)?$/;

export function looksLikeUnit(column: string): boolean {
  return UNIT_WORDS.test(plain(column));
}

/** A floor, a door, or both: `1. sal`, `st`, `tv`, `2. th`, `3.12`. */
const UNIT =
  /^(?:(?:\d{1,2}|st|stuen?|kl|kld|kælder|kælderen|k\d)\.?(?:\s*sal)?[\s,./-]*)?(?:tv|th|mf|t\.v|t\.h|m\.f|venstre|højre|midt|midtfor|\d{1,4})?\.?$/i;
/** What nothing but a floor or a door is. */
const CLEAR =
  /^(?:.*\W)?(?:tv|th|mf|venstre|højre|midtfor|stuen|kælder|kælderen)\.?$|^\d{1,2}\.? ?sal\b/i;
const GROUND = /^(?:st|kl)\.?$/i;
const SAMPLE_ROWS = 200;

/** Whether all that stands in a column are floors or doors, and some of it is nothing else. */
export function holdsUnits(rows: readonly Row[], place: number): boolean {
  const values = rows.slice(0, SAMPLE_ROWS).flatMap((row) => textOf(row[place])?.trim() || []);
  if (!values.every((value) => UNIT.test(value))) return false;
  if (values.some((value) => CLEAR.test(value))) return true;
  // `st` may be pieces, but not beside `1` and `2`.
  return values.some((value) => GROUND.test(value)) && values.some((value) => /^\d/.test(value));
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'oe')
    .replaceAll('å', 'aa')
    .replace(/[^a-z0-9]/g, '');
}

function columnsByName(inputColumns: readonly string[]): RoleColumns {
  const found = ROLES.flatMap((role) => {
    // The role's own name is what the service takes by default.
    const own = inputColumns.find((name) => name.trim().toLowerCase() === role);
    const column = own ?? inputColumns.find((name) => NAMES[role].test(plain(name)));
    return column === undefined ? [] : [[role, column] as const];
  });
  return Object.fromEntries(found);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Denmark's extent, in degrees and in metres of EPSG:25832. */
const DENMARK: Readonly<Record<Srid, { readonly x: Range; readonly y: Range }>> = {
  4326: { x: { from: 7.5, to: 15.6 }, y: { from: 54, to: 58.2 } },
  25832: { x: { from: 420_000, to: 920_000 }, y: { from: 6_030_000, to: 6_420_000 } },
};
const SYSTEMS: readonly Srid[] = [4326, 25832];

interface Sample {
  readonly inputColumns: readonly string[];
  readonly rows: readonly Row[];
}

function byValue(inputColumns: readonly string[], rows: readonly Row[]): RoleColumns {
  for (const srid of SYSTEMS) {
    const within = (range: Range): string | undefined =>
      inputColumns.find((_name, place) => liesIn(range, numbersAt(rows, place)));
    const [x, y] = [within(DENMARK[srid].x), within(DENMARK[srid].y)];
    if (x !== undefined && y !== undefined) return { x, y };
  }
  return {};
}

function liesIn({ from, to }: Range, values: readonly number[]): boolean {
  return values.length > 0 && values.every((value) => value >= from && value <= to);
}

function numbersAt(rows: readonly Row[], place: number): readonly number[] {
  return rows.flatMap((row) => {
    const value = numberOf(row[place]);
    return value === null ? [] : [value];
  });
}

function turned(
  columns: RoleColumns,
  { inputColumns, rows }: Sample,
): { readonly columns: RoleColumns; readonly srid: Srid } {
  const { x, y } = columns;
  if (x === undefined || y === undefined) return { columns, srid: DEFAULT_SRID };
  const xs = numbersAt(rows, inputColumns.indexOf(x));
  const ys = numbersAt(rows, inputColumns.indexOf(y));
  for (const srid of SYSTEMS) {
    const area = DENMARK[srid];
    if (liesIn(area.x, xs) && liesIn(area.y, ys)) return { columns, srid };
    if (liesIn(area.x, ys) && liesIn(area.y, xs)) {
      return { columns: { ...columns, x: y, y: x }, srid };
    }
  }
  const isDegrees = xs.every((value) => Math.abs(value) <= 180);
  return { columns, srid: isDegrees ? DEFAULT_SRID : 25832 };
}

/** In order of preference: lines for points, and cleansing for addresses. */
const LIKELY: readonly Kind[] = ['miljoe', 'bbr', 'datavask'];

function kindOf(columns: RoleColumns): Kind {
  const has = (roles: readonly Role[]) => roles.every((role) => columns[role] !== undefined);
  // A property number is deliberate; an address may be incidental.
  if (columns.bfe !== undefined && columns.x === undefined) return 'bbr';
  const isText = columns.adresse !== undefined || columns.vej !== undefined;
  if (isText && columns.x === undefined && columns.adgangsadresse_id === undefined) {
    return 'datavask';
  }
  return LIKELY.find((kind) => KIND_TERMS[kind].roles.some(has)) ?? 'miljoe';
}

export function hasRoles(kind: Kind, columns: RoleColumns): boolean {
  return KIND_TERMS[kind].roles.some((roles) => roles.every((role) => columns[role] !== undefined));
}

function decimalOf({ x, y }: RoleColumns, { inputColumns, rows }: Sample): DecimalSign {
  const places = [x, y].flatMap((name) => (name === undefined ? [] : [inputColumns.indexOf(name)]));
  const cells = rows.flatMap((row): Cell[] =>
    places.length === 0 ? [...row] : places.map((place) => row[place]),
  );
  const texts = cells.filter((cell) => typeof cell === 'string' && numberOf(cell) !== null);
  if (texts.some((cell) => textOf(cell)?.includes(','))) return 'comma';
  return texts.some((cell) => textOf(cell)?.includes('.')) ? 'point' : null;
}

/** Rewrites a coordinate of the stated notation for the service; null: still no number. */
export function numberWritten(cell: Cell, decimal: 'comma' | 'point'): string | null {
  const text = textOf(cell);
  if (text === null) return null;
  const thousands =
    decimal === 'comma' ? /[. \u00a0\u2009\u202f'\u2019]/g : /[, \u00a0\u2009\u202f'\u2019]/g;
  const bare = text.replace(thousands, '').replace(decimal === 'comma' ? ',' : '.', '.');
  return numberOf(bare) === null ? null : bare;
}
