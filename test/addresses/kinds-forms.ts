/**
 * Kinds drawn after those of `kinds-drawn.ts`: texts of forms with labels, several houses, words cut without
 * a stop and other orders. `{r}` is the road, `{n}` the number, `{m}` the next of its side, `{c}` the postcode,
 * `{p}` its town, `{u}` floor and door, and as there `{f}`, `{d}`, `{s}`, `{l}`.
 */
import type { Plain, Truth } from './truth.ts';
import {
  ACCESS,
  BOTH,
  filled,
  hasNumberedDoor,
  hasNumberedFloor,
  hasSide,
  kind,
  numbersOf,
  pick,
  plainNumber,
  UNIT,
  unitText,
  written,
} from './writing.ts';
import type { Asks, Family, Kind } from './writing.ts';

type Fits = (a: Plain, truth: Truth) => boolean;
const isSided: Fits = (a) => hasSide(a) && hasNumberedFloor(a);
const isNumbered: Fits = (a) => hasNumberedDoor(a) && hasNumberedFloor(a);
const hasPlainRoad: Fits = ({ road }) => !/[\d&=]/.test(road);
const hasFloor: Fits = (a) => a.floor !== null && a.door !== null;

function whole(template: string, a: Plain): string {
  const next = (by: number): string => String((plainNumber(a) ?? 0) + by);
  return filled(
    template
      .replaceAll('{r}', a.road)
      .replaceAll('{n}', a.number)
      .replaceAll('{m}', next(2))
      .replaceAll('{o}', next(4))
      .replaceAll('{c}', a.code)
      .replaceAll('{p}', a.post)
      .replaceAll('{u}', unitText(a)),
    a,
  ).trim();
}

const asksOf = (ways: string): readonly Asks[] => (/\{[ufdsl]\}/.test(ways) ? UNIT : ACCESS);

/** A whole text in one of several ways, divided by ` ¦ `. */
const texts = (family: Family, name: string, fits: Fits, ways: string): Kind =>
  kind(family, name, asksOf(ways), (a, random, truth) =>
    fits(a, truth) ? whole(pick(ways.split(' ¦ '), random), a) : null,
  );
const starts = (family: Family, name: string, fits: Fits, ways: string): Kind =>
  kind(family, name, ACCESS, (a, random, truth) =>
    fits(a, truth) ? written(a, { start: whole(pick(ways.split(' ¦ '), random), a) }) : null,
  );
const units = (family: Family, name: string, fits: Fits, ways: string): Kind =>
  kind(family, name, UNIT, (a, random, truth) =>
    fits(a, truth) ? written(a, { unit: whole(pick(ways.split(' ¦ '), random), a) }) : null,
  );

const LABELS: readonly Kind[] = [
  texts(
    'labels',
    'of a query',
    hasPlainRoad,
    'vej={r}&nr={n}&postnr={c} ¦ vejnavn={r}&husnr={n}&postnr={c} ¦ ?vejnavn={r}&husnr={n}&postnr={c}&by={p} ¦ street={r}&number={n}&zip={c}&city={p} ¦ adresse={r} {n}&postnr={c} ¦ adgangsadresse={r} {n}&postnr={c}&postnrnavn={p} ¦ q={r} {n}, {c} {p}',
  ),
  texts(
    'labels',
    'with colons',
    hasPlainRoad,
    'vejnavn: {r} husnr: {n} postnr: {c} ¦ Vejnavn: {r}, Husnummer: {n}, Postnummer: {c}, By: {p} ¦ Adresse: {r} {n}, Postnr.: {c}, By: {p} ¦ gade: {r}\nnr: {n}\npostnr: {c}\nby: {p} ¦ Street: {r} {n}, ZIP: {c}, City: {p} ¦ adr.: {r} {n}, {c} {p} ¦ Vej: {r} | Nr.: {n} | Postnr: {c} | By: {p} ¦ Vej: {r} {n} Postnr./by: {c} {p} ¦ Adresse: {r} {n}, {c} {p} ¦ Address: {r} {n}, {c} {p} ¦ Vejnavn og nr.: {r} {n}, Postnr. og by: {c} {p} ¦ Gade/vej: {r} {n}; Postnr: {c}; By: {p} ¦ Vejnavn : {r} Husnr : {n} Postnr : {c} ¦ Postnr: {c}, Vej: {r}, Nr: {n}',
  ),
  texts(
    'labels',
    'with other signs',
    hasPlainRoad,
    'vejnavn={r};husnr={n};postnr={c} ¦ {"vejnavn":"{r}","husnr":"{n}","postnr":"{c}"} ¦ {"vejnavn": "{r}", "husnr": "{n}", "postnr": "{c}", "postnrnavn": "{p}"} ¦ vej={r}, nr={n}, postnr={c} ¦ vejnavn - {r}, husnr - {n}, postnr - {c} ¦ vejnavn {r} husnr {n} postnr {c} ¦ vejnavn="{r}" husnr="{n}" postnr="{c}" ¦ <vejnavn>{r}</vejnavn><husnr>{n}</husnr><postnr>{c}</postnr> ¦ vej = {r}, husnr = {n}, postnr = {c} {p} ¦ {r} {n} postnr. {c} ¦ {r} {n}, postnr {c} {p} ¦ {r} {n}, postnummer {c}, by {p}',
  ),
  texts(
    'labels',
    'a flat of a query',
    (a, t) => hasPlainRoad(a, t) && hasFloor(a, t),
    'vej={r}&nr={n}&etage={f}&dør={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&d%C3%B8r={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&doer={d}&postnr={c}&postnrnavn={p} ¦ street={r}&number={n}&floor={f}&door={d}&zip={c}',
  ),
  texts(
    'labels',
    'a flat with colons',
    (a, t) => hasPlainRoad(a, t) && hasFloor(a, t),
    'vejnavn: {r} husnr: {n} etage: {f} dør: {d} postnr: {c} ¦ Adresse: {r} {n}, Etage: {f}, Side: {d}, Postnr: {c} ¦ Vejnavn: {r}, Husnr.: {n}, Etage: {f}., Dør: {d}, Postnr.: {c}, By: {p} ¦ vej: {r}\nnr: {n}\netage: {f}\nside: {d}\npostnr: {c}\nby: {p} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":"{f}","dør":"{d}","postnr":"{c}"} ¦ Street: {r}, No.: {n}, Floor: {f}, Door: {d}, Postal code: {c}, City: {p} ¦ Vejnavn: {r} Husnr.: {n} Sal: {f} Dør: {d} Postnr.: {c}',
  ),
  texts(
    'labels',
    'an empty floor and door',
    hasPlainRoad,
    'vejnavn={r}&husnr={n}&etage=&dør=&postnr={c} ¦ vejnavn: {r}, husnr: {n}, etage: , dør: , postnr: {c} ¦ vejnavn: {r} husnr: {n} etage: - dør: - postnr: {c} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":null,"dør":null,"postnr":"{c}"} ¦ Vej: {r} {n}, Etage: -, Postnr: {c}',
  ),
];

/** No house of its road is written as one of several with the sign. */
const isRowStart: Fits = (a, truth) =>
  plainNumber(a) !== null && !/\d$/.test(a.road) && !numbersOf(a, truth).has(`${a.number}F`);
const isLettered: Fits = (a) => /^\d+[A-D]$/.test(a.number);

/** Of `3, 5-7` the last may be a floor and a door. */
const isHighStart: Fits = (a, truth) => isRowStart(a, truth) && plainNumber(a)! > 8;
const several = (name: string, fits: Fits, ways: string): Kind => ({
  ...starts('written numbers', name, fits, ways),
  isSeveral: true,
});

const SEVERAL: readonly Kind[] = [
  several(
    '64ff',
    isRowStart,
    '{r} {n}ff ¦ {r} {n} ff ¦ {r} {n} ff. ¦ {r} {n}ff. ¦ {r} {n} f.f. ¦ {r} {n} m.fl. ¦ {r} {n} mfl. ¦ {r} {n} m. fl. ¦ {r} {n} flg. ¦ {r} {n} og flg. ¦ {r} {n} osv. ¦ {r} {n} etc. ¦ {r} {n}+',
  ),
  several(
    '12, 14 og 16',
    isRowStart,
    '{r} {n}, {m} og {o} ¦ {r} {n}, {m} & {o} ¦ {r} {n},{m},{o} ¦ {r} {n}, {m}, {o} ¦ {r} nr. {n}, {m} og {o} ¦ {r} {n} og {m} og {o} ¦ {r} {n}, {m} samt {o} ¦ {r} {n} & {m} & {o} ¦ {r} {n}, {m} eller {o} ¦ {r} {n}; {m}; {o} ¦ {r} {n}, {m} + {o} ¦ {r} {n} og {m}-{o}',
  ),
  several('12, 14-16', isHighStart, '{r} {n}, {m}-{o} ¦ {r} {n} + {m}-{o} ¦ {r} nr. {n}, {m}-{o}'),
  several(
    '12 og 14',
    isRowStart,
    '{r} {n} & {m} ¦ {r} {n} og {m} ¦ {r} {n}+{m} ¦ {r} nr. {n} og {m} ¦ {r} nr. {n} og nr. {m} ¦ {r} {n} og nr. {m} ¦ {r} {n} samt {m} ¦ {r} {n} and {m} ¦ {r} {n}&{m} ¦ {r} {n} til og med {m} ¦ {r} {n} t/m {m} ¦ {r} {n} - {o} (lige numre) ¦ {r} {n}-{o} lige nr. ¦ {r} fra {n} til {m}',
  ),
  several(
    '12A og B',
    isLettered,
    '{r} {n} og Y ¦ {r} {n} + Y ¦ {r} {n}/Y ¦ {r} {n} & Y ¦ {r} {n}-Y ¦ {r} {n}+Y',
  ),
  several(
    '12-14 before the road',
    (a, truth) => isHighStart(a, truth) && hasPlainRoad(a, truth),
    '{n}-{o} {r} ¦ {n} og {m} {r} ¦ {n}ff {r} ¦ {n}+{m} {r} ¦ {n} & {m} {r} ¦ nr. {n} og {m} {r} ¦ {n}/{m} {r}',
  ),
];

const cutRoad = (name: string, pattern: RegExp, ways: readonly string[]): Kind =>
  kind('cut words', name, BOTH, (a, random, truth) => {
    const road = a.road.replace(pattern, pick(ways, random));
    if (road === a.road || truth.roadNames.has(road.toLowerCase())) return null;
    const there = [...truth.roadsOf.get(a.code)!];
    const isOne = there.filter((name) => name.startsWith(road.toLowerCase())).length < 2;
    return isOne ? written(a, { start: `${road} ${a.number}` }) : null;
  });

/** A word of several cut to three letters or more. */
const CUT_WORD: Kind = kind('cut words', 'a word cut without a stop', BOTH, (a, random, truth) => {
  const words = a.road.split(' ');
  const long = words.flatMap((word, i) => (/^\p{Lu}?\p{Ll}{5,}$/u.test(word) ? [i] : []));
  if (long.length === 0) return null;
  const at = pick(long, random);
  const least = words.length < 2 ? 5 : 3;
  const cut = words[at]!.slice(0, Math.max(least, Math.floor(random() * words[at]!.length)));
  const road = words.map((word, i) => (i === at ? cut : word)).join(' ');
  const pattern = new RegExp(
    `^${words.map((word, i) => (i === at ? `${cut}\\S*` : word).replace(/[.()]/g, '.')).join(' ')}$`,
    'i',
  );
  const fits = [...truth.roadsOf.get(a.code)!].filter((name) => pattern.test(name)).length;
  return fits > 1 || truth.roadNames.has(road.toLowerCase())
    ? null
    : written(a, { start: `${road} ${a.number}` });
});

const CUT: readonly Kind[] = [
  cutRoad('Nørrebrog', /(?<=\p{Ll}{3})gade$/u, ['g', 'gad', 'gd', 'ga']),
  cutRoad('Strandv', /(?<=\p{Ll}{3})vej(en)?$/u, ['v', 've', 'vj']),
  cutRoad('Pilestr', /(?<=\p{Ll}{3})stræde$/u, ['str', 'stræd', 'strd', 'stræ', 'st']),
  cutRoad('Finsens Al', /(?<= )All[eé]$/u, ['Al', 'All', 'Allè']),
  cutRoad('Niels Bohrs V', /(?<= )Vej$/u, ['V']),
  cutRoad('Solvænget', /(?<=\p{Ll}{3})vænget$/u, ['væng', 'vg', 'vænge', 'vgt', 'vænget']),
  CUT_WORD,
];

const ORDER: readonly Kind[] = [
  texts(
    'order',
    'road, town, number, postcode',
    hasPlainRoad,
    '{r} {p} {n} {c} ¦ {r} {p} {n}, {c} ¦ {r}, {p} {n}, {c} ¦ {r}, {p}, {n}, {c} ¦ {r} ({p}) {n}, {c}',
  ),
  texts(
    'order',
    'road, place, number',
    hasPlainRoad,
    '{r} {c} {p} {n} ¦ {r}, {c} {p}, {n} ¦ {r} {p} {c} {n} ¦ {r}, {c} {p} nr. {n} ¦ {r}, {c} {p}, nr. {n}',
  ),
  texts(
    'order',
    'place, number, road',
    hasPlainRoad,
    '{c} {p}, {n} {r} ¦ {p} {c}, {n} {r} ¦ {c} {p} {n} {r} ¦ {n} {r} {c} {p} ¦ {n} {r} {p} {c} ¦ {n}, {r}, {p}, {c} ¦ {c} {n} {r} ¦ {p} {n} {r} {c}',
  ),
  texts(
    'order',
    'town and postcode apart',
    hasPlainRoad,
    '{p}, {r} {n}, {c} ¦ {p} {r} {n} {c} ¦ {c}, {r} {n}, {p} ¦ {c} {r} {n} {p} ¦ {c} {r} {n}, {p} ¦ {p}: {r} {n}, {c} ¦ {r} {n}, {c}, {p} ¦ {r} {n} ({c} {p}) ¦ {r} {n} / {c} {p}',
  ),
  texts(
    'order',
    'a flat in another order',
    (a, t) => hasPlainRoad(a, t) && isSided(a, t),
    '{c} {p}, {u}, {r} {n} ¦ {c} {p} {r} {n} {u} ¦ {u}, {n} {r}, {c} {p} ¦ {r} {n}, {c} {p}, {u} ¦ {r} {n}, {c} {p} {u} ¦ {r} {n} {c} {p}, {u} ¦ {p}, {r} {n}, {u}, {c} ¦ {r} {p} {n} {u} {c} ¦ {c} {p}, {n} {r}, {u} ¦ {r} {n} {c} {u} ¦ {d}, {f}. sal, {r} {n}, {c} {p} ¦ {f}. sal {d}, {r} {n}, {c} {p}',
  ),
];

const WORDS: Readonly<Record<string, string>> = {
  1: 'første',
  2: 'anden',
  3: 'tredje',
  4: 'fjerde',
  st: 'stuen',
};
const spoken = (name: string, ways: string): Kind =>
  kind('unit words', name, UNIT, (a, random) => {
    const word = WORDS[a.floor ?? ''];
    if (word === undefined || !hasSide(a)) return null;
    const way = pick(ways.split(' ¦ '), random).replaceAll('{w}', word);
    return written(a, { unit: whole(way, a) });
  });

const UNITS: readonly Kind[] = [
  spoken(
    'første lejl. højre',
    '{w} lejl. {s} ¦ {w} lejlighed {s} ¦ {w} lejl {d} ¦ {w}, lejl. {s} ¦ {w}, {s} ¦ {w} {s} ¦ {w} t.{d} ¦ {w} dør {s} ¦ {w} lejl. til {s} ¦ {w} {s} side ¦ {w} {d}. ¦ lejl. {w} {s} ¦ {s} {w} ¦ {w}/{s} ¦ {w}-{d} ¦ {w}, dør {d} ¦ {w} bolig {s}'.replace(
      ' ¦ {w} t.{d}',
      '',
    ),
  ),
  units(
    'unit words',
    '1. lejl. højre',
    isSided,
    '{f}. lejl. {s} ¦ {f} lejl {d} ¦ {f}. lejl {d}. ¦ lejlighed til {s} på {f}. sal ¦ {s} lejlighed, {f}. sal ¦ {f}. sal, {d}. lejl. ¦ {d} lejl. {f}. sal ¦ {f}. {d}. lejl. ¦ {f}. sal {d} lejlighed ¦ {f}. {s} lejl. ¦ lejl. {f}. {d} ¦ lejl. {f}.{d} ¦ lejl {f}{d} ¦ lejlighed {f} {d} ¦ lejl. {d} {f} ¦ {f}.sal.{d} ¦ {f}. sal lejl.{d} ¦ {f}. sal dør.{d} ¦ dør {f}. {d} ¦ bolig {f}. {d}',
  ),
  units(
    'unit words',
    'stuelejl. th',
    (a) => hasSide(a) && a.floor === 'st',
    'stuelejl. {d} ¦ stuelejlighed {d} ¦ stuen lejl. {s} ¦ st. lejl. {d} ¦ lejl. st. {d} ¦ stue lejl {d} ¦ {s} stuelejlighed ¦ {d} i stuen ¦ {s} i stueetagen ¦ nederste etage {d} ¦ parterre {d} ¦ stuen, dør {d} ¦ st, {d} ¦ stuen t. {s} ¦ {d}, st. ¦ {d} st ¦ st.. {d}'
      .replace(' ¦ nederste etage {d}', '')
      .replace(' ¦ stuen t. {s}', ''),
  ),
  units(
    'unit words',
    '1. lejl. nr. 3',
    isNumbered,
    '{f}. sal, lejl. nr. {d} ¦ lejl. nr. {d}, {f}. sal ¦ lejl. {d}, {f}. sal ¦ {f}. sal, lejl {d} ¦ {f}. sal - lejl. {d} ¦ {f}.sal lejl.{d} ¦ {f}. lejl.nr. {d} ¦ {f}., dør {d} ¦ {f}. sal dør {d} ¦ dør {d}, {f}. sal ¦ {f}. sal, nr. {d} ¦ {f}. sal nr {d} ¦ {f}. sal vær. {d} ¦ {f}. sal, værelse {d} ¦ {f}. sal, vær.nr. {d} ¦ {f}. sal, lok. {d} ¦ {f}. sal, lokale {d} ¦ {f}. sal, kollegieværelse {d} ¦ {f}. sal, bolig nr. {d}',
  ),
  units(
    'below ground',
    'a cellar in other words',
    (a) => a.floor === 'kl' && a.door !== null && hasSide(a),
    'kælder {d} ¦ kælder, {s} ¦ {d} i kælderen ¦ kl {d} ¦ kld. {s} ¦ k. {d} ¦ kæld.lejl. {d} ¦ kælder lejl. {d} ¦ kælderlejlighed {s} ¦ -1 sal {d} ¦ -1. etage {d} ¦ -1 {d} ¦ minus 1 {d} ¦ etage -1 {d} ¦ sal -1 {d} ¦ floor -1 {d} ¦ kl.{d} ¦ kl/{d} ¦ kl-{d} ¦ {d}, kælderen ¦ kælderen t.{d}'
      .replace(' ¦ kælderen t.{d}', '')
      .replace(' ¦ k. {d}', ''),
  ),
  units(
    'English',
    'more of tourists',
    isSided,
    '{nth} floor, {l} door ¦ {nth} floor {l} apartment ¦ {nth} floor, apartment {l} ¦ {nth} floor on the {l} ¦ {nth} floor, {l} side ¦ apartment {f} {l} ¦ apt. {f}{d} ¦ {nth} Fl., {l} ¦ floor {f}, door {l} ¦ floor no. {f}, {l} ¦ {nth} floor - {l} ¦ {nth} floor ({l}) ¦ {l} apartment, {nth} floor ¦ {nth} floor {d} ¦ {nth} floor flat {l} ¦ {nth} floor, the {l} door ¦ level {f}, {l} ¦ {nth} Etage {l} ¦ {f}. floor, {l}',
  ),
];

const NUMBERED: readonly Kind[] = [
  starts(
    'numbered roads',
    'the number in words',
    (a) => /\d$/.test(a.road),
    '{r} hus {n} ¦ {r}, hus {n} ¦ {r}, hus nr. {n} ¦ {r} husnr. {n} ¦ {r} - nr. {n} ¦ {r} no. {n} ¦ {r}, husnummer {n} ¦ {r} (nr. {n}) ¦ {r}, nr.{n} ¦ {r}, #{n} ¦ {r} #{n}',
  ),
];

/** What stands beside an address and is no part of it. */
const BESIDE: readonly Kind[] = [
  texts(
    'words',
    'a name before it',
    (a, t) => hasPlainRoad(a, t) && hasFloor(a, t),
    'Møllers Tømrerfirma ApS, {r} {n}, {u}, {c} {p} ¦ Vestjysk Handel A/S\n{r} {n}, {u}\n{c} {p} ¦ Mona Kjærgaard, {r} {n}, {u}, {c} {p} ¦ Att. Jens P. Hansen, {r} {n}, {u}, {c} {p} ¦ c/o Ida Bech\n{r} {n}, {u}\n{c} {p} ¦ Café Kompas v/Ole Lund, {r} {n}, {u}, {c} {p} ¦ Frisør Klip I/S {r} {n}, {u}, {c} {p}',
  ),
  texts(
    'words',
    'a name or number behind it',
    (a, t) => hasPlainRoad(a, t) && hasFloor(a, t),
    '{r} {n}, {u}, {c} {p}, tlf. 23456789 ¦ {r} {n}, {u} tlf. 23 45 67 89, {c} {p} ¦ {r} {n}, {u}, c/o Ida Bech, {c} {p} ¦ {r} {n}, {u}, {c} {p} (XL Byg ApS) ¦ {r} {n}, {u}, {c} {p}, CVR-nr. 23456789 ¦ {r} {n}, {u}, {c} {p}\nE-mail: a@b.dk\nwww.b.dk ¦ {r} {n}, {u}, {c} {p}, +45 2345 6789',
  ),
  texts(
    'labels',
    'ISO 20022',
    (a, t) => hasPlainRoad(a, t) && hasFloor(a, t),
    'StrtNm: {r}, BldgNb: {n}, Flr: {f}, Room: {d}, PstCd: {c}, TwnNm: {p}, Ctry: DK ¦ <StrtNm>{r}</StrtNm><BldgNb>{n}</BldgNb><Flr>{f}</Flr><Room>{d}</Room><PstCd>{c}</PstCd><TwnNm>{p}</TwnNm>',
  ),
  units(
    'unit words',
    'Swedish and German',
    isSided,
    '{f} tr {d} ¦ {f} trappor, {d} ¦ {f}. OG {d} ¦ {f}. Stock, {d} ¦ vån {f} {d} ¦ {f} tr. {d}',
  ),
  {
    ...kind('words', 'another road before it', ACCESS, (a, random, truth) => {
      const other = pick([...truth.roadNames], random);
      return a.road.toLowerCase() === other || /\d/.test(other) ? null : `${other}, ${written(a)}`;
    }),
    isAbsent: true,
  },
];

export const FORMS: readonly Kind[] = [
  ...BESIDE,
  ...[...LABELS, ...SEVERAL, ...CUT, ...ORDER, ...UNITS, ...NUMBERED],
];
