import { STUCK_S, fallbacksOf, nextStep } from './next-step.ts';
import { badge, stateOf } from './layer.ts';
import { moment, number } from '../shared/format.ts';
import { html, note, when } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { Board, Layer, ShownState } from './types.ts';
import { actionWord, breakerWord, guardWord, hostWord, layerWord } from './words.ts';
import { bytes, list } from './units.ts';

const STATES: readonly ShownState[] = ['fejlet', 'mangler', 'forsinket', 'holdt', 'frisk'];

/** Inside a state in the order of the catalogue. */
export function worstFirst(layers: readonly Layer[]): Layer[] {
  return layers.toSorted((a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)));
}

const spinner = html`<span class="spinner" aria-hidden="true"></span>`;

export function summary(board: Board): TemplateResult {
  const { synk_leder, job, webhooks, hukommelse, traade } = board;
  const fallbacks = fallbacksOf(board);
  const [kind, headline] = headlineOf(board);
  const running = board.lag.filter(({ koerer }) => koerer !== null).length;
  const counts = STATES.map((state) => {
    const count = board.lag.filter((layer) => stateOf(layer) === state).length;
    return count === 0 ? null : html`<li>${badge(state)}<b>${number(count)}</b></li>`;
  });
  const old = t(
    `Lageret svarer ikke: det viste er ${number(board.lager.alder_s)} s gammelt.`,
    `The store does not answer: what is shown is ${number(board.lager.alder_s)} s old.`,
  );
  return html`<div class="panel headline ${kind}">
      <p class="big">${headline}</p>
      <p class="next"><b>${t('Næste skridt:', 'Next step:')}</b> ${nextStep(board)}</p>
      ${board.lager.svarer ? null : html`<p>${old}</p>`}
      ${fallbacks === null ? null : note(`${t('Nødsvar', 'Fallback')}: ${fallbacks.text}`, fallbacks.kind)}
      <ul class="counts">
        ${counts}
        ${when(running > 0, () => html`<li>${spinner}${running} ${t('kører', 'running')}</li>`)}
      </ul>
    </div>
    <dl class="panel tiles">
      ${tile('Generation', figure(number(board.generation)))}
      ${synk_leder === null ? null : tile(t('Synkronisering', 'Syncs'), leader(synk_leder))}
      ${job === null ? null : tile(t('Job', 'Jobs'), jobs(job))}
      ${webhooks === null ? null : tile('Webhooks', deliveries(webhooks))}
      ${traade.length < 2 ? null : tile(t('Tråde', 'Threads'), threads(traade))}
      ${when(hukommelse, (held) =>
        tile(t('I hukommelsen', 'In memory'), memory(held, board.lag.length)),
      )}
      ${tile(t('Direkte spørgsmål til', 'Asked directly'), hosts(board.vaerter))}
      ${tile(t('Opslag siden opstart', 'Lookups since start'), lookups(board.lag))}
    </dl>`;
}

function headlineOf(board: Board): readonly [kind: string, text: string] {
  const { lag: layers } = board;
  const all = layers.length;
  const wrong = layers.filter(({ tilstand }) => tilstand !== 'frisk').length;
  const held = layers.filter((layer) => stateOf(layer) === 'holdt').length;
  if (wrong > 0) {
    const da = `${wrong} af ${all} lag kræver opmærksomhed`;
    return ['bad', t(da, `${wrong} of ${all} layers need attention`)];
  }
  if (held > 0) {
    const da = `${held} af ${all} lag holdes tilbage`;
    return ['warn', t(da, `${held} of ${all} layers are held back`)];
  }
  const fallbacks = fallbacksOf(board);
  if (fallbacks !== null) {
    const fell = fallbacks.layers.length;
    const da = `Alle ${all} lag er friske, men ${fell} gav nødsvar`;
    return [fallbacks.kind, t(da, `All ${all} layers are fresh, but ${fell} fell back`)];
  }
  return ['good', t(`Alle ${all} lag er friske`, `All ${all} layers are fresh`)];
}

export function actionItems(actions: Board['handlinger']): readonly TemplateResult[] {
  return actions.map(({ tidspunkt, lag, handling, vaern, af }) => {
    const what = handling === 'frigiv' ? `${list(vaern.map(guardWord))} ${t('for', 'for')} ` : '';
    return html`<li>
      <time datetime=${tidspunkt} class="muted">${moment(tidspunkt)}</time>
      ${`${af} ${actionWord(handling)} ${what}`}<b>${layerWord(lag)}</b>
    </li>`;
  });
}

function tile(name: string, content: unknown): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${content}</dd>
  </div>`;
}

function figure(text: string): TemplateResult {
  return html`<span class="figure">${text}</span>`;
}

type Memory = NonNullable<Board['hukommelse']>;

function memory({ lag, bytes: size, trukket_tilbage: out, kontrol }: Memory, layers: number) {
  const answers = number(kontrol?.sammenlignet ?? 0);
  const compared = t(
    `${answers} svar sammenlignet med lageret, ${kontrol?.afvigelser} afviger`,
    `${answers} answers compared with the store, ${kontrol?.afvigelser} differ`,
  );
  const withdrawn = `${t('trukket tilbage', 'withdrawn')}: ${list(out.map(layerWord))}`;
  return html`${figure(`${lag.length} ${t('af', 'of')} ${layers}`)}
  ${note(lag.length === 0 ? t('lageret svarer', 'the store answers') : bytes(size))}
  ${kontrol === null ? null : note(compared, kontrol.afvigelser === 0 ? 'muted' : 'bad')}
  ${out.length === 0 ? null : note(withdrawn, 'bad')}`;
}

const HUNG_S = 4;

function threads(all: Board['traade']): TemplateResult {
  const slowest = number(Math.max(...all.map((each) => each.forsinkelse_ms)));
  const requests = list(all.map((each) => number(each.forespoergsler)));
  const hung = list(
    all.flatMap(({ stille_s, nummer }) => (stille_s > HUNG_S ? [`${nummer}`] : [])),
  );
  return html`${figure(number(all.length))}
  ${hung === '' ? null : note(t(`${hung} svarer ikke`, `${hung} does not answer`), 'bad')}
  ${note(
    t(
      `${requests} forespørgsler, højst ${slowest} ms ventetid (p99)`,
      `${requests} requests, ${slowest} ms of delay at most (p99)`,
    ),
  )}`;
}

function leader({ hvem, siden, leder }: NonNullable<Board['synk_leder']>): TemplateResult {
  const since = t(`siden ${moment(siden)}`, `since ${moment(siden)}`);
  const none = t('ingen proces leder', 'no process leads');
  return html`${note(`${t('ledes af', 'led by')} ${hvem.split('/')[0] ?? hvem}`, '')}
    <p class=${leder ? 'muted' : 'bad'} title=${hvem}>${leder ? since : none}</p>`;
}

type Jobs = NonNullable<Board['job']>;

function jobs({ aabne, ventende_raekker: rows, stille_s: stillS, her }: Jobs): TemplateResult {
  const waiting = t(`${number(rows)} rækker venter`, `${number(rows)} rows waiting`);
  const still = number(stillS ?? 0);
  const stuck = t(`et job har stået stille i ${still} s`, `a job has been stuck for ${still} s`);
  const elsewhere = t('arbejdes på i andre processer', 'handled by other processes');
  return html`${figure(number(aabne))}
  ${note(aabne === 0 ? t('ingen venter', 'none waiting') : waiting)}
  ${(stillS ?? 0) > STUCK_S ? note(stuck, 'bad') : null}${her === null ? note(elsewhere) : null}`;
}

function deliveries(webhooks: NonNullable<Board['webhooks']>): TemplateResult {
  const { modtagere, modtagere_med_fejl: failing, venter, aeldste_s: oldestS, her } = webhooks;
  const [all, bad, old] = [number(modtagere), number(failing), number(oldestS ?? 0)];
  const late = t(`en levering har ventet ${old} s for længe`, `a delivery is ${old} s late`);
  return html`${figure(number(venter))}
  ${note(t(`venter til ${all} modtagere`, `waiting for ${all} receivers`))}
  ${failing === 0 ? null : note(t(`${bad} svarer ikke godt`, `${bad} failing`))}
  ${(oldestS ?? 0) > STUCK_S ? note(late, 'bad') : null}
  ${her === null ? note(t('sendes af andre processer', 'sent by other processes')) : null}`;
}

/** A host that can be asked is a name; one that cannot says so in words. */
function hosts(all: Board['vaerter']): TemplateResult {
  return html`<ul class="hosts">
    ${all.map(({ vaert, afbryder, i_gang: inFlight, i_koe: queued }) => {
      const busy = t(
        `${inFlight} i gang, ${queued} i kø`,
        `${inFlight} in flight, ${queued} queued`,
      );
      const isReady = afbryder === 'lukket';
      return html`<li class=${afbryder} title=${busy}>
        <span class="dot" aria-hidden="true"></span>${hostWord(vaert)}<span
          class=${isReady ? 'visually-hidden' : ''}
          >: ${breakerWord(afbryder)}</span
        >
      </li>`;
    })}
  </ul>`;
}

function lookups(layers: readonly Layer[]): TemplateResult {
  const total = (...from: readonly (keyof Layer['svar'])[]): number =>
    layers.reduce((sum, { svar }) => sum + from.reduce((part, name) => part + svar[name], 0), 0);
  const parts: readonly (readonly [number, string, string])[] = [
    [total('snapshot', 'lager'), t('fra kopien', 'from the copy'), 'good'],
    [total('register'), t('fra registret', 'from the register'), 'warn'],
    [total('gammel_kopi'), t('fra gammel kopi', 'from an old copy'), 'warn'],
    [total('utilgaengelig'), t('uden svar', 'without an answer'), 'bad'],
  ];
  return html`<ul class="lookups">
    ${parts.map(
      ([count, text, kind]) =>
        html`<li class=${count > 0 ? kind : 'none'}><b>${number(count)}</b> ${text}</li>`,
    )}
  </ul>`;
}
