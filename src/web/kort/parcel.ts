/** What touches the whole parcel at a place. */
import { listOf } from '../forhold/list.ts';
import type { Conditions } from '../forhold/list.ts';
import type { Reply } from '../shared/answers.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { h } from '../shared/dom.ts';
import { decimal } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { render } from '../shared/template.ts';
import { subjectOfParcel } from '../shared/subject.ts';
import type { Ask, NamedParcel, Subject } from '../shared/subject.ts';

interface Touched {
  readonly parcel: Subject;
  readonly areaM2: number | null;
  readonly conditions: Conditions;
}

/** null: no parcel is there. */
type Told = Reply<Touched | null>;

let latest: { readonly place: Place; readonly told: Promise<Told> } | null = null;

/** Asks once for a place. */
export async function parcelPart(ask: Ask, place: Place): Promise<readonly Node[]> {
  if (latest?.place !== place) latest = { place, told: touching(ask, place) };
  const told = await latest.told;
  if (!told.ok) {
    latest = null;
    return [h('p', { class: 'notice bad' }, told.message)];
  }
  if (told.body === null)
    return [
      h(
        'p',
        {},
        t('Her er intet jordstykke med nummer.', 'There is no parcel with a number here.'),
      ),
    ];
  const { parcel, areaM2, conditions } = told.body;
  const area = areaM2 === null ? '' : ` · ${decimal(areaM2)} m²`;
  const link = h(
    'a',
    { href: `forhold#jordstykke=${encodeURIComponent(parcel.id)}` },
    t('Vis, del og udskriv jordstykket', 'Show, share and print the parcel'),
  );
  const list = document.createDocumentFragment();
  render(listOf(conditions), list);
  return [
    h('p', {}, h('bdi', {}, parcel.name), area),
    ...list.childNodes,
    h('p', { class: 'no-print' }, link),
  ];
}

async function touching(ask: Ask, place: Place): Promise<Told> {
  const at = await ask<{ readonly jordstykker: readonly NamedParcel[] }>(
    `v1/matrikel/jordstykke?${queryOf(place)}`,
  );
  if (!at.ok) return at;
  const [parcel] = at.body.jordstykker.map(subjectOfParcel).filter((each) => each !== null);
  if (parcel === undefined) return { ...at, body: null };
  const path = parcel.id.split('-').map(encodeURIComponent).join('/');
  const told = await ask<{ readonly areal_m2: number | null; readonly forhold: Conditions }>(
    `v1/forhold/jordstykke/${path}`,
  );
  if (!told.ok) return told;
  const { areal_m2: areaM2, forhold: conditions } = told.body;
  return { ...told, body: { parcel, areaM2, conditions } };
}
