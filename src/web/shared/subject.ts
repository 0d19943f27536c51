import { labelPoint } from '../../geo/label-point.ts';
import type {
  Address,
  Company,
  NamedParcel,
  NamedPlace,
  Parcels,
  Property,
  Reply,
} from './answers.ts';
import { queryOf } from './coordinates.ts';
import type { Place } from './coordinates.ts';
import { dayText } from './format.ts';
import { t } from './language.ts';
import { isSamePlace } from './place-address.ts';
import type { Asked, Named } from './place-address.ts';

/** Throws for an abort alone. */
export type Ask = <Body>(path: string, signal?: AbortSignal) => Promise<Reply<Body>>;

export interface Subject extends Named {
  readonly name: string;
  readonly place: Place | null;
  /** null: none; undefined: that of the nearest address. */
  readonly bfe?: number | null;
  readonly company?: Company;
}

/** Flats have properties of their own. */
type AddressPart = Pick<Address, 'id' | 'betegnelse' | 'koordinat' | 'bfe_nummer'>;

export function subjectOfAddress(address: AddressPart): Subject {
  const { id, betegnelse: name, koordinat: point, bfe_nummer: bfe } = address;
  return { kind: 'adresse', id, name, bfe, place: point && { srid: 4326, ...point } };
}

export function subjectOfPlace({ id, navn: name, koordinat: point }: NamedPlace): Subject {
  return { kind: 'sted', id, name, place: { srid: 4326, ...point } };
}

/** null: its number is not known. */
export function subjectOfParcel(parcel: NamedParcel): Subject | null {
  const { matrikelnummer: number, ejerlav_kode: code, koordinat: point, bfe_nummer: bfe } = parcel;
  if (number === null || code === null) return null;
  const name = `${number}, ${parcel.ejerlav_navn ?? code}`;
  const place = point && ({ srid: 4326, ...point } as const);
  return { kind: 'jordstykke', id: `${code}-${number}`, name, place, bfe };
}

export async function readSubject(ask: Ask, { kind, id }: Named): Promise<Reply<Subject>> {
  switch (kind) {
    case 'adresse':
      return mapped(await ask<Address>(`v1/adresser/${id}`), subjectOfAddress);
    case 'sted':
      return mapped(await ask<NamedPlace>(`v1/stednavne/${id}`), subjectOfPlace);
    case 'ejendom':
      return await readProperty(ask, id);
    case 'virksomhed':
      return await readCompany(ask, id);
    case 'jordstykke':
      return await readParcel(ask, id);
  }
}

/** Of a named parcel or property, after the name of its kind. */
export function pathOf(id: string): string {
  return id.split('-').map(encodeURIComponent).join('/');
}

/** null: no parcel with a number is there. */
export async function parcelAt(ask: Ask, place: Place): Promise<Reply<Subject | null>> {
  return mapped(await ask<Parcels>(`v1/matrikel/jordstykke?${queryOf(place)}`), numbered);
}

function numbered({ jordstykker: parcels }: Parcels): Subject | null {
  return parcels.map(subjectOfParcel).find((each) => each !== null) ?? null;
}

async function readParcel(ask: Ask, id: string): Promise<Reply<Subject>> {
  const told = mapped(await ask<Parcels>(`v1/matrikel/jordstykke/${pathOf(id)}`), numbered);
  if (!told.ok) return told;
  const { body: subject } = told;
  const message = t('Jordstykket kunne ikke læses.', 'The parcel could not be read.');
  return subject === null ? { ok: false, status: 0, message } : { ...told, body: subject };
}

/** If it lies where the link says, or is named alone. */
export async function readLinked(
  ask: Ask,
  { place, named }: Asked,
): Promise<{ readonly subject: Subject | null; readonly trouble: string }> {
  if (named === null) return { subject: null, trouble: '' };
  const told = await readSubject(ask, named);
  if (!told.ok) return { subject: null, trouble: told.message };
  const isLinked = place === null || isSamePlace(told.body.place, place);
  return { subject: isLinked ? told.body : null, trouble: '' };
}

/** At its main building, else in its parcel. */
async function readProperty(ask: Ask, id: string): Promise<Reply<Subject>> {
  const built = await ask<Property>(`v1/bbr/ejendom/${id}`);
  if (!built.ok) return built;
  const { bygninger: buildings, hovedbygning_index: main } = built.body;
  const at = buildings[main ?? 0]?.geometri?.coordinates;
  const parcels = at ? null : await ask<Parcels>(`v1/matrikel/ejendom/${id}`);
  if (isUnread(parcels)) return parcels;
  const point = at ?? (parcels?.ok === true ? pointOf(parcels.body) : null);
  const place = point && ({ srid: 4326, lon: point[0], lat: point[1] } as const);
  const name = t(`Ejendom ${id} (BFE)`, `Property ${id} (BFE)`);
  return mapped(built, () => ({ kind: 'ejendom', id, name, place, bfe: Number(id) }));
}

/** Not a certain "has no point". */
function isUnread<Body>(reply: Reply<Body> | null): reply is Reply<Body> & { readonly ok: false } {
  return reply?.ok === false && reply.status !== 404;
}

function pointOf({ jordstykker: parcels }: Parcels): readonly [number, number] | null {
  const rings = parcels.flatMap(({ geometri }) => geometri?.coordinates.flat() ?? []);
  const starts = [0];
  for (const ring of rings) starts.push((starts.at(-1) ?? 0) + ring.length);
  const xy = Float64Array.from(rings.flat(2));
  return labelPoint({ xy, starts }, 0, rings.length);
}

async function readCompany(ask: Ask, id: string): Promise<Reply<Subject>> {
  const told = await ask<Company>(`v1/cvr/${id}`);
  if (!told.ok) return told.status === 403 ? { ...told, message: companiesNeedSession() } : told;
  const company = told.body;
  const addressId = company.adresse?.adresse_id ?? null;
  const address = addressId === null ? null : await ask<Address>(`v1/adresser/${addressId}`);
  if (isUnread(address)) return address;
  const at = address?.ok === true ? subjectOfAddress(address.body) : null;
  const name = company.navn ?? `CVR ${id}`;
  return mapped(told, () => ({
    ...{ kind: 'virksomhed', id, name, company, place: at?.place ?? null },
    ...(at?.place && { bfe: at.bfe ?? null }),
  }));
}

export function companiesNeedSession(): string {
  return t(
    'Virksomheder kan slås op, når du er logget ind: registret nævner også personer.',
    'Companies can be looked up once you are signed in: the register names persons too.',
  );
}

function mapped<From, To>(reply: Reply<From>, to: (body: From) => To): Reply<To> {
  return reply.ok ? { ...reply, body: to(reply.body) } : reply;
}

export function companyFacts(company: Company): readonly (readonly [string, string])[] {
  const { adresse, reklamebeskyttet: isProtected } = company;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('CVR-nummer', 'CVR number'), company.cvr_nummer],
    [t('Form', 'Form'), company.virksomhedsform?.tekst],
    [t('Status', 'Status'), company.status],
    [t('Startet', 'Started'), company.startdato && dayText(company.startdato)],
    [t('Ophørt', 'Ended'), company.ophoersdato && dayText(company.ophoersdato)],
    [t('Branche', 'Industry'), company.hovedbranche?.tekst],
    [t('Adresse', 'Address'), adresse === null ? null : adresse.betegnelse],
    [
      t('Reklamebeskyttet', 'No advertising'),
      isProtected === null
        ? t('ikke oplyst', 'not stated')
        : isProtected
          ? t('ja', 'yes')
          : t('nej', 'no'),
    ],
  ];
  return facts.flatMap(([name, text]) =>
    text === null || text === undefined ? [] : [[name, text] as const],
  );
}
