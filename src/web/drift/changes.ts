/** Announced changes: when, and whether they are prepared. */
import { h } from '../shared/dom.ts';
import { day, number } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Both } from '../shared/language.ts';
import type { Acts } from './shown.ts';
import type { Change, Changes } from './types.ts';
import { guardWord, layerWord } from './words.ts';
import { until } from './units.ts';

const CHANGES: Readonly<Record<Change['tilstand'], Both>> = {
  forberedt: { da: 'Klar', en: 'Ready' },
  ventes: { da: 'Ventes i filen', en: 'Expected in the file' },
  modsagt: { da: 'Modsagt', en: 'Contradicted' },
  overskredet: { da: 'Overskredet', en: 'Overdue' },
  udfoert: { da: 'Udført', en: 'Done' },
};

const CONTRADICTIONS: Readonly<Record<Change['modsigelser'][number]['art'], Both>> = {
  fortsaetter: { da: 'fortsætter ifølge filen', en: 'continues, according to the file' },
  ikke_varslet: {
    da: 'ophører ifølge filen, men ikke ifølge opslaget',
    en: 'ends according to the file, but not the announcement',
  },
  ukendt: { da: 'findes ikke i kopien', en: 'is not in our copy' },
  findes: { da: 'findes allerede i kopien', en: 'is already in our copy' },
};

/** Changes that are farther off can wait for what fails today, milliseconds. */
const SOON_MS = 90 * 86_400_000;

/** The changes as items, those that want a person first. `act`: what the buttons do. */
export function changeItems(
  { varsler, tidspunkt }: Changes,
  act: Acts,
): { readonly soon: HTMLElement[]; readonly later: HTMLElement[] } {
  const now = Date.parse(tidspunkt);
  const isLater = ({ tidspunkt: at, tilstand }: Change): boolean =>
    Date.parse(at) - now > SOON_MS && tilstand !== 'modsagt';
  const items = (changes: readonly Change[]) => changes.map((each) => changeItem(each, now, act));
  return {
    soon: items(varsler.filter((change) => !isLater(change))),
    later: items(varsler.filter(isLater)),
  };
}

/** good, warn or bad, and the words for it. */
function stateBadge({
  tilstand,
  kraever_godkendelse: wants,
  godkendt,
  beregnet,
}: Change): readonly [string, string] {
  if (tilstand === 'overskredet' || tilstand === 'modsagt')
    return ['bad', inLanguage(CHANGES[tilstand])];
  if (tilstand === 'udfoert') return ['none', inLanguage(CHANGES.udfoert)];
  if (wants) {
    const words = tilstand === 'ventes' ? `${inLanguage(CHANGES.ventes)}, ` : '';
    const lacks = t('Mangler godkendelse', 'Needs a confirmation');
    return ['warn', words === '' ? lacks : `${words}${lacks.toLowerCase()}`];
  }
  if (tilstand === 'ventes')
    return [
      'warn',
      godkendt
        ? t('Godkendt, ventes i filen', 'Confirmed, expected in the file')
        : inLanguage(CHANGES.ventes),
    ];
  if (beregnet === null) return ['none', t('Beregnes', 'Being computed')];
  return [
    'good',
    godkendt ? t('Klar og godkendt', 'Ready and confirmed') : inLanguage(CHANGES.forberedt),
  ];
}

function changeItem(change: Change, now: number, act: Acts): HTMLElement {
  const { id, lag, tidspunkt, tilstand, godkendt, udfoert } = change;
  const [kind, words] = stateBadge(change);
  const isOpen = tilstand !== 'udfoert' && tilstand !== 'overskredet';
  return h(
    'li',
    { class: `change ${kind}`, 'data-change': id },
    h(
      'div',
      { class: 'change-when' },
      h('time', { datetime: tidspunkt }, day(tidspunkt)),
      h('span', { class: 'muted' }, udfoert === null ? until(Date.parse(tidspunkt) - now) : ''),
    ),
    h(
      'div',
      { class: 'change-what' },
      h('p', {}, h('b', {}, layerWord(lag)), ' ', ...whatHappens(change)),
      ...consequences(change),
      godkendt === null
        ? null
        : h(
            'p',
            { class: 'muted' },
            `${t('Godkendt af', 'Confirmed by')} ${godkendt.af}${godkendt.bemaerkning === null ? '' : `: ${godkendt.bemaerkning}`}`,
          ),
    ),
    h(
      'div',
      { class: 'change-standing' },
      h('span', { class: `badge ${kind}` }, words),
      isOpen && godkendt === null && change.beregnet !== null && tilstand !== 'modsagt'
        ? h(
            'button',
            {
              type: 'button',
              class: change.kraever_godkendelse ? 'primary' : 'quiet',
              'data-key': `ok-${id}`,
              onclick: () => act.confirm(change),
            },
            t('Godkend', 'Confirm'),
          )
        : null,
      isOpen && godkendt !== null
        ? h(
            'button',
            {
              type: 'button',
              class: 'quiet',
              'data-key': `no-${id}`,
              onclick: () => act.unconfirm(change),
            },
            t('Træk tilbage', 'Withdraw'),
          )
        : null,
    ),
  );
}

function whatHappens({ ophoerer, begynder, aendres }: Change): readonly string[] {
  const named = ({ kode, navn }: Change['begynder'][number]): string =>
    (navn ?? (kode === null ? t('endnu ukendt kode', 'code not yet known') : '')) +
    (kode === null ? '' : ` (${kode})`);
  const listed = (items: Change['begynder']): string => items.map(named).join(', ');
  const renamed = aendres.map(({ kode, navn, nyt_navn: name }) =>
    navn === name
      ? t(`${navn} (${kode}) får nye grænser`, `${navn} (${kode}) gets new boundaries`)
      : t(`${navn} (${kode}) bliver til ${name}`, `${navn} (${kode}) becomes ${name}`),
  );
  return [
    [
      ophoerer.length > 0
        ? `${listed(ophoerer)} ${t('ophører', ophoerer.length === 1 ? 'ends' : 'end')}`
        : null,
      begynder.length > 0
        ? `${listed(begynder)} ${t('begynder', begynder.length === 1 ? 'begins' : 'begin')}`
        : null,
      ...renamed,
    ]
      .filter((part) => part !== null)
      .join('; '),
  ];
}

function consequences({ beregnet, modsigelser, tilstand }: Change): HTMLElement[] {
  const told = modsigelser.map(({ art, kode }) =>
    h('p', { class: 'bad' }, `${kode} ${inLanguage(CONTRADICTIONS[art])}`),
  );
  if (tilstand === 'overskredet') {
    told.push(
      h(
        'p',
        { class: 'bad' },
        t(
          'Tidspunktet er passeret: den gamle kopi svarer, mærket som forsinket.',
          'Its time has passed: the old copy answers, marked as late.',
        ),
      ),
    );
  }
  if (beregnet === null) return told;
  const { tal, vaern } = beregnet;
  const facts = [
    tal.adresser === null
      ? t('ingen adresser er spejlet endnu', 'no addresses mirrored yet')
      : t(
          `${number(tal.adresser)} adresser får et andet svar`,
          `${number(tal.adresser)} addresses get a different answer`,
        ),
    t(
      `${number(tal.nye)} nye, ${number(tal.aendrede)} ændrede, ${number(tal.fjernede)} fjernede rækker`,
      `${number(tal.nye)} new, ${number(tal.aendrede)} changed, ${number(tal.fjernede)} removed rows`,
    ),
    `${number(Math.round(tal.areal_foer_m2 / 1e4) / 100)} km² ${t('berørt', 'touched')}`,
    t(
      `${number(tal.kanariepunkter_aendret)} af ${number(tal.kanariepunkter)} prøvepunkter`,
      `${number(tal.kanariepunkter_aendret)} of ${number(tal.kanariepunkter)} sample points`,
    ),
  ];
  return [
    ...told,
    h('p', { class: 'muted' }, facts.join(' · ')),
    vaern.length === 0
      ? h('p', { class: 'muted' }, t('Udløser ingen værn.', 'Trips no guard.'))
      : h('p', { class: 'muted' }, `${t('Udløser', 'Trips')} ${vaern.map(guardWord).join(', ')}.`),
  ];
}
