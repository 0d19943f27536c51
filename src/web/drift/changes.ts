import { day, number } from '../shared/format.ts';
import { html, note } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Words } from '../../layers/words.ts';
import type { Acts } from './shown.ts';
import type { Change, Changes } from './types.ts';
import { guardWord, layerWord } from './words.ts';
import { keyedButton, until } from './units.ts';

const CHANGES: Readonly<Record<Change['tilstand'], Words>> = {
  forberedt: { da: 'Klar', en: 'Ready' },
  ventes: { da: 'Ventes i filen', en: 'Expected in the file' },
  modsagt: { da: 'Modsagt', en: 'Contradicted' },
  overskredet: { da: 'Overskredet', en: 'Overdue' },
  udfoert: { da: 'Udført', en: 'Done' },
};

const CONTRADICTIONS: Readonly<Record<Change['modsigelser'][number]['art'], Words>> = {
  fortsaetter: { da: 'fortsætter ifølge filen', en: 'continues, according to the file' },
  ikke_varslet: {
    da: 'ophører ifølge filen, men ikke ifølge opslaget',
    en: 'ends according to the file, but not the announcement',
  },
  ukendt: { da: 'findes ikke i kopien', en: 'is not in our copy' },
  findes: { da: 'findes allerede i kopien', en: 'is already in our copy' },
};

/** What is farther off can wait for what fails today. */
const SOON_MS = 90 * 86_400_000;

/** Those that want a person first. */
export function changeItems({ varsler, tidspunkt }: Changes, act: Acts) {
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
  const words = inLanguage(CHANGES[tilstand]);
  if (tilstand === 'overskredet' || tilstand === 'modsagt') return ['bad', words];
  if (tilstand === 'udfoert') return ['none', words];
  const waits = tilstand === 'ventes';
  if (wants) {
    const lacks = t('Mangler godkendelse', 'Needs a confirmation');
    return ['warn', waits ? `${words}, ${lacks.toLowerCase()}` : lacks];
  }
  const both = t('Godkendt, ventes i filen', 'Confirmed, expected in the file');
  if (waits) return ['warn', godkendt ? both : words];
  if (beregnet === null) return ['none', t('Beregnes', 'Being computed')];
  return ['good', godkendt ? t('Klar og godkendt', 'Ready and confirmed') : words];
}

function changeItem(change: Change, now: number, act: Acts): TemplateResult {
  const { id, lag, tidspunkt, tilstand, godkendt, udfoert, beregnet } = change;
  const [kind, words] = stateBadge(change);
  const isOpen = tilstand !== 'udfoert' && tilstand !== 'overskredet';
  const canConfirm = isOpen && godkendt === null && beregnet !== null && tilstand !== 'modsagt';
  const left = udfoert === null ? until(Date.parse(tidspunkt) - now) : '';
  const look = change.kraever_godkendelse ? 'primary' : 'quiet';
  return html`<li class="panel change ${kind}" data-change=${id}>
    <div class="change-when">
      <time datetime=${tidspunkt}>${day(tidspunkt)}</time><span class="muted">${left}</span>
    </div>
    <div class="change-what">
      <p><b>${layerWord(lag)}</b> ${whatHappens(change)}</p>
      ${consequences(change)} ${godkendt === null ? null : confirmed(godkendt)}
    </div>
    <div class="change-standing">
      <span class=${`badge ${kind}`}>${words}</span>
      ${
        canConfirm
          ? keyedButton(`ok-${id}`, t('Godkend', 'Confirm'), () => act.confirm(change), look)
          : null
      }
      ${
        isOpen && godkendt !== null
          ? keyedButton(`no-${id}`, t('Træk tilbage', 'Withdraw'), () => act.unconfirm(change))
          : null
      }
    </div>
  </li>`;
}

function confirmed({ af, bemaerkning }: NonNullable<Change['godkendt']>): TemplateResult {
  const remark = bemaerkning === null ? '' : `: ${bemaerkning}`;
  return note(`${t('Godkendt af', 'Confirmed by')} ${af}${remark}`);
}

function whatHappens({ ophoerer, begynder, aendres }: Change): string {
  const named = ({ kode, navn }: Change['begynder'][number]): string =>
    (navn ?? (kode === null ? t('endnu ukendt kode', 'code not yet known') : '')) +
    (kode === null ? '' : ` (${kode})`);
  const listed = (items: Change['begynder'], da: string, [one, many]: readonly [string, string]) =>
    items.length === 0
      ? []
      : [`${items.map(named).join(', ')} ${t(da, items.length === 1 ? one : many)}`];
  const renamed = aendres.map(({ kode, navn, nyt_navn: name }) =>
    navn === name
      ? t(`${navn} (${kode}) får nye grænser`, `${navn} (${kode}) gets new boundaries`)
      : t(`${navn} (${kode}) bliver til ${name}`, `${navn} (${kode}) becomes ${name}`),
  );
  return [
    ...listed(ophoerer, 'ophører', ['ends', 'end']),
    ...listed(begynder, 'begynder', ['begins', 'begin']),
    ...renamed,
  ].join('; ');
}

function consequences({ beregnet, modsigelser, tilstand }: Change): unknown {
  const passed = t(
    'Tidspunktet er passeret: den gamle kopi svarer, mærket som forsinket.',
    'Its time has passed: the old copy answers, marked as late.',
  );
  return [
    ...modsigelser.map(({ art, kode }) =>
      note(`${kode} ${inLanguage(CONTRADICTIONS[art])}`, 'bad'),
    ),
    tilstand === 'overskredet' ? note(passed, 'bad') : null,
    beregnet === null ? null : computed(beregnet),
  ];
}

function computed({ tal, vaern }: NonNullable<Change['beregnet']>): TemplateResult {
  const addresses = number(tal.adresser ?? 0);
  const [added, changed, removed] = [tal.nye, tal.aendrede, tal.fjernede].map(number);
  const [moved, all] = [tal.kanariepunkter_aendret, tal.kanariepunkter].map(number);
  const facts = [
    tal.adresser === null
      ? t('ingen adresser er spejlet endnu', 'no addresses mirrored yet')
      : t(
          `${addresses} adresser får et andet svar`,
          `${addresses} addresses get a different answer`,
        ),
    t(
      `${added} nye, ${changed} ændrede, ${removed} fjernede rækker`,
      `${added} new, ${changed} changed, ${removed} removed rows`,
    ),
    `${number(Math.round(tal.areal_foer_m2 / 1e4) / 100)} km² ${t('berørt', 'touched')}`,
    t(`${moved} af ${all} prøvepunkter`, `${moved} of ${all} sample points`),
  ];
  const guards =
    vaern.length === 0
      ? t('Udløser ingen værn.', 'Trips no guard.')
      : `${t('Udløser', 'Trips')} ${vaern.map(guardWord).join(', ')}.`;
  return html`${note(facts.join(' · '))}${note(guards)}`;
}
