/** The paths of DAWA's replication, byte for byte: shapes, formats, errors, keys and price. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CHANGE_LIMITS } from '../../src/changes/limits.ts';
import type { LongAnswers } from '../../src/core/tasks/stream-reader.ts';
import { ENTITIES } from '../../src/replication/entities.ts';
import { ReplicationLog, RowsGone } from '../../src/replication/log.ts';
import { numberReplication } from '../../src/replication/number.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { keptAccess } from '../edge/access.ts';
import { opened } from '../support/opened.ts';
import { COUNTED_TEXT } from '../support/counted-text.ts';
import type { CountedText } from '../support/counted-text.ts';
import { entityOf } from './clients.ts';
import type { Event } from './clients.ts';
import { openReplication, replicationApp } from './opened.ts';
import { publish } from './publisher.ts';

const KEY = 'svc_live_all';
const FEW = 'svc_live_few';
const NONE = 'svc_live_none';
const PAGE = 'svc_pub_live_page';
const access = keptAccess({
  [PAGE]: { kind: 'public', permission: 'restricted:adresser', origins: ['a.example.dk'] },
  [KEY]: {},
  [FEW]: { permission: 'restricted:adresser,replikering' },
  [NONE]: { permission: 'restricted:adresser' },
});
const { accessId: ACCESS, unitId: UNIT } = KNOWN_ADDRESS;
const JSON_TYPE = 'application/json; charset=UTF-8';
const isText = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value);
const isNumber = (value: unknown) => typeof value === 'number';
const SHAPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...{ integer: isNumber, real: isNumber, string: isText(/^/) },
  boolean: (value) => typeof value === 'boolean',
  uuid: isText(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  localdatetime: isText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
  point2d: (value) =>
    /^{"type":"Point","coordinates":\[[\d.]+,[\d.]+\]}$/.test(JSON.stringify(value)),
  geometry: (value) => JSON.stringify(value).startsWith('{"type":"'),
};

const { store, log, long, app } = await opened(openReplication(access));

async function latest() {
  const found = await log.latest();
  return { txid: found?.nr ?? 0, sekvensnummer: found?.lastEvent ?? 0 };
}

/** Before and after the one transaction. */
const start = await latest();
await publish(store, 'adresser', [
  `update address_access set house_number = '12B' where id = '${ACCESS}'`,
  `update address_road set name = 'Væk, "her"' where id = '${KNOWN_ADDRESS.roadId}'`,
  `delete from address_unit where id = '${UNIT}'`,
  `insert into address_unit select gen_random_uuid(), status, access_id, '9', null, null, registered_from, valid_from
    from address_unit limit 1`,
]);
await numberReplication(store);
const end = await latest();
afterEach(() => {
  expect(access.outstanding()).toBe(0);
  access.settled.length = 0;
});

const ask = (path: string, key = KEY) => app.inject(`/dawa/k/${key}/replikering/${path}`);
const rowsOf = async <T>(path: string): Promise<readonly T[]> => (await ask(path)).json();
const indented = (rows: readonly unknown[]): string =>
  `[\n${rows.map((row) => JSON.stringify(row, null, 2)).join(', ')}\n]`;

describe('shapes', () => {
  test('the latest transaction and event are one object each, in both spellings', async () => {
    const transaction = await ask('senestetransaktion');
    expect(transaction.body).toBe(JSON.stringify(transaction.json(), null, 2));
    const { txid, tidspunkt, operationer } = transaction.json<{
      txid: number;
      tidspunkt: string;
      operationer: readonly object[];
    }>();
    expect(Object.keys(transaction.json())).toEqual(['txid', 'tidspunkt', 'operationer']);
    expect(txid).toBe(end.txid);
    expect(tidspunkt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(operationer).toContainEqual({ entitet: 'adresse', inserts: 1, updates: 0, deletes: 1 });
    for (const path of [
      'senesteSekvensnummer',
      'senestesekvensnummer?noformat',
      'SENESTESEKVENSNUMMER/',
    ]) {
      const answer = await ask(path);
      expect(answer.json()).toEqual({ sekvensnummer: end.sekvensnummer, tidspunkt });
      expect(answer.headers).toMatchObject({
        'content-type': JSON_TYPE,
        'cache-control': 'no-store',
      });
    }
    for (const path of ['SENESTETRANSAKTION/?noformat', 'SenesteTransaktion']) {
      expect((await ask(path)).json()).toEqual(transaction.json());
    }
    expect((await ask('Postnumre/Haendelser/?ndjson')).statusCode).toBe(200);
    const csv = await ask('senestesekvensnummer?format=csv');
    expect(csv.body).toBe(`sekvensnummer,tidspunkt\r\n${end.sekvensnummer},${tidspunkt}\r\n`);
    expect(access.settled).toEqual([]);
  });

  test('transactions are in order, paged where asked', async () => {
    const all = await rowsOf<{ txid: number }>('transaktioner');
    const ids = all.map(({ txid }) => txid);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(await rowsOf(`transaktioner?txid=${end.txid}`)).toEqual([all.at(-1)]);
    expect(await rowsOf(`transaktioner?txidfra=${end.txid + 1}`)).toEqual([]);
    expect(await rowsOf('transaktioner?side=2&per_side=3')).toEqual(all.slice(3, 6));
    expect(await rowsOf('transaktioner?per_side=5000')).toEqual(all);
    expect(await rowsOf(`transaktioner?side=${'9'.repeat(40)}&per_side=100000`)).toEqual([]);
    expect(await rowsOf(`transaktioner?txid=${end.txid}&txidtil=${end.txid - 1}`)).toEqual([]);
    expect(await rowsOf(`transaktioner?txid=${start.txid}&txidfra=1`)).toHaveLength(1);
    expect((await ask('transaktioner')).body).toBe(indented(all));
  });

  test('an event has the row, a delete the last known one', async () => {
    const events = await rowsOf<Event>(`haendelser?entitet=adresse&txidfra=${start.txid + 1}`);
    expect(events.map(({ operation }) => operation).toSorted()).toEqual(['delete', 'insert']);
    for (const event of events) {
      expect(Object.keys(event).join()).toBe('txid,operation,tidspunkt,sekvensnummer,data');
      expect(Object.keys(event.data)).toEqual(
        entityOf('adresse').attributes.map(({ name }) => name),
      );
    }
    const gone = events.find(({ operation }) => operation === 'delete');
    expect(gone?.data).toMatchObject({
      id: UNIT,
      adgangsadresseid: ACCESS,
      etage: '2',
      dør: 'tv',
      status: 1,
    });
    const [house] = await rowsOf<Event>(`haendelser?entitet=adgangsadresse&txid=${end.txid}`);
    expect(house).toMatchObject({
      operation: 'update',
      data: { id: ACCESS, husnr: '12B', postnr: '0093' },
    });
    const road = await rowsOf<Event>(`haendelser?entitet=vejstykke&txid=${end.txid}`);
    expect(road.every(({ data }) => data['navn'] === 'Væk, "her"')).toBe(true);
    expect(road.length).toBeGreaterThan(0);
  });

  test('the data model is what the rows are', async () => {
    const model = (await ask('datamodel')).json<
      Record<
        string,
        { key: string[]; attributes: { name: string; type: string; nullable: boolean }[] }
      >
    >();
    expect(Object.keys(model)).toEqual(Object.keys(model).toSorted());
    expect(Object.keys(model)).toEqual(ENTITIES.map(({ name }) => name));
    for (const [name, { key, attributes }] of Object.entries(model)) {
      const rows = await rowsOf<Record<string, unknown>>(`udtraek?entitet=${name}&noformat`);
      expect(rows.length, name).toBeGreaterThan(0);
      const names = attributes.map((each) => each.name);
      expect(names).toEqual(expect.arrayContaining(key));
      expect(new Set(rows.map((row) => Object.keys(row).join())), name).toEqual(
        new Set([names.join()]),
      );
      const wrong = rows.flatMap((row) =>
        attributes
          .map((each) => ({ ...each, value: row[each.name] }))
          .filter(({ type, nullable, value }) =>
            value === null ? !nullable : SHAPES[type]?.(value) !== true,
          ),
      );
      expect(wrong, name).toEqual([]);
      const keys = rows.map((row) => JSON.stringify(key.map((each) => row[each])));
      expect(new Set(keys).size, name).toBe(keys.length);
    }
  });
});

describe('bytes', () => {
  const EVENTS = () => `haendelser?entitet=adresse&txidfra=${start.txid + 1}&txidtil=${end.txid}`;

  test.each([
    ['', JSON_TYPE, (rows: readonly unknown[]) => indented(rows)],
    ['&noformat', JSON_TYPE, (rows: readonly unknown[]) => JSON.stringify(rows)],
    ['&noformat=', JSON_TYPE, (rows: readonly unknown[]) => JSON.stringify(rows)],
    ...['&ndjson', '&ndjson=', '&ndjson=true', '&format=ndjson'].map(
      (form) =>
        [
          form,
          'application/x-ndjson; charset=UTF-8',
          (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\r\n'),
        ] as const,
    ),
    [
      '&callback=jQuery.cb_1&noformat',
      'application/javascript; charset=UTF-8',
      (rows: readonly unknown[]) => `jQuery.cb_1(${JSON.stringify(rows)});`,
    ],
    [
      '&callback=cb',
      'application/javascript; charset=UTF-8',
      (rows: readonly unknown[]) => `cb(${indented(rows)});`,
    ],
  ] as const)('of events and extracts with %j', async (form, type, bytesOf) => {
    for (const path of [EVENTS(), 'udtraek?entitet=postnummer', 'haendelser?entitet=kommune']) {
      const rows = await rowsOf<object>(path);
      const answer = await ask(path + form);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).toBe(path.endsWith('kommune') && form === '' ? '[\n\n]' : bytesOf(rows));
    }
  });

  test('of CSV: quoted only where needed, events flat, the header also when empty', async () => {
    const road = `haendelser?entitet=navngivenvej&txid=${end.txid}&format=csv`;
    const { body, headers } = await ask(road);
    expect(headers['content-type']).toBe('text/csv; charset=UTF-8');
    const [event] = await rowsOf<Event>(road.replace('&format=csv', ''));
    const names = entityOf('navngivenvej').attributes.map(({ name }) => name);
    const head = `txid,sekvensnummer,tidspunkt,operation,${names.join(',')}\r\n`;
    const { id, darstatus, ændret } = event!.data as Record<string, string>;
    expect(body).toBe(
      `${head}${end.txid},${event?.sekvensnummer},${event?.tidspunkt},update,${id},${darstatus},,${ændret},"Væk, ""her""",Ny Prøvegade,,,,,,,,\r\n`,
    );
    expect((await ask('haendelser?entitet=navngivenvej&txid=0&format=csv')).statusCode).toBe(400);
    const none = await ask(`haendelser?entitet=navngivenvej&txidfra=${end.txid + 1}&format=csv`);
    expect(none.body).toBe(head);
    const areas = await ask('udtraek?entitet=kommune&format=csv');
    const [first] = await rowsOf<{ geometri: object; kode: string }>('udtraek?entitet=kommune');
    expect(areas.body).toContain(`"${JSON.stringify(first?.geometri).replaceAll('"', '""')}"`);
  });

  test('are packed for those who ask for it, and of a HEAD none', async () => {
    const url = `/dawa/k/${KEY}/replikering/udtraek?entitet=adresse&ndjson`;
    const plain = await app.inject(url);
    const headers = { 'accept-encoding': 'gzip, deflate' };
    const packed = await app.inject({ url, headers });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
    const units = Number(packed.headers['x-service-units']);
    expect(access.settled.map((each) => each.units)).toEqual([units, units]);
    const { longAnswers } = long;
    const begun: Readable[] = [];
    const open = longAnswers.open.bind(longAnswers);
    const spied = vi.spyOn(longAnswers, 'open').mockImplementation(async (asked) => {
      const opened = await open(asked);
      begun.push(opened.pieces);
      return opened;
    });
    const head = await app.inject({ method: 'HEAD', url });
    expect(head.body).toBe('');
    expect(head.headers['content-type']).toBe(plain.headers['content-type']);
    spied.mockRestore();
    expect(begun.map(({ destroyed }) => destroyed)).toEqual([true]);
    expect(access.settled).toHaveLength(2);
  });

  test('of a download have a name where one is given', async () => {
    const of = async (form: string) =>
      (await ask(`udtraek?entitet=postnummer&${form}`)).headers['content-disposition'];
    expect(await of('download')).toBe('attachment');
    expect(await of('download=postnumre%20%C3%A6.json')).toBe(
      "attachment; filename*=UTF-8''postnumre%20%C3%A6.json",
    );
    expect(await of('')).toBeUndefined();
  });
});

describe('what is asked for', () => {
  test('the older paths answer the same', async () => {
    for (const { name, plural } of ENTITIES) {
      if (plural === null) continue;
      for (const [old, now] of [
        [`${plural}?noformat`, `udtraek?entitet=${name}&noformat`],
        [`${plural}/haendelser?ndjson`, `haendelser?entitet=${name.toUpperCase()}&ndjson`],
      ] as const) {
        expect((await ask(old)).body, old).toBe((await ask(now)).body);
      }
    }
    expect((await ask('sogne')).json()).toMatchObject({ type: 'ResourceNotFoundError' });
    expect((await ask('sognetilknytninger')).body).toContain('datamodel');
  });

  test('attributes of the key filter extracts and events', async () => {
    expect(await rowsOf(`udtraek?entitet=adgangsadresse&id=${ACCESS.toUpperCase()}`)).toHaveLength(
      1,
    );
    expect(await rowsOf(`udtraek?entitet=adgangsadresse&id=${UNIT}`)).toEqual([]);
    expect(await rowsOf('udtraek?entitet=postnummer&nr=93')).toMatchObject([{ nr: '0093' }]);
    const roads = await rowsOf<{ kommunekode: string; kode: string }>('udtraek?entitet=vejstykke');
    const own = roads.filter(({ kommunekode }) => kommunekode === '0093');
    expect(own.length).toBeGreaterThan(1);
    const { kode } = own[1]!;
    expect(await rowsOf('udtraek?entitet=vejstykke&kommunekode=93')).toEqual(own);
    expect(await rowsOf(`udtraek?entitet=vejstykke&kommunekode=0093&kode=${Number(kode)}`)).toEqual(
      [own[1]],
    );
    // By the driver's own column no more is read, nor paid for.
    for (const [entity, given] of [
      ['jordstykketilknytning', `adgangsadresseid=${ACCESS}`],
      ['kommunetilknytning', `adgangsadresseid=${ACCESS}&kommunekode=93`],
      ['vejstykkepostnummerrelation', `kommunekode=93&vejkode=${kode}`],
    ] as const) {
      const answer = await ask(`udtraek?entitet=${entity}&${given}`);
      expect(answer.json(), entity).toHaveLength(1);
      expect(answer.headers['x-service-units']).toBe('1');
    }
    const byMade = await rowsOf<object>(
      'udtraek?entitet=jordstykketilknytning&ejerlavkode=9900093',
    );
    expect(byMade.length).toBeGreaterThan(1);
    expect(await rowsOf(`udtraek?entitet=kommunetilknytning&adgangsadresseid=${UNIT}`)).toEqual([]);
    const events = await rowsOf<Event>(`haendelser?entitet=adresse&id=${UNIT}`);
    expect(events).toMatchObject([{ operation: 'delete' }]);
  });

  test('an extract is as it was after the transaction, or the one that the event is of', async () => {
    const of = async (form: string) => await rowsOf(`udtraek?entitet=adresse&id=${UNIT}&${form}`);
    expect(await of(`txid=${start.txid}`)).toHaveLength(1);
    expect(await of(`sekvensnummer=${start.sekvensnummer}`)).toHaveLength(1);
    for (const form of [
      `txid=${end.txid}`,
      `txid=${end.txid + 99}`,
      `sekvensnummer=${end.sekvensnummer}`,
      `sekvensnummer=${start.sekvensnummer + 1}`,
    ]) {
      expect(await of(form), form).toEqual([]);
    }
  });

  test('events are bound by number, transaction and time, all included', async () => {
    const all = await rowsOf<Event>(`haendelser?entitet=adresse&txidfra=${start.txid + 1}`);
    const [first, second] = all;
    const of = async (form: string) => await rowsOf(`haendelser?entitet=adresse&${form}`);
    expect(await of('')).toEqual(all);
    for (const to of [end.txid + 7, '9'.repeat(40)]) {
      expect(await of(`txidfra=${start.txid + 1}&txidtil=${to}`)).toEqual(all);
    }
    expect(await of(`txid=${end.txid}&txidfra=${end.txid + 1}`)).toEqual([]);
    expect(await of(`txid=${end.txid}&txidfra=${start.txid + 1}`)).toEqual(all);
    expect(await of(`sekvensnummerfra=${second!.sekvensnummer}`)).toEqual([second]);
    expect(await of(`sekvensnummertil=${first!.sekvensnummer}`)).toEqual([first]);
    const at = first!.tidspunkt;
    expect(await of(`tidspunktfra=${at}&tidspunkttil=${at}`)).toEqual(all);
    expect(await of(`tidspunktfra=${at.replace('Z', '+00:00')}`)).toEqual(all);
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect(await of(`tidspunktfra=${later}`)).toEqual([]);
  });
});

describe('errors', () => {
  const LONG = 'x'.repeat(101);
  test.each<[string, string[][]]>([
    ['udtraek', [['entitet', 'Parameteren entitet skal angives']]],
    ['haendelser?entitet=', [['entitet', 'Parameteren entitet skal angives']]],
    ['haendelser?entitet=adresse&txidfra=x', [['txidfra', 'notInteger']]],
    ['haendelser?entitet=adresse&txidfra=-1', [['txidfra', 'notInteger']]],
    ['haendelser?entitet=adresse&txidfra=1e3', [['txidfra', 'notInteger']]],
    [
      'haendelser?entitet=adresse&tidspunktfra=2026-01-01',
      [['tidspunktfra', 'Ugyldigt tidspunkt: 2026-01-01 for parameter tidspunktfra']],
    ],
    [
      'haendelser?entitet=adresse&txidfra=1&txidfra=2',
      [['txidfra', 'Parameteren er angivet flere gange']],
    ],
    [
      'haendelser?entitet=adresse&tidspunkttil=2026-02-30T10:00Z',
      [['tidspunkttil', 'Ugyldigt tidspunkt: 2026-02-30T10:00Z for parameter tidspunkttil']],
    ],
    ...['ndjson', 'noformat', 'valider', 'download', 'callback'].map(
      (name): [string, string[][]] => [
        `udtraek?entitet=adresse&${name}&${name}`,
        [[name, 'Parameteren er angivet flere gange']],
      ],
    ),
    ['transaktioner?per_side=0', [['per_side', 'Mindst 1']]],
    ['transaktioner?side=0', [['side', 'Mindst 1']]],
    ['transaktioner?per_side=100001', [['per_side', 'Højst 100000']]],
    ['transaktioner?txid=1&txid=1', [['txid', 'Parameteren er angivet flere gange']]],
    [`udtraek?entitet=${LONG}`, [['entitet', 'Parameteren er længere end 100 tegn']]],
    [`udtraek?entitet=adresse&id=${LONG}`, [['id', 'Parameteren er længere end 100 tegn']]],
    ['udtraek?entitet=adresse&id=1', [['id', 'notUUID']]],
    ['udtraek?entitet=adresse&format=geojson', [['format', 'Kun json, csv og ndjson findes her']]],
    ['udtraek?entitet=adresse&callback=alert(1)', [['callback', 'Ikke navnet på en funktion']]],
    ['datamodel?valider&x=1', [['x', 'Ukendt parameter']]],
    ['senestetransaktion?side=x&valider=', [['side', 'Ukendt parameter']]],
  ])('%s names what is wrong', async (path, details) => {
    const answer = await ask(path);
    const error = {
      type: 'QueryParameterFormatError',
      title: 'One or more query parameters was ill-formed.',
      details,
    };
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toBe(JSON_TYPE);
    expect(answer.body).toBe(JSON.stringify(error, null, 2));
    expect(access.settled).toEqual([]);
  });

  test('an unknown entity is told what there is, an unknown parameter nothing', async () => {
    const { details } = (await ask('udtraek?entitet=bygning')).json<{ details: string[][] }>();
    expect(details[0]?.[1]).toContain('adgangsadresse, adresse');
    expect((await ask('datamodel?x=1')).statusCode).toBe(200);
  });

  test('a number beyond the latest is 400, never a short answer', async () => {
    const beyond = end.sekvensnummer + 1;
    const of = async (path: string) => (await ask(path)).json<{ details: string }>().details;
    const told = `ændelse med sekvensnummer ${beyond} findes ikke. Seneste sekvensnummer: ${end.sekvensnummer}`;
    expect(await of(`haendelser?entitet=adresse&sekvensnummertil=${beyond}`)).toBe(`H${told}`);
    expect(await of(`udtraek?entitet=adresse&sekvensnummer=${beyond}`)).toBe(`h${told}`);
  });

  test('a store that does not answer is 503, never an empty list', async () => {
    const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const without = await replicationApp({ log: new ReplicationLog({ db }), ...long });
    for (const path of ['senestetransaktion', 'transaktioner', 'udtraek?entitet=adresse']) {
      const answer = await without.inject(`/dawa/replikering/${path}`);
      expect(answer.statusCode, path).toBe(503);
      expect(answer.json()).toMatchObject({ type: 'ServiceUnavailableError' });
    }
    await without.close();
    await db.destroy();
  });

  test('what is before the beginning is 400 and names the extract', async () => {
    const TIME = 'tidspunktfra=2000-01-01T00:00';
    for (const path of ['txidfra=1', 'txid=1', 'sekvensnummerfra=1', TIME]) {
      const answer = await ask(`haendelser?entitet=adresse&${path}`);
      expect(answer.statusCode, path).toBe(400);
      expect(answer.json<{ details: string }>().details).toContain(
        '/replikering/udtraek?entitet=adresse',
      );
    }
    expect((await ask('udtraek?entitet=adresse&txid=1')).statusCode).toBe(400);
    const own = await log.beginOf(entityOf('adresse'));
    const from = (nr: number) => ask(`haendelser?entitet=adresse&sekvensnummerfra=${nr}`);
    expect((await from(own!.lastEvent)).statusCode).toBe(200);
    expect((await from(own!.lastEvent - 1)).statusCode).toBe(400);
  });
});

describe('keys', () => {
  test('need replication and the register itself', async () => {
    expect((await ask('udtraek?entitet=adresse', NONE)).statusCode).toBe(403);
    const url = `/dawa/k/${PAGE}/replikering/udtraek?entitet=adresse`;
    const ofPage = await app.inject({ url, headers: { origin: 'https://a.example.dk' } });
    expect(ofPage.statusCode).toBe(403);
    expect((await ask('udtraek?entitet=adresse', FEW)).statusCode).toBe(200);
    for (const path of ['udtraek?entitet=jordstykke', 'haendelser?entitet=kommune', 'ejerlav']) {
      const answer = await ask(path, FEW);
      expect(answer.statusCode, path).toBe(403);
      expect(answer.json()).toMatchObject({ type: 'ForbiddenError' });
    }
    expect((await app.inject('/dawa/replikering/senestetransaktion')).statusCode).toBe(401);
  });

  test('have two long answers at a time', async () => {
    const gate = Promise.withResolvers<null>();
    let waiting = 0;
    const longAnswers: LongAnswers = {
      open: async (asked) => {
        waiting += 1;
        await gate.promise;
        return await long.longAnswers.open(asked);
      },
    };
    const held = await replicationApp({ log, longAnswers });
    const get = (path: string) => held.inject(`/dawa/replikering/udtraek?entitet=adresse${path}`);
    const slow = [get(''), get('')];
    await expect.poll(() => waiting, { timeout: 100_000 }).toBe(2);
    const third = await get('');
    expect(third.statusCode).toBe(429);
    expect(third.json()).toMatchObject({ type: 'TooManyRequestsError' });
    gate.resolve(null);
    expect((await get(`&id=${UNIT}`)).statusCode).toBe(200);
    for (const answer of slow) expect((await answer).statusCode).toBe(200);
    expect((await get('')).statusCode).toBe(200);
    await held.close();
  });

  test('are cut off at their end, read or not, and their places are free (D262)', async () => {
    const limits = CHANGE_LIMITS.extracts as { longestS: number };
    const { longestS } = limits;
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const given: CountedText = { counts, part: 'x'.repeat(100_000), parts: 1e9, end: 'whole' };
    const longAnswers = {
      open: () => long.longAnswers.open({ maker: COUNTED_TEXT, given, isPacked: false }),
    } as unknown as LongAnswers;
    const held = await replicationApp({ log, longAnswers });
    const url = await held.listen({ host: '127.0.0.1', port: 0 });
    const get = () => fetch(`${url}/dawa/replikering/udtraek?entitet=adresse`);
    const bytesOf = async ({ body }: Response): Promise<number> => {
      let bytes = 0;
      for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) bytes += piece.length;
      return bytes;
    };
    limits.longestS = 2;
    try {
      const unread = await get();
      const read = await get();
      await expect(bytesOf(read)).rejects.toThrow();
      await expect.poll(async () => (await get()).status, { timeout: 100_000 }).toBe(200);
      await expect(bytesOf(unread)).rejects.toThrow();
    } finally {
      limits.longestS = longestS;
      held.server.closeAllConnections();
      await held.close();
    }
  });

  test('pay a unit for each begun thousand, told before the first byte', async () => {
    const { rows } = await store.pool.query<{ count: number }>(
      'select count(*)::int as count from address_unit where status between 2 and 5',
    );
    const units = Math.ceil(rows[0]!.count / 1_000);
    expect(units).toBeGreaterThan(1);
    const answer = await ask('udtraek?entitet=adresse');
    expect(answer.headers['x-service-units']).toBe(String(units));
    await ask(`haendelser?entitet=adresse&txidfra=${start.txid + 1}`);
    await ask(`haendelser?entitet=adresse&txidfra=${end.txid + 1}`);
    expect(access.settled.map((each) => each.units)).toEqual([units, 1]);
  });
});

describe('rows that leave while they are read', () => {
  test('end the reading, and cut the connection', async () => {
    const entity = entityOf('adgangsadresse');
    const reading = log.extract(entity, start.txid);
    const first = await reading.next();
    expect(first.done === true ? [] : first.value).not.toEqual([]);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(
      `${url}/dawa/k/${KEY}/replikering/udtraek?entitet=adgangsadresse&txid=${start.txid}`,
    );
    expect(answer.status).toBe(200);
    await answer.text();
    await store.pool.query(`update change_transaction set is_gone = true where nr = ${end.txid}`);
    await expect(reading.next()).rejects.toThrow(RowsGone);
    expect((await ask(`udtraek?entitet=adresse&txid=${start.txid}`)).statusCode).toBe(400);
    expect((await ask(`udtraek?entitet=adresse&txid=${end.txid}`)).statusCode).toBe(200);
    expect((await ask(`haendelser?entitet=adresse&txidfra=${end.txid}`)).statusCode).toBe(400);
    // What is gone in its middle.
    const part = Array.from({ length: 2_000 }, () => `${randomUUID()}\n`).join('');
    const counts = new Int32Array(new SharedArrayBuffer(8));
    let given: CountedText = { counts, part, parts: 20, end: 'fails' };
    const longAnswers = {
      open: ({ isPacked }: { readonly isPacked: boolean }) =>
        long.longAnswers.open({ maker: COUNTED_TEXT, given, isPacked }),
    } as unknown as LongAnswers;
    const broken = await replicationApp({ log, longAnswers });
    const brokenUrl = await broken.listen({ host: '127.0.0.1', port: 0 });
    const begin = async (coding: string): Promise<Response> =>
      await fetch(`${brokenUrl}/dawa/replikering/udtraek?entitet=adresse`, {
        headers: { 'accept-encoding': coding },
      });
    /** A thread that ends refuses what comes meanwhile; the next is another. */
    const recover = async () => {
      given = { ...given, end: 'whole', parts: 1 };
      await expect
        .poll(async () => await (await begin('gzip')).text().catch(() => ''), { timeout: 100_000 })
        .toBe(part);
    };
    for (const [end, coding] of [
      ['fails', 'identity'],
      ['fails', 'gzip'],
      ['dies', 'gzip'],
    ] as const) {
      await recover();
      given = { ...given, parts: 20, end };
      const begun = await begin(coding);
      expect(begun.status).toBe(200);
      await expect(begun.text()).rejects.toThrow();
      // Before anything of it is there, it is an error like any other.
      await recover();
      given = { ...given, parts: 0, end };
      const none = await begin(coding);
      expect(none.status).toBe(503);
      expect(await none.json()).toMatchObject({ type: 'ServiceUnavailableError' });
    }
    await broken.close();
  });
});
