/** Each folded word, after the form it is compared in. */

const WORDS = `
  gl: gammel gamle gml gamla
  nr: noerre nordre ndr nrd n nor
  sdr: soender soendre sdre soend s
  oe: oester oestre oest
  v: vester vestre vestr vest ved
  skt: sankt sct sankte st_
  st: store str stor
  ll: lille lil

  dr: doktor dronning dronn
  prof: professor profes
  kgs: kongens kng
  kong: kg
  pr: prins
  prss: prinsesse prsse
  chr: christian christ
  kr: kristian krist
  fr: frederik fred frd fredr
  fredr: frederiks frederikke
  vald: valdemar
  vilh: vilhelm wilhelm wilh
  joh: johan johannes johs
  chrs: christians
  hr: herr
  alex: alexander
  andr: andreas
  edv: edvard
  elis: elisabeth
  ferd: ferdinand
  bernh: bernhard
  georg: geo
  gust: gustav
  hans: hs
  herm: herman hermann
  jac: jacob jakob
  laur: laurits laurids lauritz
  ludv: ludvig
  marg: margrethe margr
  math: mathias
  mogens: mog
  nic: nicolai nikolai
  nikol: nikolaj nicolaj
  ped: peder
  ras: rasmus rasm
  soer: soeren sr
  thorv: thorvald
  thom: thomas
  adm: admiral
  adv: advokat
  amtm: amtmand
  ark: arkitekt
  bisk: biskop
  borgm: borgmester bgm bgmst borgmstr
  dir: direktoer direkt
  etatsr: etatsraad
  fabr: fabrikant
  gen: general
  gross: grosserer grs
  ing: ingenioer
  just: justitsraad
  kancr: kancelliraad
  kapt: kaptajn
  komm: kommandoer
  komp: komponist
  kons: konsul
  kmjkr: kammerjunker
  ltn: loejtnant loejtn
  oberst: obl
  overl: overlaege
  overlr: overlaerer
  past: pastor
  pol: politimester
  prov: provst
  raadm: raadmand
  red: redaktoer
  stats: statsminister
  stadsing: stadsingenioer
  skolebest: skolebestyrer
  sogn: sognefoged
  stiftsp: stiftsprovst
  tandl: tandlaege
  toldk: toldkontroloer
  dyrl: dyrlaege
  gdr: gaardejer
  apot: apoteker
  bagerm: bagermester
  murerm: murermester
  snedkerm: snedkermester
  afd: afdeling afdelingen
  hf: haveforening haveforeningen haveforen
  ahf: andelshaveforening andelshaveforeningen
  kh: kolonihave kolonihaven
  hk: haveklub haveklubben
  sommerb: sommerbyen
  vg: vaenget
  all: alle allee al
  blvd: boulevard boul blv bld bvd boulv
  pl: plads
  gd: gade g gad
  vj: vej
  straede: strd sraede
  pk: park
  kvt: kvarter kvarteret
  kst: kystvej
  stn: station stat
  stv: stationsvej
  havn: hvn
  1: i_ foerste
  2: ii anden andens iis 2s
  3: iii tredje tredjes iiis 3s
  4: iv fjerde fjerdes ivs 4s
  5: femte femtes vs 5s
  6: vi_ sjette sjettes vis 6s
  7: vii syvende syvendes viis 7s
  8: viii ottende ottendes viiis 8s
  9: ix niende niendes ixs 9s
  10: x tiende tiendes xs 10s
  11: xi
  12: xii
`;

/** Compared form by word; the text after a form's `_` is for readers only. */
export const SHORT: ReadonlyMap<string, string> = new Map(
  WORDS.trim()
    .split('\n')
    .flatMap((line) => {
      const [short = '', words = ''] = line.split(':');
      return words
        .trim()
        .split(' ')
        .filter((word) => !word.endsWith('_'))
        .map((word) => [word, short.trim()] as const);
    }),
);

/** Longest first: `Vesterbrog.`, `Vamdrupv.`, `Jens Baggesens V.` */
export const CUT_ENDINGS: readonly (readonly [string, string])[] = [
  ['straed', 'straede'],
  ['vaengt', 'vaenget'],
  ['vngt', 'vaenget'],
  ['strde', 'straede'],
  ['strd', 'straede'],
  ['plds', 'plads'],
  ['str', 'straede'],
  ['vgt', 'vaenget'],
  ['prk', 'parken'],
  ['mrk', 'marken'],
  ['gd', 'gade'],
  ['vj', 'vej'],
  ['vg', 'vaenget'],
  ['pl', 'plads'],
  ['g', 'gade'],
  ['v', 'vej'],
];

export const TOWN_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    kbh: 'koebenhavn',
    kbhvn: 'koebenhavn',
    koebh: 'koebenhavn',
    khvn: 'koebenhavn',
    cph: 'koebenhavn',
    copenhagen: 'koebenhavn',
    kopenhagen: 'koebenhavn',
    frb: 'frederiksberg',
    frbg: 'frederiksberg',
    nyk: 'nykoebing',
    nykb: 'nykoebing',
    odens: 'odense',
    elsinore: 'helsingoer',
  }),
);

export const COUNTRY: ReadonlySet<string> = new Set([
  ...['danmark', 'denmark', 'dk', 'dnk', 'danemark', 'daenemark', 'dinamarca', 'danimarca'],
]);

export const REGIONS: ReadonlySet<string> = new Set([
  ...['region hovedstaden', 'region sjaelland', 'region syddanmark', 'region midtjylland'],
  ...['region nordjylland', 'hovedstaden', 'syddanmark', 'midtjylland', 'nordjylland'],
  ...['soenderjylland', 'sjaelland', 'jylland', 'fyn', 'lolland', 'falster', 'bornholm'],
]);

/** Neither floor nor door, and unknown to the register. */
export const BUILDINGS: ReadonlySet<string> = new Set([
  ...['baghus', 'baghuset', 'bagbygning', 'bagbygningen', 'bagh', 'forhus', 'forhuset', 'forh'],
  ...['forbygning', 'forbygningen', 'sidehus', 'sidehuset', 'sidebygning', 'sidebygningen'],
  ...['mellemhus', 'mellembygning', 'mellembygningen', 'bygning', 'bygn', 'opgang', 'opg'],
  ...['indgang', 'port', 'blok', 'trappe', 'gaarden', 'gaardhus'],
]);

/** A number may precede them: `2. opgang`. */
export const STAIRWAYS: ReadonlySet<string> = new Set([
  ...['opgang', 'opg', 'indgang', 'trappe', 'port', 'blok'],
]);
