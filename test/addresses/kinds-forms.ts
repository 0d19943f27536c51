/**
 * Kinds drawn after those of `kinds-drawn.ts`: texts of forms with labels, several houses, words cut without
 * a stop and other orders.
 */
import { sameCut } from './kinds-beyond.ts';
import { absent, ACCESS, BOTH, kind, kindsIn, pick, several, written } from './writing.ts';
import type { Kind } from './writing.ts';

const WAYS = `
  labels | text | access | plain road | vej={r}&nr={n}&postnr={c} ¦ vejnavn={r}&husnr={n}&postnr={c} ¦ ?vejnavn={r}&husnr={n}&postnr={c}&by={p} ¦ street={r}&number={n}&zip={c}&city={p} ¦ adresse={r} {n}&postnr={c} ¦ adgangsadresse={r} {n}&postnr={c}&postnrnavn={p} ¦ q={r} {n}, {c} {p}
  labels | text | access | plain road | vejnavn: {r} husnr: {n} postnr: {c} ¦ Vejnavn: {r}, Husnummer: {n}, Postnummer: {c}, By: {p} ¦ Adresse: {r} {n}, Postnr.: {c}, By: {p} ¦ gade: {r}{br}nr: {n}{br}postnr: {c}{br}by: {p} ¦ Street: {r} {n}, ZIP: {c}, City: {p} ¦ adr.: {r} {n}, {c} {p} ¦ Vej: {r} | Nr.: {n} | Postnr: {c} | By: {p} ¦ Vej: {r} {n} Postnr./by: {c} {p} ¦ Adresse: {r} {n}, {c} {p} ¦ Address: {r} {n}, {c} {p} ¦ Vejnavn og nr.: {r} {n}, Postnr. og by: {c} {p} ¦ Gade/vej: {r} {n}; Postnr: {c}; By: {p} ¦ Vejnavn : {r} Husnr : {n} Postnr : {c} ¦ Postnr: {c}, Vej: {r}, Nr: {n}
  labels | text | access | plain road | vejnavn={r};husnr={n};postnr={c} ¦ {"vejnavn":"{r}","husnr":"{n}","postnr":"{c}"} ¦ {"vejnavn": "{r}", "husnr": "{n}", "postnr": "{c}", "postnrnavn": "{p}"} ¦ vej={r}, nr={n}, postnr={c} ¦ vejnavn - {r}, husnr - {n}, postnr - {c} ¦ vejnavn {r} husnr {n} postnr {c} ¦ vejnavn="{r}" husnr="{n}" postnr="{c}" ¦ <vejnavn>{r}</vejnavn><husnr>{n}</husnr><postnr>{c}</postnr> ¦ vej = {r}, husnr = {n}, postnr = {c} {p} ¦ {r} {n} postnr. {c} ¦ {r} {n}, postnr {c} {p} ¦ {r} {n}, postnummer {c}, by {p}
  labels | text | unit | plain road, flat | vej={r}&nr={n}&etage={f}&dør={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&d%C3%B8r={d}&postnr={c} ¦ vejnavn={r}&husnr={n}&etage={f}&doer={d}&postnr={c}&postnrnavn={p} ¦ street={r}&number={n}&floor={f}&door={d}&zip={c}
  labels | text | unit | plain road, flat | vejnavn: {r} husnr: {n} etage: {f} dør: {d} postnr: {c} ¦ Adresse: {r} {n}, Etage: {f}, Side: {d}, Postnr: {c} ¦ Vejnavn: {r}, Husnr.: {n}, Etage: {f}., Dør: {d}, Postnr.: {c}, By: {p} ¦ vej: {r}{br}nr: {n}{br}etage: {f}{br}side: {d}{br}postnr: {c}{br}by: {p} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":"{f}","dør":"{d}","postnr":"{c}"} ¦ Street: {r}, No.: {n}, Floor: {f}, Door: {d}, Postal code: {c}, City: {p} ¦ Vejnavn: {r} Husnr.: {n} Sal: {f} Dør: {d} Postnr.: {c}
  labels | text | access | plain road | vejnavn={r}&husnr={n}&etage=&dør=&postnr={c} ¦ vejnavn: {r}, husnr: {n}, etage: , dør: , postnr: {c} ¦ vejnavn: {r} husnr: {n} etage: - dør: - postnr: {c} ¦ {"vejnavn":"{r}","husnr":"{n}","etage":null,"dør":null,"postnr":"{c}"} ¦ Vej: {r} {n}, Etage: -, Postnr: {c}
  labels | text | unit | plain road, flat | StrtNm: {r}, BldgNb: {n}, Flr: {f}, Room: {d}, PstCd: {c}, TwnNm: {p}, Ctry: DK ¦ <StrtNm>{r}</StrtNm><BldgNb>{n}</BldgNb><Flr>{f}</Flr><Room>{d}</Room><PstCd>{c}</PstCd><TwnNm>{p}</TwnNm>
  order | text | access | plain road | {r} {p} {n} {c} ¦ {r} {p} {n}, {c} ¦ {r}, {p} {n}, {c} ¦ {r}, {p}, {n}, {c} ¦ {r} ({p}) {n}, {c}
  order | text | access | plain road | {r} {c} {p} {n} ¦ {r}, {c} {p}, {n} ¦ {r} {p} {c} {n} ¦ {r}, {c} {p} nr. {n} ¦ {r}, {c} {p}, nr. {n}
  order | text | access | plain road | {c} {p}, {n} {r} ¦ {p} {c}, {n} {r} ¦ {c} {p} {n} {r} ¦ {n} {r} {c} {p} ¦ {n} {r} {p} {c} ¦ {n}, {r}, {p}, {c} ¦ {c} {n} {r} ¦ {p} {n} {r} {c}
  order | text | access | plain road | {p}, {r} {n}, {c} ¦ {p} {r} {n} {c} ¦ {c}, {r} {n}, {p} ¦ {c} {r} {n} {p} ¦ {c} {r} {n}, {p} ¦ {p}: {r} {n}, {c} ¦ {r} {n}, {c}, {p} ¦ {r} {n} ({c} {p}) ¦ {r} {n} / {c} {p}
  order | text | unit | plain road, sided | {c} {p}, {u}, {r} {n} ¦ {c} {p} {r} {n} {u} ¦ {u}, {n} {r}, {c} {p} ¦ {r} {n}, {c} {p}, {u} ¦ {r} {n}, {c} {p} {u} ¦ {r} {n} {c} {p}, {u} ¦ {p}, {r} {n}, {u}, {c} ¦ {r} {p} {n} {u} {c} ¦ {c} {p}, {n} {r}, {u} ¦ {r} {n} {c} {u} ¦ {d}, {f}. sal, {r} {n}, {c} {p} ¦ {f}. sal {d}, {r} {n}, {c} {p}
  unit words | unit | unit | spoken side | {ord} lejl. {s} ¦ {ord} lejlighed {s} ¦ {ord} lejl {d} ¦ {ord}, lejl. {s} ¦ {ord}, {s} ¦ {ord} {s} ¦ {ord} dør {s} ¦ {ord} lejl. til {s} ¦ {ord} {s} side ¦ {ord} {d}. ¦ lejl. {ord} {s} ¦ {s} {ord} ¦ {ord}/{s} ¦ {ord}-{d} ¦ {ord}, dør {d} ¦ {ord} bolig {s}
  unit words | unit | unit | sided | {f}. lejl. {s} ¦ {f} lejl {d} ¦ {f}. lejl {d}. ¦ lejlighed til {s} på {f}. sal ¦ {s} lejlighed, {f}. sal ¦ {f}. sal, {d}. lejl. ¦ {d} lejl. {f}. sal ¦ {f}. {d}. lejl. ¦ {f}. sal {d} lejlighed ¦ {f}. {s} lejl. ¦ lejl. {f}. {d} ¦ lejl. {f}.{d} ¦ lejl {f}{d} ¦ lejlighed {f} {d} ¦ lejl. {d} {f} ¦ {f}.sal.{d} ¦ {f}. sal lejl.{d} ¦ {f}. sal dør.{d} ¦ dør {f}. {d} ¦ bolig {f}. {d}
  unit words | unit | unit | ground side | stuelejl. {d} ¦ stuelejlighed {d} ¦ stuen lejl. {s} ¦ st. lejl. {d} ¦ lejl. st. {d} ¦ stue lejl {d} ¦ {s} stuelejlighed ¦ {d} i stuen ¦ {s} i stueetagen ¦ parterre {d} ¦ stuen, dør {d} ¦ st, {d} ¦ {d}, st. ¦ {d} st ¦ st.. {d}
  unit words | unit | unit | numbered | {f}. sal, lejl. nr. {d} ¦ lejl. nr. {d}, {f}. sal ¦ lejl. {d}, {f}. sal ¦ {f}. sal, lejl {d} ¦ {f}. sal - lejl. {d} ¦ {f}.sal lejl.{d} ¦ {f}. lejl.nr. {d} ¦ {f}., dør {d} ¦ {f}. sal dør {d} ¦ dør {d}, {f}. sal ¦ {f}. sal, nr. {d} ¦ {f}. sal nr {d} ¦ {f}. sal vær. {d} ¦ {f}. sal, værelse {d} ¦ {f}. sal, vær.nr. {d} ¦ {f}. sal, lok. {d} ¦ {f}. sal, lokale {d} ¦ {f}. sal, kollegieværelse {d} ¦ {f}. sal, bolig nr. {d}
  below ground | unit | unit | cellar side | kælder {d} ¦ kælder, {s} ¦ {d} i kælderen ¦ kl {d} ¦ kld. {s} ¦ kæld.lejl. {d} ¦ kælder lejl. {d} ¦ kælderlejlighed {s} ¦ -1 sal {d} ¦ -1. etage {d} ¦ -1 {d} ¦ minus 1 {d} ¦ etage -1 {d} ¦ sal -1 {d} ¦ floor -1 {d} ¦ kl.{d} ¦ kl/{d} ¦ kl-{d} ¦ {d}, kælderen
  English | unit | unit | sided | {nth} floor, {l} door ¦ {nth} floor {l} apartment ¦ {nth} floor, apartment {l} ¦ {nth} floor on the {l} ¦ {nth} floor, {l} side ¦ apartment {f} {l} ¦ apt. {f}{d} ¦ {nth} Fl., {l} ¦ floor {f}, door {l} ¦ floor no. {f}, {l} ¦ {nth} floor - {l} ¦ {nth} floor ({l}) ¦ {l} apartment, {nth} floor ¦ {nth} floor {d} ¦ {nth} floor flat {l} ¦ {nth} floor, the {l} door ¦ level {f}, {l} ¦ {nth} Etage {l} ¦ {f}. floor, {l}
  unit words | unit | unit | sided | {f} tr {d} ¦ {f} trappor, {d} ¦ {f}. OG {d} ¦ {f}. Stock, {d} ¦ vån {f} {d} ¦ {f} tr. {d}
  numbered roads | start | access | road ends in number | {r} hus {n} ¦ {r}, hus {n} ¦ {r}, hus nr. {n} ¦ {r} husnr. {n} ¦ {r} - nr. {n} ¦ {r} no. {n} ¦ {r}, husnummer {n} ¦ {r} (nr. {n}) ¦ {r}, nr.{n} ¦ {r}, #{n} ¦ {r} #{n}
  words | text | unit | plain road, flat | Møllers Tømrerfirma ApS, {r} {n}, {u}, {c} {p} ¦ Vestjysk Handel A/S{br}{r} {n}, {u}{br}{c} {p} ¦ Mona Kjærgaard, {r} {n}, {u}, {c} {p} ¦ Att. Jens P. Hansen, {r} {n}, {u}, {c} {p} ¦ c/o Ida Bech{br}{r} {n}, {u}{br}{c} {p} ¦ Café Kompas v/Ole Lund, {r} {n}, {u}, {c} {p} ¦ Frisør Klip I/S {r} {n}, {u}, {c} {p}
  words | text | unit | plain road, flat | {r} {n}, {u}, {c} {p}, tlf. 23456789 ¦ {r} {n}, {u} tlf. 23 45 67 89, {c} {p} ¦ {r} {n}, {u}, c/o Ida Bech, {c} {p} ¦ {r} {n}, {u}, {c} {p} (XL Byg ApS) ¦ {r} {n}, {u}, {c} {p}, CVR-nr. 23456789 ¦ {r} {n}, {u}, {c} {p}{br}E-mail: a@b.dk{br}www.b.dk ¦ {r} {n}, {u}, {c} {p}, +45 2345 6789
`;

/** The house of each is the first of several. */
const SEVERAL = `
  written numbers | start | access | row of houses | {r} {n}ff ¦¦ {r} {n} ff ¦¦ {r} {n} ff. ¦¦ {r} {n}ff. ¦¦ {r} {n} f.f. ¦¦ {r} {n} m.fl. ¦¦ {r} {n} mfl. ¦¦ {r} {n} m. fl. ¦¦ {r} {n} flg. ¦¦ {r} {n} og flg. ¦¦ {r} {n} osv. ¦¦ {r} {n} etc. ¦¦ {r} {n}+
  written numbers | start | access | row of houses | {r} {n}, {m} og {o} ¦¦ {r} {n}, {m} & {o} ¦¦ {r} {n},{m},{o} ¦¦ {r} {n}, {m}, {o} ¦¦ {r} nr. {n}, {m} og {o} ¦¦ {r} {n} og {m} og {o} ¦¦ {r} {n}, {m} samt {o} ¦¦ {r} {n} & {m} & {o} ¦¦ {r} {n}, {m} eller {o} ¦¦ {r} {n}; {m}; {o} ¦¦ {r} {n}, {m} + {o} ¦¦ {r} {n} og {m}-{o}
  written numbers | start | access | row from 9 | {r} {n}, {m}-{o} ¦¦ {r} {n} + {m}-{o} ¦¦ {r} nr. {n}, {m}-{o}
  written numbers | start | access | row of houses | {r} {n} & {m} ¦¦ {r} {n} og {m} ¦¦ {r} {n}+{m} ¦¦ {r} nr. {n} og {m} ¦¦ {r} nr. {n} og nr. {m} ¦¦ {r} {n} og nr. {m} ¦¦ {r} {n} samt {m} ¦¦ {r} {n} and {m} ¦¦ {r} {n}&{m} ¦¦ {r} {n} til og med {m} ¦¦ {r} {n} t/m {m} ¦¦ {r} {n} - {o} (lige numre) ¦¦ {r} {n}-{o} lige nr. ¦¦ {r} fra {n} til {m}
  written numbers | start | access | letter A to D | {r} {n} og Y ¦¦ {r} {n} + Y ¦¦ {r} {n}/Y ¦¦ {r} {n} & Y ¦¦ {r} {n}-Y ¦¦ {r} {n}+Y
  written numbers | start | access | plain road, row from 9 | {n}-{o} {r} ¦¦ {n} og {m} {r} ¦¦ {n}ff {r} ¦¦ {n}+{m} {r} ¦¦ {n} & {m} {r} ¦¦ nr. {n} og {m} {r} ¦¦ {n}/{m} {r}
`;

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
  const road = words.with(at, cut).join(' ');
  return sameCut(a, words.with(at, `${cut}.`).join(' '), truth) > 1 ||
    truth.roadNames.has(road.toLowerCase())
    ? null
    : written(a, { start: `${road} ${a.number}` });
});

export const FORMS: readonly Kind[] = [
  ...kindsIn(WAYS),
  ...kindsIn(SEVERAL).map(several),
  cutRoad('Nørrebrog', /(?<=\p{Ll}{3})gade$/u, ['g', 'gad', 'gd', 'ga']),
  cutRoad('Strandv', /(?<=\p{Ll}{3})vej(en)?$/u, ['v', 've', 'vj']),
  cutRoad('Pilestr', /(?<=\p{Ll}{3})stræde$/u, ['str', 'stræd', 'strd', 'stræ', 'st']),
  cutRoad('Finsens Al', /(?<= )All[eé]$/u, ['Al', 'All', 'Allè']),
  cutRoad('Niels Bohrs V', /(?<= )Vej$/u, ['V']),
  cutRoad('Solvænget', /(?<=\p{Ll}{3})vænget$/u, ['væng', 'vg', 'vænge', 'vgt', 'vænget']),
  CUT_WORD,
  absent(
    kind('words', 'another road before it', ACCESS, (a, random, truth) => {
      const other = pick([...truth.roadNames], random);
      return a.road.toLowerCase() === other || /\d/.test(other) ? null : `${other}, ${written(a)}`;
    }),
  ),
];
