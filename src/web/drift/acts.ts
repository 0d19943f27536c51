import { live } from 'lit-html/directives/live.js';
import { byIdAs } from '../shared/dom.ts';
import { day } from '../shared/format.ts';
import { confirmed, html } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { toast } from '../shared/notices.ts';
import { confirmChange, requestSync, revert, unconfirmChange } from './api.ts';
import type { Acts } from './shown.ts';
import type { Change, Layer } from './types.ts';
import { guardWord, layerWord, refusalText } from './words.ts';
import { list } from './units.ts';

/** Reports what went wrong, and looks again. */
type Attempt = (deed: () => Promise<void>) => Promise<void>;

export function asking(
  attempt: Attempt,
): Pick<Acts, 'sync' | 'release' | 'revert' | 'confirm' | 'unconfirm'> {
  return {
    sync: (layer) => attempt(() => sync(layer)),
    release: (layer) => release(layer, attempt),
    revert: (layer) => goBack(layer, attempt),
    confirm: (change) => confirm(change, attempt),
    unconfirm: (change) => unconfirm(change, attempt),
  };
}

async function sync(layer: Layer): Promise<void> {
  const { svar } = await requestSync(layer.lag, []);
  toast(
    svar === 'i_koe'
      ? t(`${layer.navn} er sat i kø.`, `${layer.navn} is queued.`)
      : t(`${layer.navn} kører allerede.`, `${layer.navn} is already running.`),
  );
}

/** Asks first, then acts and reports. */
async function ifSure(
  attempt: Attempt,
  [title, yes]: readonly [title: string, yes: string],
  content: readonly Content[],
  deed: () => Promise<string>,
): Promise<void> {
  if (await confirmed(title, yes, content)) await attempt(async () => toast(await deed()));
}

async function release({ afvisning, lag, navn }: Layer, attempt: Attempt): Promise<void> {
  if (afvisning === null) return;
  const { afvist_af: guards, frigivet: before } = afvisning.koersel;
  // What was released before is released again: it would refuse the next run too.
  const names = [...new Set([...before, ...guards.map(({ vaern }) => vaern)])];
  const words = list(names.map((name) => `»${guardWord(name)}«`));
  const content = [
    html`<ul>
      ${guards.map((guard) => html`<li>${refusalText(guard)}</li>`)}
    </ul>`,
    t(
      `Kilden hentes igen, og laget udgives, selv om ${words} siger nej. Det gælder én ` +
        'kørsel og skrives op.',
      `The source is fetched again, and the layer is published even though ${words} would ` +
        'refuse it. This applies to one run and is recorded.',
    ),
  ];
  const title = t(`Frigiv ${navn}?`, `Release ${navn}?`);
  await ifSure(attempt, [title, t('Frigiv og synk', 'Release and sync')], content, async () => {
    await requestSync(lag, names);
    return t(
      `${navn}: ${words} er frigivet for én kørsel.`,
      `${navn}: ${words} released for one run.`,
    );
  });
}

async function goBack({ lag, navn, version: now }: Layer, attempt: Attempt): Promise<void> {
  const what = t(
    `Indholdet før version ${now ?? ''} udgives igen som en ny version. ` +
      'Laget holdes der, til nogen trykker Synk nu.',
    `The content before version ${now ?? ''} is published again as a new version. ` +
      'The layer is held there until Sync now is pressed.',
  );
  const title = t(`Fortryd ${navn}?`, `Revert ${navn}?`);
  await ifSure(attempt, [title, t('Gå tilbage', 'Go back')], [what], async () => {
    const { version } = await revert(lag, now ?? undefined);
    return t(
      `${navn} er ført tilbage og udgivet som version ${version}.`,
      `${navn} is reverted and published as version ${version}.`,
    );
  });
}

async function confirm({ id, lag, tidspunkt }: Change, attempt: Attempt): Promise<void> {
  const [layer, from] = [layerWord(lag), day(tidspunkt)];
  const content = [
    t(
      `Fra ${from} må laget udgives, selv om værnene siger nej, når ændringen ` +
        'er den, der er vist her. Alt ud over den afvises som ellers. Kan trækkes tilbage indtil da.',
      `From ${from} the layer may be published even if the guards object, as long as ` +
        'the change is the one shown here. Anything beyond it is refused as usual. It can be ' +
        'withdrawn until then.',
    ),
    html`<label for="remark"
        >${t('Bemærkning', 'Remark')}
        <span class="muted">${t('(valgfri)', '(optional)')}</span></label
      >
      <input type="text" id="remark" maxlength="200" .value=${live('')} />`,
  ];
  const title = t(`Godkend ændringen af ${layer}?`, `Confirm the change of ${layer}?`);
  await ifSure(attempt, [title, t('Godkend', 'Confirm')], content, async () => {
    await confirmChange(id, byIdAs('remark', HTMLInputElement).value.trim());
    return t(`Ændringen af ${layer} er godkendt.`, `The change of ${layer} is confirmed.`);
  });
}

async function unconfirm({ id, lag }: Change, attempt: Attempt): Promise<void> {
  const layer = layerWord(lag);
  const what = t(
    'Uden godkendelse bliver ændringen afvist, hvis den udløser værn.',
    'Without confirmation the change is refused if it trips a guard.',
  );
  const title = t(
    `Træk godkendelsen af ${layer} tilbage?`,
    `Withdraw the confirmation of ${layer}?`,
  );
  await ifSure(attempt, [title, t('Træk tilbage', 'Withdraw')], [what], async () => {
    await unconfirmChange(id);
    return t(
      `Godkendelsen af ${layer} er trukket tilbage.`,
      `The confirmation of ${layer} is withdrawn.`,
    );
  });
}
