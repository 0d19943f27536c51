import './konto.css';
import { byId, byIdAs, installKeyboard, keepFocus, say, show } from '../shared/dom.ts';
import { monthWords, number } from '../shared/format.ts';
import { factList, html, nothing, render } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { beginSpeaking, speakOfFields, t } from '../shared/language.ts';
import { readSession, signIn, signOut } from '../shared/session.ts';
import { takeWayBack } from '../shared/way-back.ts';
import { acts, actsView } from './acts.ts';
import { billView } from './bill.ts';
import { account, forgetAccount, may, onChange, readAccount, troubleOf } from './board.ts';
import { alarm, stepsView } from './first-steps.ts';
import { keysView } from './keys.ts';
import { mintView } from './mint.ts';
import { persons, personsView } from './persons.ts';
import { section } from './pieces.ts';
import { forgetSecret, secretView } from './secret.ts';
import { installSignIn } from './sign-in.ts';
import type { Me, UsageTotal } from './types.ts';
import { observeWidth, use, useView } from './use.ts';
import { watches, watchesView } from './watches.ts';
import { webhooks, webhooksView } from './webhooks.ts';
import { TIER_WORDS, unitsOf } from './words.ts';

/** What is read apart fails apart. */
const PARTS = [use, persons, alarm, webhooks, watches] as const;

/** The link's token stands after `#`; it leaves the address and the history at once. */
const link = window.location.hash.slice(1);
if (link !== '') window.history.replaceState(null, '', window.location.pathname);

/** A link opened where this page is open loads nothing by itself. */
window.addEventListener('hashchange', () => {
  if (window.location.hash.length > 1) window.location.reload();
});

async function begin(): Promise<void> {
  beginSpeaking(draw);
  if (link !== '') {
    stage('link');
    byId('sign-in').focus();
    return;
  }
  show(byId('loading'), true);
  await look();
}

async function look(): Promise<void> {
  try {
    const session = await readSession();
    if (session === null) {
      leave('');
      return;
    }
    // Another tab may have signed in to another account.
    if (session.account.id !== account?.me.account.id) forget();
    if (!(await readAccount())) return;
    say(byId('trouble'), '');
    stage('board');
    await Promise.all(PARTS.map((part) => part.read()));
  } catch (error) {
    explain(error);
  }
}

function draw(): void {
  if (account !== null) show(byId('to-drift'), account.me.account.operator && may('administers'));
  render(account === null ? nothing : boardView(account), byId('board'));
}

function boardView({ me, usage, keys }: NonNullable<typeof account>): TemplateResult {
  const { name, tier, created_at: createdAt } = me.account;
  return html`<section class="account card" aria-labelledby="account-name">
      <div>
        <h2 id="account-name"><bdi>${name}</bdi></h2>
        <p class="muted">${me.person?.email ?? ''} · ${TIER_WORDS[tier]}</p>
      </div>
      <div class="meters" role="group" aria-label=${t('Forbrug denne måned', 'Use this month')}>
        <p class="muted">${t('Forbrug i', 'Usage in')} ${monthWords(usage.month)}</p>
        ${meter('Live', usage.live)} ${meter('Test', usage.test)}
      </div>
    </section>
    ${secretView()} ${stepsView(usage, keys)} ${keysView(keys)} ${useView(usage, createdAt)}
    ${personsView()} ${billView(use.value)} ${webhooksView()} ${watchesView()} ${planView(me)}
    ${actsView()} ${mintView()}`;
}

/** Past what the plan includes the bar is full and says so. */
function meter(name: string, total: UsageTotal): TemplateResult {
  const { units, allowance, overage_units: overage } = total;
  const share = allowance === 0 ? 1 : Math.min(1, units / allowance);
  const level = share >= 1 ? 'dead' : share >= 0.8 ? 'soon' : '';
  const over = overage > 0 ? `, ${number(overage)} ${t('ud over', 'beyond')}` : '';
  return html`<div class="meter">
    <p><b>${name}</b> ${number(units)} ${t('af', 'of')} ${unitsOf(allowance)}${over}</p>
    <svg class="bar ${level}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="8" />
      <rect class="fill" width=${100 * share} height="8" />
    </svg>
  </div>`;
}

/** Only an operator changes plan and cap. */
function planView({ account: { tier }, limits }: Me): TemplateResult {
  const { units_per_month: units, ceiling_per_month: ceiling } = limits;
  const [pace, burst] = [limits.requests_per_second, limits.burst_requests].map(number);
  const facts: readonly (readonly [string, string])[] = [
    [t('Abonnement', 'Plan'), TIER_WORDS[tier]],
    [t('Enheder om måneden, live', 'Units per month, live'), number(units.live)],
    [t('Enheder om måneden, test', 'Units per month, test'), number(units.test)],
    [t('Ud over det inkluderede', 'Beyond what is included'), overageWords(limits.overage)],
    [
      t('Loft, live', 'Cap, live'),
      t(
        `${number(ceiling.live)} enheder; derefter afvises kald, til måneden er omme`,
        `${number(ceiling.live)} units; after that calls are refused until next month`,
      ),
    ],
    [
      t('Kald i sekundet', 'Calls per second'),
      `${pace}, ${t('i ryk op til', 'in bursts up to')} ${burst}`,
    ],
    [t('Batch og job', 'Batches and jobs'), limits.batches ? t('ja', 'yes') : t('nej', 'no')],
  ];
  return section(
    { id: 'plan', title: t('Abonnement og loft', 'Plan and cap') },
    html`<div class="card part">
      ${factList(facts)}
      <p>
        ${t(
          'Abonnement og loft ændres af den, der driver tjenesten: skriv til dem. Loftet er aldrig under det inkluderede.',
          'Plan and cap are changed by the operator of the service: write to them. The cap is never below what is included.',
        )}
      </p>
      <p class="muted for-operators">
        ${t(
          'Driver du selv tjenesten, ændrer du dem sådan:',
          'If you run the service yourself, change them like this:',
        )}
      </p>
      <pre class="wrap"><code>npm run admin -- tier din@adresse.dk pro
npm run admin -- cap din@adresse.dk 200000</code></pre>
    </div>`,
  );
}

function overageWords(overage: boolean): string {
  return overage
    ? t(
        'besvares og faktureres særskilt op til loftet',
        'answered and billed separately, up to the cap',
      )
    : t('afvises, til måneden er omme', 'refused until next month');
}

function stage(name: 'link' | 'out' | 'board'): void {
  for (const id of ['link', 'out', 'board']) show(byId(id), id === name);
  show(byId('session'), name === 'board');
  show(byId('loading'), false);
}

/** Nothing of the account stays in the page. */
function forget(): void {
  for (const part of [acts, ...PARTS]) part.forget();
  forgetAccount();
  forgetSecret();
  draw();
}

function leave(why: string): void {
  const wasSignedIn = account !== null;
  forget();
  stage('out');
  say(byId('out-error'), why);
  if (wasSignedIn) keepFocus(null, byId('indhold'));
}

function explain(error: unknown): void {
  show(byId('loading'), false);
  const why = troubleOf(error);
  if (why !== null) say(byId('trouble'), why);
}

async function useLink(token: string, button: Element, place: HTMLElement): Promise<void> {
  // A second press would be refused.
  if (button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  try {
    await signIn(token);
    const back = takeWayBack();
    if (back !== null) {
      window.location.replace(back);
      return;
    }
    window.history.replaceState(null, '', 'konto');
    await look();
    byId('indhold').focus({ preventScroll: true });
  } catch (error) {
    // A link that does not sign in gives way to the form that asks for another.
    const why = troubleOf(error);
    if (why !== null) say(place, why);
  } finally {
    button.ariaDisabled = 'false';
  }
}

/** The link, or its part after `#`. */
function pastedLink(event: SubmitEvent): void {
  event.preventDefault();
  const field = byIdAs('link-text', HTMLInputElement);
  const [, token = field.value] = field.value.split('#');
  field.value = '';
  if (event.submitter !== null) void useLink(token.trim(), event.submitter, byId('out-error'));
}

onChange({ draw, look, leave });
installKeyboard();
installSignIn();
observeWidth(byId('board'));
byId('sign-in').addEventListener('click', () => {
  void useLink(link, byId('sign-in'), byId('link-error'));
});
byId('link-form').addEventListener('submit', pastedLink);
byId('sign-out').addEventListener('click', () => void signOut().then(() => leave(''), explain));
// Another tab may have signed out.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && account !== null) void look();
});
speakOfFields();

void begin();
