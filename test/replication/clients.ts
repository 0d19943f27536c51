/** The request sequences of DAWA's published clients, and the rule by which they keep their copies. */
import { ENTITIES } from '../../src/replication/entities.ts';
import type { Entity } from '../../src/replication/entity.ts';

export type Fetch = (path: string) => Promise<string>;
type Row = Readonly<Record<string, unknown>>;

export interface Event {
  readonly txid: number;
  readonly operation: 'insert' | 'update' | 'delete';
  readonly tidspunkt: string;
  readonly sekvensnummer: number;
  readonly data: Row;
}

export type Copy = Map<string, Row>;

export interface Client {
  readonly name: string;
  readonly copies: ReadonlyMap<Entity, Copy>;
  run(): Promise<void>;
}

export const entityOf = (name: string): Entity => {
  const found = ENTITIES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${name} is not served`);
  return found;
};

const keyText = ({ key }: Entity, row: Row): string =>
  JSON.stringify(key.map((name) => String(row[name])));

/** An update of an unknown key is an insert, an insert of a known one an update, a delete of an unknown one nothing. */
function apply(
  entity: Entity,
  copy: Copy,
  events: readonly Pick<Event, 'operation' | 'data'>[],
): void {
  const last = new Map(events.map((event) => [keyText(entity, event.data), event]));
  for (const [key, { operation, data }] of last) {
    if (operation === 'delete') copy.delete(key);
    else copy.set(key, data);
  }
}

function fill(entity: Entity, copy: Copy, rows: readonly Row[]): void {
  copy.clear();
  for (const row of rows) {
    const key = keyText(entity, row);
    if (copy.has(key)) throw new Error(`${entity.name} ${key} is there twice`);
    copy.set(key, row);
  }
}

export const ofLines = (text: string): readonly Row[] =>
  text === '' ? [] : text.split('\r\n').map((line) => JSON.parse(line) as Row);

const ofArray = (text: string): readonly Row[] => JSON.parse(text) as readonly Row[];

export function ofCsv(text: string): readonly Row[] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charAt(i);
    if (isQuoted && letter === '"' && text[i + 1] === '"') cell += text.charAt(i++);
    else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted || !(letter === ',' || letter === '\r')) cell += letter;
    else {
      rows.at(-1)?.push(cell);
      cell = '';
      if (letter === '\r') {
        rows.push([]);
        i += 1;
      }
    }
  }
  rows.pop();
  const [names = [], ...values] = rows;
  return values.map((row) => Object.fromEntries(names.map((name, n) => [name, row[n]])));
}

type Numbered = { readonly txid: number } | { readonly sekvensnummer: number };

interface Sequence {
  readonly name: string;
  readonly entities: readonly string[];
  readonly latest: string;
  readonly read: (text: string) => readonly Row[];
  readonly extract: (entity: string, last: number) => string;
  readonly events: (entity: string, from: number, to: number) => string;
  /** Events in their list, whatever the form. */
  readonly eventsOf?: (text: string) => readonly Pick<Event, 'operation' | 'data'>[];
}

const PLURAL = (name: string) => entityOf(name).plural ?? name;
const FLAT = ['txid', 'sekvensnummer', 'tidspunkt', 'operation'];

const flatEvents = (text: string) =>
  ofCsv(text).map((row) => ({
    operation: row['operation'] as Event['operation'],
    data: Object.fromEntries(Object.entries(row).filter(([name]) => !FLAT.includes(name))),
  }));

const listed = (text: string) => ofArray(text) as unknown as readonly Event[];

export const SEQUENCES: readonly Sequence[] = [
  {
    ...{ name: 'reference', latest: 'senestetransaktion', read: ofLines },
    entities: ENTITIES.map(({ name }) => name),
    extract: (entity, txid) => `udtraek?entitet=${entity}&txid=${txid}&ndjson`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&txidfra=${from + 1}&txidtil=${to}&ndjson`,
    eventsOf: (text) => ofLines(text) as unknown as readonly Event[],
  },
  {
    ...{ name: 'DawaAddress', latest: 'senestetransaktion', read: ofLines },
    entities: [
      'adgangsadresse',
      'adresse',
      'navngivenvej',
      'postnummer',
      'dar_navngivenvejkommunedel_aktuel',
    ],
    extract: (entity, txid) => `udtraek?entitet=${entity}&ndjson&txid=${txid}`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&ndjson&txidfra=${from + 1}&txidtil=${to}`,
    eventsOf: (text) => ofLines(text) as unknown as readonly Event[],
  },
  {
    ...{ name: 'JO-Informatik', latest: 'senestetransaktion?noformat', read: ofArray },
    entities: ENTITIES.map(({ name }) => name),
    extract: (entity, txid) => `udtraek?entitet=${entity.toLowerCase()}&txid=${txid}&noformat`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&txidfra=${from + 1}&txidtil=${to}&noformat`,
  },
  {
    ...{ name: 'django-dawa', latest: 'senestetransaktion', read: ofCsv, eventsOf: flatEvents },
    entities: ['adgangsadresse', 'adresse', 'vejstykke', 'postnummer', 'jordstykke', 'kommune'],
    extract: (entity, txid) => `udtraek?entitet=${entity}&txid=${txid}&format=csv`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&format=csv&txidfra=${from + 1}&txidtil=${to}`,
  },
  {
    ...{ name: 'dawaupdater', latest: 'senestesekvensnummer', read: ofCsv },
    entities: ['vejstykke', 'adgangsadresse', 'adresse'],
    extract: (entity, last) => `${PLURAL(entity)}?sekvensnummer=${last}&format=csv`,
    // It sends the last number that it has, not the next.
    events: (entity, from, to) =>
      `${PLURAL(entity)}/haendelser?sekvensnummerfra=${from}&sekvensnummertil=${to}&format=csv`,
    eventsOf: flatEvents,
  },
  {
    ...{ name: 'live map', latest: 'senesteSekvensnummer', read: ofArray },
    entities: ['adresse', 'adgangsadresse', 'dar_navngivenvej_aktuel'],
    extract: (entity, last) => `udtraek?entitet=${entity}&sekvensnummer=${last}`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&sekvensnummerfra=${from + 1}&sekvensnummertil=${to}`,
  },
  {
    ...{ name: 'dawa-facade', latest: 'senestesekvensnummer?noformat', read: ofArray },
    entities: ['navngivenvej', 'ejerlav', 'sted'],
    extract: (entity, last) => `udtraek?entitet=${entity}&sekvensnummer=${last}&noformat`,
    events: (entity, from, to) =>
      `haendelser?entitet=${entity}&sekvensnummerfra=${from + 1}&sekvensnummertil=${to}&noformat`,
  },
];

export function clientOf(sequence: Sequence, fetch: Fetch): Client {
  const { name, entities, latest, read, extract, events, eventsOf = listed } = sequence;
  const copies = new Map(entities.map((each) => [entityOf(each), new Map<string, Row>()]));
  let last: number | null = null;
  return {
    ...{ name, copies },
    run: async () => {
      const found = JSON.parse(await fetch(latest)) as Numbered;
      const to = 'txid' in found ? found.txid : found.sekvensnummer;
      for (const [entity, copy] of copies) {
        if (last === null) fill(entity, copy, read(await fetch(extract(entity.name, to))));
        else if (last < to)
          apply(entity, copy, eventsOf(await fetch(events(entity.name, last, to))));
      }
      last = to;
    },
  };
}

export async function extractOf(sequence: Sequence, entity: Entity, fetch: Fetch): Promise<Copy> {
  const found = JSON.parse(await fetch(sequence.latest)) as Numbered;
  const to = 'txid' in found ? found.txid : found.sekvensnummer;
  const copy: Copy = new Map();
  fill(entity, copy, sequence.read(await fetch(sequence.extract(entity.name, to))));
  return copy;
}
