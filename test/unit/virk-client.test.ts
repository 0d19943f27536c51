/** One company from Virk's search: what is believed of an answer, and which way the login goes. */
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server } from 'node:net';
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { VIRK_SEARCH } from '../../src/registers/companies/company.ts';
import type { Login } from '../../src/core/live-settings.ts';
import type { Company, CompanySearch } from '../../src/registers/companies/company.ts';
import { createCompanyOrigin } from '../../src/registers/companies/origin.ts';
import { VirkClient } from '../../src/registers/companies/virk-client.ts';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';
import { KNOWN_COMPANY, sampleCompanies } from '../../sample/registers/companies/rows.ts';
import { startSampleUpstream } from '../../sample/server.ts';
import { SEARCH_PATH, answerSearch } from '../../sample/registers/companies/search.ts';
import { SEARCH_ROWS } from '../faults/matrix-companies.ts';
import type { ANSWER_ROWS } from '../faults/matrix-companies.ts';
import { makeAuthority } from '../webhooks/certificates.ts';
import { opened } from '../support/opened.ts';
import { listening } from '../support/free-port.ts';

const USER = 'virk-bruger';
const PASSWORD = 'Hemmelig-kode-4711';
const LOGIN: Login = { user: USER, password: PASSWORD, isPlainAllowed: true };
const backoff = { baseMs: 1, maxMs: 1, unauthorizedMs: 1, retryAfterCapMs: 1 };
const clock = { nowMs: () => 1_000_000 };

const client = new VirkClient({ clock, backoff });
afterAll(() => client.close());
const upstream = await opened(startSampleUpstream());
afterEach(() => {
  upstream.faults.clear();
  upstream.forgetRequests();
});

/** What nothing but a hang takes, and as many companies as the sample has. */
const source = (change: Partial<CompanySearch> = {}): CompanySearch => ({
  ...VIRK_SEARCH,
  url: `${upstream.url}${SEARCH_PATH}`,
  ...{ pointTimeoutMs: 60_000, leastCompanies: 200, ...change },
});

const failureOf = (asked: Promise<unknown>): Promise<UpstreamFailure> =>
  asked.then(
    () => expect.fail('it answered'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(UpstreamFailure);
      const { message, stack = '' } = error as Error;
      for (const secret of [PASSWORD, USER, 'Gunhild', String(KNOWN_COMPANY.soleNumber)]) {
        expect(message + stack).not.toContain(secret);
      }
      return error as UpstreamFailure;
    },
  );

test('every company of the sample is read as it is, and a number nobody has is none', async () => {
  for (const company of sampleCompanies()) {
    const found = await client.fetchCompany(source(), company.number, LOGIN);
    const { address, form, branches } = company;
    const [main, ...others] = branches.map(([code, text]) => ({ code, text }));
    expect(found).toEqual({
      number: company.number,
      name: company.name,
      otherNames: company.otherNames,
      form: { code: form[0], text: form[1] },
      status: company.ended === null ? 'aktiv' : 'ophørt',
      started: company.started,
      ended: company.ended,
      address: {
        roadName: address.road,
        houseNumber: `${address.number}${address.letter ?? ''}`,
        floor: address.floor,
        door: address.door,
        supplementaryTown: null,
        postcode: address.postcode,
        postcodeName: address.postcodeName,
        municipalityCode: address.municipality,
        addressId: address.id,
        freeText: null,
      },
      mainBranch: main ?? null,
      otherBranches: others,
      isProtected: company.isProtected,
    } satisfies Company);
  }
  expect(await client.fetchCompany(source(), KNOWN_COMPANY.unknownNumber, LOGIN)).toBeNull();
});

describe('no company and no "unknown", but a failure, is', () => {
  test.each(Object.entries(SEARCH_ROWS))('%s', async (_id, { rule, kind }) => {
    upstream.faults.set([{ ...rule, host: 'virk' }]);
    const asked = source({ pointTimeoutMs: kind === 'timeout' ? 500 : 60_000 });
    for (const number of [KNOWN_COMPANY.soleNumber, KNOWN_COMPANY.unknownNumber]) {
      const failure = await failureOf(client.fetchCompany(asked, number, LOGIN));
      expect([kind, 'truncated']).toContain(failure.kind);
    }
    upstream.faults.clear();
    const mended = await client.fetchCompany(source(), KNOWN_COMPANY.soleNumber, LOGIN);
    expect(mended).toMatchObject({ name: KNOWN_COMPANY.soleName });
  });
});

/** The sample's answer, changed before it leaves. */
type Change = (answer: Answer) => unknown;
interface Answer {
  timed_out: boolean;
  _shards: { failed: number };
  hits: { total: number; hits: { _source: { Vrvirksomhed: Record<string, unknown> } }[] };
}

interface Seen {
  readonly url: string;
  readonly authorization: string;
}

async function serveOn(
  make: (serve: Parameters<typeof createHttp>[1] & object) => Server,
  change: Change = (answer) => answer,
): Promise<{ readonly base: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = make((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { authorization = '' } = request.headers;
      seen.push({ url: request.url ?? '', authorization });
      const body = Buffer.concat(parts).toString();
      const reply = answerSearch({
        ...{ method: request.method ?? '', authorization, body },
        url: new URL('http://virk.example'),
      });
      const changed = change(JSON.parse(reply.body.toString()) as Answer);
      response.writeHead(reply.status, reply.headers).end(JSON.stringify(changed));
    });
  });
  onTestFinished(() => void server.close());
  return { base: `127.0.0.1:${await listening(server)}`, seen };
}

const companyIn = ({ hits }: Answer) => hits.hits[0]?._source.Vrvirksomhed ?? {};

const CHANGES: Readonly<
  Record<Exclude<keyof typeof ANSWER_ROWS, 'virk-silent-protection'>, readonly Change[]>
> = {
  'virk-emptied': [(answer) => ({ ...answer, hits: { total: 0, hits: [] } })],
  'virk-shards': [
    (answer) => ({ ...answer, _shards: { failed: 1 } }),
    (answer) => ({ ...answer, timed_out: true }),
    ({ hits }) => ({ hits }),
    (answer) => ({ ...answer, hits: { hits: answer.hits.hits } }),
    () => [],
    () => null,
  ],
  'virk-another': [
    (answer) => {
      companyIn(answer)['cvrNummer'] = KNOWN_COMPANY.number;
      return answer;
    },
    (answer) => ({
      ...answer,
      hits: { total: 2, hits: [...answer.hits.hits, ...answer.hits.hits] },
    }),
  ],
  'virk-field-gone': ['livsforloeb', 'navne', 'virksomhedsform', 'hovedbranche'].map(
    (field) => (answer: Answer) => {
      companyIn(answer)[field] = undefined;
      return answer;
    },
  ),
  'virk-day': [
    (answer) => {
      companyIn(answer)['livsforloeb'] = [
        { periode: { gyldigFra: '2001-01-01', gyldigTil: 'i går' } },
      ];
      return answer;
    },
  ],
};

describe('an answer that is not believed:', () => {
  const cases = Object.entries(CHANGES).flatMap(([id, changes]) =>
    changes.map((change, n) => [`${id} ${n}`, change] as const),
  );
  test.each(cases)('%s', async (_id, change) => {
    const server = await serveOn((serve) => createHttp(serve), change);
    const url = `http://${server.base}/_search`;
    const { kind } = await failureOf(
      client.fetchCompany(source({ url, tries: 1 }), KNOWN_COMPANY.soleNumber, LOGIN),
    );
    expect(['incomplete', 'unreadable']).toContain(kind);
  });

  test('says nothing of protection where the register does not: virk-silent-protection', async () => {
    const found = await client.fetchCompany(source(), KNOWN_COMPANY.silentNumber, LOGIN);
    expect(found).toMatchObject({ isProtected: null });
  });
});

describe('the login', () => {
  const number = KNOWN_COMPANY.soleNumber;

  test('goes over plain http only where that is allowed', async () => {
    const plain = await serveOn((serve) => createHttp(serve));
    const url = `http://${plain.base}/_search`;
    const refused = { ...LOGIN, isPlainAllowed: false };
    const { kind } = await failureOf(client.fetchCompany(source({ url }), number, refused));
    expect(kind).toBe('connection');
    expect(plain.seen).toEqual([]);
    expect(await client.fetchCompany(source({ url }), number, LOGIN)).toMatchObject({ number });
    const authorization = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`;
    expect(plain.seen).toEqual([{ url: '/_search', authorization }]);
  });

  test('goes over https wherever that is spoken, and to nobody whose certificate no one vouches for', async () => {
    const authority = makeAuthority();
    const { key, cert } = authority.issue('IP:127.0.0.1');
    const secure = await serveOn((serve) => createHttps({ key, cert }, serve));
    const url = `http://${secure.base}/_search`;
    const { kind } = await failureOf(client.fetchCompany(source({ url }), number, LOGIN));
    expect(kind).toBe('connection');
    expect(secure.seen).toEqual([]);
    const trusting = new VirkClient({ clock, backoff, ca: authority.ca });
    for (const isPlainAllowed of [true, false]) {
      const login = { ...LOGIN, isPlainAllowed };
      expect(await trusting.fetchCompany(source({ url }), number, login)).toMatchObject({ number });
    }
    expect(secure.seen).toHaveLength(2);
    await trusting.close();
  });
});

test('one request is for all who ask for a number at the same time, and nothing of it is kept', async () => {
  const origin = createCompanyOrigin({
    ...{ source: source(), login: LOGIN, client },
    gate: createHostGate({ clock }),
  });
  const asked = () => upstream.requests().filter(({ host }) => host === 'virk').length;
  const found = await Promise.all([1, 2, 3].map(() => origin(KNOWN_COMPANY.number)));
  expect(new Set(found).size).toBe(1);
  expect(asked()).toBe(1);
  await origin(KNOWN_COMPANY.number);
  expect(asked()).toBe(2);
});

test('a host that failed moments ago is not asked', async () => {
  const gate = createHostGate({ clock });
  const origin = createCompanyOrigin({ source: source({ tries: 1 }), login: LOGIN, client, gate });
  upstream.faults.set([{ fault: 'http-500', host: 'virk' }]);
  for (let n = 0; n < 5; n++) await failureOf(origin(KNOWN_COMPANY.number));
  upstream.forgetRequests();
  expect((await failureOf(origin(KNOWN_COMPANY.number))).kind).toBe('refused');
  expect(upstream.requests()).toEqual([]);
});
