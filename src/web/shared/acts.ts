import { exactMoment } from './format.ts';
import { html, rowsTable, scrolledPart } from './html.ts';
import type { TemplateResult } from './html.ts';
import { t } from './language.ts';

export interface ShownAct {
  readonly time: string;
  readonly who: string;
  readonly via: string;
  readonly act: string;
  readonly object: string | null;
  readonly changes: readonly {
    readonly field: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

/** By the command's name; another act is shown by its own. */
const ACT_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'account create': ['lavede kontoen', 'made the account'],
  'account close': ['lukkede kontoen', 'closed the account'],
  export: ['hentede kontoens data', 'exported the data of the account'],
  erase: ['slettede kontoens data', 'erased the data of the account'],
  'first-key': ['lavede den første nøgle', 'made the first key'],
  tier: ['ændrede abonnementet', 'changed the plan'],
  cap: ['ændrede loftet', 'changed the cap'],
  operator: ['ændrede driftsadgangen', 'changed operator access'],
  link: ['lavede et log ind-link', 'made a sign-in link'],
  'key mint': ['lavede en nøgle', 'made a key'],
  'key revoke': ['tilbagekaldte en nøgle', 'revoked a key'],
  'key rotate': ['udskiftede en nøgle', 'replaced a key'],
  'webhook resend': ['sendte en webhook igen', 'sent a webhook again'],
  'watch create': ['lavede en overvågningsliste', 'made a watch-list'],
  'watch change': ['rettede en overvågningsliste', 'changed a watch-list'],
  'watch remove': ['fjernede en overvågningsliste', 'removed a watch-list'],
  sync: ['bad om synkronisering', 'asked for a sync'],
  release: ['frigav', 'released'],
  revert: ['fortrød', 'reverted'],
  replay: ['afspillede en kørsel igen', 'replayed a run'],
  confirm: ['godkendte en varslet ændring', 'confirmed an announced change'],
  unconfirm: ['trak en godkendelse tilbage', 'withdrew a confirmation'],
};

function actWords(act: string): string {
  const [da, en] = ACT_WORDS[act] ?? [act, act];
  return t(da, en);
}

export function actsTable(acts: readonly ShownAct[]): TemplateResult {
  const head = [
    ...[t('Tid', 'Time'), t('Hvem', 'Who'), t('Handling', 'Act')],
    ...[t('Hvad', 'What'), t('Ændring', 'Change'), t('Hvorfra', 'From where')],
  ];
  const rows = acts.map(({ time, who, via, act, object, changes }) => [
    html`<time datetime=${time}>${exactMoment(time)}</time>`,
    html`<bdi>${who}</bdi>`,
    actWords(act),
    html`<code>${object ?? ''}</code>`,
    changes
      .map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`)
      .join(', '),
    via,
  ]);
  const name = t('Handlinger', 'Acts');
  return scrolledPart(name, rowsTable({ head, rows, caption: name }));
}
