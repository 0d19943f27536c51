/** What will change, when, and whether it is prepared: at a glance, with what it does behind it. */
import { h } from '../shared/dom.ts';
import { day, number, until } from '../shared/format.ts';
import type { Acts, Change, Changes } from './types.ts';
import { GUARD_WORDS } from './words.ts';

const CHANGE_WORDS = {
  forberedt: 'Klar',
  ventes: 'Ventes i filen',
  modsagt: 'Modsagt',
  overskredet: 'Overskredet',
  udfoert: 'Udført',
};

const CONTRADICTION_WORDS = {
  fortsaetter: 'fortsætter ifølge filen',
  ikke_varslet: 'ophører ifølge filen, men ikke ifølge opslaget',
  ukendt: 'findes ikke i kopien',
  findes: 'findes allerede i kopien',
};

/** The changes as items, those that want a person first. `act`: what the buttons do. */
export function changeItems({ varsler, tidspunkt }: Changes, act: Acts): HTMLElement[] {
  const now = Date.parse(tidspunkt);
  return varsler.map((change) => changeItem(change, now, act));
}

/** good, warn or bad, and the words for it. */
function standingOf({
  tilstand,
  kraever_godkendelse: wants,
  godkendt,
  beregnet,
}: Change): readonly [string, string] {
  if (tilstand === 'overskredet' || tilstand === 'modsagt') return ['bad', CHANGE_WORDS[tilstand]];
  if (tilstand === 'udfoert') return ['none', CHANGE_WORDS.udfoert];
  if (wants) {
    const waits = tilstand === 'ventes' ? `${CHANGE_WORDS.ventes}, mangler` : 'Mangler';
    return ['warn', `${waits} godkendelse`];
  }
  if (tilstand === 'ventes')
    return ['warn', godkendt ? 'Godkendt, ventes i filen' : CHANGE_WORDS.ventes];
  if (beregnet === null) return ['none', 'Beregnes'];
  return ['good', godkendt ? 'Klar og godkendt' : CHANGE_WORDS.forberedt];
}

function changeItem(change: Change, now: number, act: Acts): HTMLElement {
  const { id, lag, tidspunkt, tilstand, godkendt, udfoert } = change;
  const [kind, words] = standingOf(change);
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
      h('p', {}, h('b', {}, lag), ' ', ...whatHappens(change)),
      ...consequences(change),
      godkendt === null
        ? null
        : h(
            'p',
            { class: 'muted' },
            `Godkendt af ${godkendt.af}${godkendt.bemaerkning === null ? '' : `: ${godkendt.bemaerkning}`}`,
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
            'Godkend',
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
            'Træk tilbage',
          )
        : null,
    ),
  );
}

function whatHappens({ ophoerer, begynder, aendres }: Change): readonly string[] {
  const named = ({ kode, navn }: Change['begynder'][number]): string =>
    (navn ?? (kode === null ? 'endnu ukendt kode' : '')) + (kode === null ? '' : ` (${kode})`);
  const listed = (items: Change['begynder']): string => items.map(named).join(', ');
  const renamed = aendres.map(({ kode, navn, nyt_navn: name }) =>
    navn === name ? `${navn} (${kode}) får nye grænser` : `${navn} (${kode}) bliver til ${name}`,
  );
  return [
    [
      ophoerer.length > 0 ? `${listed(ophoerer)} ophører` : null,
      begynder.length > 0 ? `${listed(begynder)} begynder` : null,
      ...renamed,
    ]
      .filter((part) => part !== null)
      .join('; '),
  ];
}

function consequences({ beregnet, modsigelser, tilstand }: Change): HTMLElement[] {
  const told = modsigelser.map(({ art, kode }) =>
    h('p', { class: 'bad' }, `${kode} ${CONTRADICTION_WORDS[art]}`),
  );
  if (tilstand === 'overskredet') {
    told.push(
      h(
        'p',
        { class: 'bad' },
        'Tidspunktet er passeret: den gamle kopi svarer, mærket som forsinket.',
      ),
    );
  }
  if (beregnet === null) return told;
  const { tal, vaern } = beregnet;
  const facts = [
    tal.adresser === null
      ? 'ingen adresser er spejlet endnu'
      : `${number(tal.adresser)} adresser får et andet svar`,
    `${number(tal.nye)} nye, ${number(tal.aendrede)} ændrede, ${number(tal.fjernede)} fjernede rækker`,
    `${number(Math.round(tal.areal_foer_m2 / 1e4) / 100)} km² berørt`,
    `${number(tal.kanariepunkter_aendret)} af ${number(tal.kanariepunkter)} kanariepunkter`,
  ];
  return [
    ...told,
    h('p', { class: 'muted' }, facts.join(' · ')),
    vaern.length === 0
      ? h('p', { class: 'muted' }, 'Udløser ingen værn.')
      : h(
          'p',
          { class: 'muted' },
          `Udløser ${vaern.map((name) => GUARD_WORDS[name] ?? name).join(', ')}.`,
        ),
  ];
}
