import { listOf } from '../forhold/list.ts';
import type { AreaConditions, Conditions, Reply } from '../shared/answers.ts';
import type { Place } from '../shared/coordinates.ts';
import { decimal } from '../shared/format.ts';
import { html, note } from '../shared/template.ts';
import type { Content } from '../shared/template.ts';
import { t } from '../shared/language.ts';
import { parcelAt, pathOf } from '../shared/subject.ts';
import type { Ask, Subject } from '../shared/subject.ts';

interface Touched {
  readonly parcel: Subject;
  readonly areaM2: number | null;
  readonly conditions: Conditions;
}

/** null: no parcel is there. */
type Told = Reply<Touched | null>;

/** `told` null: on its way. */
let latest: { readonly place: Place; told: Told | null } | null = null;

/** Once for a place, and again where that failed. */
export async function readParcel(ask: Ask, place: Place, draw: () => void): Promise<void> {
  if (latest?.place === place && latest.told?.ok !== false) return;
  const asked: NonNullable<typeof latest> = { place, told: null };
  latest = asked;
  draw();
  asked.told = await touching(ask, place);
  draw();
}

export function parcelView(place: Place): Content {
  const told = latest?.place === place ? latest.told : null;
  if (told === null) return t('Spørger …', 'Asking …');
  if (!told.ok) return note(told.message, 'notice bad');
  if (told.body === null)
    return note(
      t('Her er intet jordstykke med nummer.', 'There is no parcel with a number here.'),
      '',
    );
  const { parcel, areaM2, conditions } = told.body;
  return html`<p><bdi>${parcel.name}</bdi>${areaM2 === null ? '' : ` · ${decimal(areaM2)} m²`}</p>
    ${listOf(conditions)}
    <p class="no-print">
      <a href="forhold#jordstykke=${encodeURIComponent(parcel.id)}"
        >${t('Vis, del og udskriv jordstykket', 'Show, share and print the parcel')}</a
      >
    </p>`;
}

async function touching(ask: Ask, place: Place): Promise<Told> {
  const at = await parcelAt(ask, place);
  if (!at.ok) return at;
  const { body: parcel } = at;
  if (parcel === null) return { ...at, body: null };
  const told = await ask<AreaConditions>(`v1/forhold/jordstykke/${pathOf(parcel.id)}`);
  if (!told.ok) return told;
  const { areal_m2: areaM2, forhold: conditions } = told.body;
  return { ...told, body: { parcel, areaM2, conditions } };
}
