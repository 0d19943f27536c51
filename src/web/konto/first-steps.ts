/** What comes after the first sign-in: a key, a first call that works, an alarm of the month. */
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { request } from '../shared/ask.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { mintSessionKey } from '../shared/held-key.ts';
import { readAlarm, setAlarm } from './api.ts';
import { isOfPage } from './keys.ts';
import { troubleOf } from './trouble.ts';
import type { Alarm, Key, Me, Usage } from './types.ts';

const units = byIdAs('alarm-units', HTMLInputElement);

/** null: not read. */
let alarm: Alarm | null = null;
let board: { readonly me: Me; readonly usage: Usage; readonly keys: readonly Key[] } | null = null;

export async function showSteps(now: NonNullable<typeof board>): Promise<void> {
  board = now;
  try {
    alarm = await readAlarm();
  } catch (error) {
    alarm = null;
    const why = troubleOf(error);
    if (why !== null) say(byId('alarm-said'), why);
  }
  drawSteps();
}

export function forgetSteps(): void {
  [alarm, board] = [null, null];
  byId('steps-answer').replaceChildren();
}

/** In the language of now. The steps go away when a key was made and asked with. */
export function drawSteps(): void {
  if (board === null) return;
  const { me, usage, keys } = board;
  const roles = me.person?.roles ?? [];
  const may = (role: (typeof roles)[number]) =>
    roles.includes(role) || roles.includes('administers');
  const hasKey = keys.some((key) => key.state === 'active' && !isOfPage(key));
  const hasAsked = usage.live.requests + usage.test.requests > 0;
  show(byId('steps'), may('uses') && !(hasKey && hasAsked));
  byId('step-key').classList.toggle('done', hasKey);
  byId('step-call').classList.toggle('done', hasAsked);
  byId('step-alarm').classList.toggle('done', alarm?.units !== null && alarm !== null);
  byId('steps-curl').textContent =
    `curl -H 'Authorization: Bearer <${t('nøgle', 'key')}>' '${callUrl().href}'`;
  show(byId('alarm-form'), may('pays') && alarm !== null);
  show(byId('step-alarm'), may('pays') && alarm !== null);
  units.value = alarm?.units === null || alarm === null ? '' : String(alarm.units);
  if (alarm !== null) say(byId('alarm-said'), alarmWords(alarm));
}

function alarmWords({ units: set, mailed }: Alarm): string {
  if (!mailed) {
    return t(
      'Tjenesten sender ikke e-mail endnu, så alarmen kommer ikke frem.',
      'The service sends no e-mail yet, so the alarm reaches nobody.',
    );
  }
  if (set === null) return t('Ingen alarm er sat.', 'No alarm is set.');
  return t(
    `Et brev sendes, når måneden har brugt ${number(set)} live-enheder.`,
    `A letter is sent when the month has used ${number(set)} live units.`,
  );
}

function callUrl(): URL {
  const [lon = '', lat = ''] = (document.body.dataset['sted'] ?? '').split(' ');
  const place = lon === '' ? 'lon=10.2&lat=56.1' : `lon=${lon}&lat=${lat}`;
  return new URL(`v1/natur/byggelinjer?${place}`, document.baseURI);
}

/** By a test key of this session, made for the call. */
async function callOnce(again: () => Promise<void>): Promise<void> {
  const place = byId('steps-answer');
  try {
    const { secret } = await mintSessionKey(t('Første opslag', 'First call'), 'test', ['natur']);
    const { href } = callUrl();
    const response = await request(href, { headers: { authorization: `Bearer ${secret}` } });
    const text = JSON.stringify(await response.json(), null, 2);
    await again();
    place.replaceChildren(h('pre', { class: 'scroll', tabindex: 0 }, h('code', {}, text)));
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) place.replaceChildren(h('p', { class: 'notice bad' }, why));
  }
}

/** `again`: what reads the account anew. */
export function installSteps(again: () => Promise<void>): void {
  byId('steps-mint').addEventListener('click', () => byId('new-key').click());
  byId('steps-call').addEventListener('click', () => void callOnce(again));
  byId('steps-alarm').addEventListener('click', () => units.focus());
  byId('alarm-form').addEventListener('submit', (event) => {
    event.preventDefault();
    void saveAlarm();
  });
}

async function saveAlarm(): Promise<void> {
  const given = units.value.trim();
  try {
    alarm = await setAlarm(given === '' ? null : Number(given));
    toast(t('Gemt.', 'Saved.'));
    drawSteps();
  } catch (error) {
    const why = troubleOf(error);
    if (why !== null) toast(why, 'bad');
  }
}
