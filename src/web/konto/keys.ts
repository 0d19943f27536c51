import { moment } from '../shared/format.ts';
import { html, nothing, when } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { asSession } from '../shared/session.ts';
import { field } from './api.ts';
import { attemptIf, lookAgain, may } from './board.ts';
import { openMint } from './mint.ts';
import { newButton, rowButton, rowList, section, sureTo } from './pieces.ts';
import { showSecret } from './secret.ts';
import type { Key, MintedKey } from './types.ts';
import { keyWords, permissionWords, quoted } from './words.ts';

/** Those alone have an end from the first, the session's. */
export function isOfPage({ expires_at: end, replaced_by: next }: Key): boolean {
  return end !== null && next === null;
}

export function keysView(keys: readonly Key[]): TemplateResult {
  const working = keys.filter(({ state }) => state === 'active');
  const ended = keys.filter((key) => key.state !== 'active' && !isOfPage(key));
  const own = working.filter((key) => !isOfPage(key));
  const ofPages = working.filter(isOfPage);
  const mayUse = may('uses');
  const title = t('Nøgler', 'Keys');
  const button = newButton('new-key', mayUse, t('Ny nøgle', 'New key'), () => openMint(tellSecret));
  return section(
    { id: 'keys', title, button },
    html`${rowList(
      { value: own, trouble: '' },
      {
        id: 'keys',
        item: (key) => keyItem(key, mayUse),
        none: t('Kontoen har ingen nøgler i brug.', 'This account has no active keys.'),
      },
    )}
    ${folded(
      ofPages,
      'keys-of-pages',
      t('Nøgler til denne tjenestes egne sider', "Keys of this service's own pages"),
      html`<p class="muted">
        ${t(
          'Lavet af siderne Kort og Job. De ophører, når du logger ud. Et job, der kører, sættes på pause, hvis dets nøgle tilbagekaldes.',
          'Made by the pages Map and Jobs. They end when you sign out. A job that is running is paused if its key is revoked.',
        )}
      </p>`,
    )}
    ${folded(ended, 'ended-keys', t('Ophørte nøgler', 'Ended keys'))}`,
  );
}

function folded(keys: readonly Key[], id: string, title: string, about: Content = nothing) {
  const item = (key: Key) => keyItem(key, key.state === 'active');
  return html`<details ?hidden=${keys.length === 0}>
    <summary>${title} (${keys.length})</summary>
    ${about} ${rowList({ value: keys, trouble: '' }, { id, item, none: '' })}
  </details>`;
}

function keyItem(key: Key, hasButtons: boolean): TemplateResult {
  const { id, name, environment, state, origins, replaced_by: next } = key;
  const endsAt = state === 'active' ? key.expires_at : null;
  const hosts = origins.length === 0 ? '' : `: ${origins.join(', ')}`;
  return html`<li class="key ${state}" id=${id}>
    <div class="key-name">
      <h3><bdi>${name}</bdi></h3>
      <p><code>${key.prefix}…</code></p>
    </div>
    <span class="badge ${environment}">${environment === 'live' ? 'Live' : 'Test'}</span>
    <div class="key-about">
      <p>
        ${key.kind === 'public' ? t('Offentlig', 'Public') : permissionWords(key.permission)}<span
          class="muted"
          >${hosts}</span
        >
      </p>
      <p class="muted">${keyWords(key)}</p>
      ${when(endsAt, (end) => html`<p class="leaving">${t('Ophører', 'Ends')} ${moment(end)}</p>`)}
    </div>
    ${when(
      hasButtons,
      () =>
        html`<div class="do">
          ${when(next === null && !isOfPage(key), () =>
            rowButton(name, t('Udskift', 'Replace'), () => rotate(key)),
          )}
          ${rowButton(name, t('Tilbagekald', 'Revoke'), () => revoke(key))}
        </div>`,
    )}
  </li>`;
}

async function rotate({ id, name }: Key): Promise<void> {
  const means = t(
    'Der laves en ny nøgle med samme rettigheder. Den gamle virker et døgn endnu, så I kan nå at skifte.',
    'A new key with the same permission is made. The old one works for another day, so that you have time to change.',
  );
  await attemptIf(sureTo(t('Udskift', 'Replace'), name, means), async () => {
    tellSecret(await field<MintedKey>('key', 'POST', `v1/me/keys/${id}/rotate`, {}));
    await lookAgain();
  });
}

async function revoke({ id, name, prefix }: Key): Promise<void> {
  const means = t(
    'holder op med at virke med det samme, for altid.',
    'stops working at once, for good.',
  );
  const about = html`<p><code>${prefix}…</code> ${means}</p>`;
  await attemptIf(sureTo(t('Tilbagekald', 'Revoke'), name, about), async () => {
    await asSession('DELETE', `v1/me/keys/${id}`);
    toast(`${quoted(name)} ${t('er tilbagekaldt.', 'is revoked.')}`);
    await lookAgain();
  });
}

function tellSecret({ name, secret, environment }: MintedKey): void {
  showSecret({
    secret,
    backTo: 'new-key',
    title: () => `${t('Din nye nøgle', 'Your new key')}: ${quoted(name)}`,
    about: () =>
      environment === 'test'
        ? t(
            'En testnøgle: samme data, aldrig på regningen.',
            'A test key: the same data, never billed.',
          )
        : t(
            'En livenøgle: opslag tæller i abonnementet.',
            'A live key: lookups count in the plan.',
          ),
    copied: () => t('Nøglen er kopieret.', 'The key is copied.'),
  });
}
