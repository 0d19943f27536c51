import { h } from '../shared/dom.ts';
import { day } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { confirmed, toast } from '../shared/notices.ts';
import { confirmChange, requestSync, revert, unconfirmChange } from './api.ts';
import type { Acts } from './shown.ts';
import type { Change, Layer } from './types.ts';
import { guardWord, layerWord, refusalText } from './words.ts';
import { list } from './units.ts';

/** Does it, says what went wrong, and looks again. */
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

async function release(layer: Layer, attempt: Attempt): Promise<void> {
  if (layer.afvisning === null) return;
  const { afvist_af: guards, frigivet: before } = layer.afvisning.koersel;
  // What was released for the refused run is released again: it would refuse the next one too.
  const names = [...new Set([...before, ...guards.map(({ vaern }) => vaern)])];
  const words = list(names.map((name) => `»${guardWord(name)}«`));
  const sure = await confirmed(
    t(`Frigiv ${layer.navn}?`, `Release ${layer.navn}?`),
    t('Frigiv og synk', 'Release and sync'),
    [
      h('ul', {}, ...guards.map((guard) => h('li', {}, refusalText(guard)))),
      t(
        `Kilden hentes igen, og laget udgives, selv om ${words} siger nej. Det gælder én ` +
          'kørsel og skrives op.',
        `The source is fetched again, and the layer is published even though ${words} would ` +
          'refuse it. This applies to one run and is recorded.',
      ),
    ],
  );
  if (!sure) return;
  await attempt(async () => {
    await requestSync(layer.lag, names);
    toast(
      t(
        `${layer.navn}: ${words} er frigivet for én kørsel.`,
        `${layer.navn}: ${words} released for one run.`,
      ),
    );
  });
}

async function goBack(layer: Layer, attempt: Attempt): Promise<void> {
  const sure = await confirmed(
    t(`Fortryd ${layer.navn}?`, `Revert ${layer.navn}?`),
    t('Gå tilbage', 'Go back'),
    [
      t(
        `Indholdet før version ${layer.version ?? ''} udgives igen som en ny version. ` +
          'Laget holdes der, til nogen trykker Synk nu.',
        `The content before version ${layer.version ?? ''} is published again as a new version. ` +
          'The layer is held there until somebody presses Sync now.',
      ),
    ],
  );
  if (!sure) return;
  await attempt(async () => {
    const { version } = await revert(layer.lag);
    toast(
      t(
        `${layer.navn} er ført tilbage og udgivet som version ${version}.`,
        `${layer.navn} is reverted and published as version ${version}.`,
      ),
    );
  });
}

async function confirm(change: Change, attempt: Attempt): Promise<void> {
  const remark = h('input', { type: 'text', id: 'remark', maxlength: 200 });
  const sure = await confirmed(
    t(
      `Godkend ændringen af ${layerWord(change.lag)}?`,
      `Confirm the change of ${layerWord(change.lag)}?`,
    ),
    t('Godkend', 'Confirm'),
    [
      t(
        `Fra ${day(change.tidspunkt)} må laget udgives, selv om værnene siger nej, når ændringen ` +
          'er den, der er vist her. Alt ud over den afvises som ellers. Kan trækkes tilbage indtil da.',
        `From ${day(change.tidspunkt)} the layer may be published even if the guards object, as long as ` +
          'the change is the one shown here. Anything beyond it is refused as usual. It can be ' +
          'withdrawn until then.',
      ),
      h(
        'label',
        { for: 'remark' },
        `${t('Bemærkning', 'Remark')} `,
        h('span', { class: 'muted' }, t('(valgfri)', '(optional)')),
      ),
      remark,
    ],
  );
  if (!sure) return;
  await attempt(async () => {
    await confirmChange(change.id, remark.value.trim());
    toast(
      t(
        `Ændringen af ${layerWord(change.lag)} er godkendt.`,
        `The change of ${layerWord(change.lag)} is confirmed.`,
      ),
    );
  });
}

async function unconfirm(change: Change, attempt: Attempt): Promise<void> {
  const sure = await confirmed(
    t(
      `Træk godkendelsen af ${layerWord(change.lag)} tilbage?`,
      `Withdraw the confirmation of ${layerWord(change.lag)}?`,
    ),
    t('Træk tilbage', 'Withdraw'),
    [
      t(
        'Uden godkendelse bliver ændringen afvist, hvis den udløser værn.',
        'Without confirmation the change is refused if it trips a guard.',
      ),
    ],
  );
  if (!sure) return;
  await attempt(async () => {
    await unconfirmChange(change.id);
    toast(
      t(
        `Godkendelsen af ${layerWord(change.lag)} er trukket tilbage.`,
        `The confirmation of ${layerWord(change.lag)} is withdrawn.`,
      ),
    );
  });
}
