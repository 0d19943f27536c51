/** A key, a first call that works, an alarm of the month. */
import { request } from '../shared/ask.ts';
import { byId } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { HeldKey, mintSessionKey } from '../shared/held-key.ts';
import { badNotice, button, html, nothing, when } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { asSession } from '../shared/session.ts';
import { Part, attempt, lookAgain, may, redraw, troubleOf } from './board.ts';
import { isOfPage } from './keys.ts';
import type { Alarm, Key, Usage } from './types.ts';

/** Of the first call, or why there is none. */
let answer: Content = nothing;
export const alarm = new Part(
  () => asSession<Alarm>('GET', 'v1/me/alarm'),
  () => (answer = nothing),
);

/** They go away when a key was made and asked with. */
export function stepsView(usage: Usage, keys: readonly Key[]): Content {
  const hasKey = keys.some((key) => key.state === 'active' && !isOfPage(key));
  const hasAsked = usage.live.requests + usage.test.requests > 0;
  if (!may('uses') || (hasKey && hasAsked)) return nothing;
  const curl = `curl -H 'Authorization: Bearer <${t('nøgle', 'key')}>' '${callUrl().href}'`;
  const aboutKey = t(
    'En testnøgle svarer på samme data og kommer aldrig på regningen.',
    'A test key answers from the same data and is never billed.',
  );
  return html`<section id="steps" class="card" aria-labelledby="steps-title">
    <h2 id="steps-title">${t('Kom i gang', 'First steps')}</h2>
    <ol class="steps">
      <li class=${hasKey ? 'done' : nothing}>
        <h3>${t('Lav en nøgle', 'Make a key')}</h3>
        <p>${aboutKey}</p>
        ${button(t('Lav den første', 'Make the first one'), () => byId('new-key').click())}
      </li>
      <li class=${hasAsked ? 'done' : nothing}>
        <h3>${t('Spørg med den', 'Ask with it')}</h3>
        <pre class="wrap"><code>${curl}</code></pre>
        ${button(t('Prøv det her', 'Try it here'), callOnce)}
        <div aria-live="polite">${answer}</div>
      </li>
      ${when(may('pays') && alarm.value, alarmStep)}
    </ol>
  </section>`;
}

function alarmStep({ units }: Alarm): TemplateResult {
  const about = t(
    'Et brev, når måneden har brugt, hvad I siger.',
    'A letter when the month has used as much as you say.',
  );
  return html`<li class=${units === null ? nothing : 'done'}>
    <h3>${t('Sæt en alarm', 'Set an alarm')}</h3>
    <p>${about}</p>
    ${button(t('Til alarmen', 'To the alarm'), () => byId('alarm-units').focus())}
  </li>`;
}

export function alarmView(): TemplateResult {
  const { value, trouble } = alarm;
  const label = t('Alarm ved, live-enheder om måneden', 'Alarm at, live units a month');
  return html`<div id="alarm">
    ${
      may('pays') && value !== null
        ? html`<form class="choices" @submit=${saveAlarm}>
            <p>
              <label for="alarm-units">${label}</label>
              <input
                id="alarm-units"
                type="number"
                min="1"
                max="1000000000"
                step="1"
                inputmode="numeric"
                .value=${String(value.units ?? '')}
              />
            </p>
            <p><button type="submit">${t('Sæt alarmen', 'Set the alarm')}</button></p>
          </form>`
        : nothing
    }
    <p class="muted" role="status">${value === null ? trouble : alarmWords(value)}</p>
  </div>`;
}

function alarmWords({ units, mailed }: Alarm): string {
  if (!mailed) {
    return t(
      'Tjenesten sender ikke e-mail endnu, så alarmen kommer ikke frem.',
      'The service sends no e-mail yet, so the alarm reaches no one.',
    );
  }
  if (units === null) return t('Ingen alarm er sat.', 'No alarm is set.');
  return t(
    `Et brev sendes, når måneden har brugt ${number(units)} live-enheder.`,
    `A letter is sent when the month has used ${number(units)} live units.`,
  );
}

function callUrl(): URL {
  const [lon = '', lat = ''] = (document.body.dataset['sted'] ?? '').split(' ');
  const place = lon === '' ? 'lon=10.2&lat=56.1' : `lon=${lon}&lat=${lat}`;
  return new URL(`v1/natur/byggelinjer?${place}`, document.baseURI);
}

const testKey = new HeldKey(() =>
  mintSessionKey(t('Første opslag', 'First call'), 'test', ['natur']),
);

async function callOnce(): Promise<void> {
  try {
    const response = await testKey.ask((secret) =>
      request(callUrl().href, {
        credentials: 'omit',
        headers: { authorization: `Bearer ${secret}` },
      }),
    );
    const text = JSON.stringify(await response.json(), null, 2);
    answer = html`<pre class="scroll" tabindex="0"><code>${text}</code></pre>`;
  } catch (error) {
    answer = badNotice(troubleOf(error) ?? '');
  }
  testKey.release();
  redraw();
  await lookAgain();
}

async function saveAlarm(event: Event): Promise<void> {
  event.preventDefault();
  const given = (byId('alarm-units') as HTMLInputElement).value.trim();
  await attempt(async () => {
    await asSession('PUT', 'v1/me/alarm', { units: given === '' ? null : Number(given) });
    toast(t('Gemt.', 'Saved.'));
    await alarm.read();
  });
}
