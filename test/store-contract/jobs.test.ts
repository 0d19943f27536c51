/** Jobs as callers meet them: made, filled, started, ended, listed; who may, and what is refused. */
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { decodeRows } from '../../src/jobs/chunk-rows.ts';
import { EXAMPLE_ID, jobExamples } from '../../src/http/v1/jobs/examples.ts';
import { expectError } from '../edge/edge.ts';
import { jobsEdge, shown } from '../jobs/jobs-edge.ts';
import { opened } from '../support/opened.ts';

const edge = await opened(jobsEdge());
const caller = await edge.caller();

const ROW = { x: 11.5, y: 56.9 };

/** The chunks of a job as they are kept. */
async function chunksOf(id: string) {
  const { rows } = await edge.store.pool.query<{ input: Buffer; rows: number; first_row: number }>(
    'select input, rows, first_row from job_chunk where job_id = $1 order by chunk',
    [id],
  );
  return rows;
}

/** Every row of a job as it is kept. */
const keptRows = async (id: string): Promise<unknown[]> =>
  (await chunksOf(id)).flatMap(({ input }) => decodeRows(input));

/** A job as if it had so many rows or bytes. */
const set = (id: string, column: 'total_rows' | 'input_bytes', value: number) =>
  edge.store.pool.query(`update job set ${column} = $1 where id = $2`, [value, id]);

const listed = async (by = caller, query = '') =>
  (await by.ask({ url: `/v1/jobs${query}` })).json<{ jobs: { id: string }[] }>().jobs;

describe('making a job', () => {
  test('starts it with its rows, and finds the columns that have the names of roles', async () => {
    const rows = [
      { Id: 7, X: 11.5, y: 56.9 },
      { Id: 'b', X: null, y: true, note: 'Æblø' },
    ];
    const response = await caller.post('/v1/jobs', { kind: 'dagi', rows, label: 'Øer' });
    const job = shown(response, 201);
    expect(response.headers['location']).toBe(`/v1/jobs/${job.id}`);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(job).toEqual({
      id: expect.stringMatching(/^job_[a-z2-7]{20}$/) as string,
      kind: 'dagi',
      status: 'queued',
      label: 'Øer',
      totalRows: 2,
      processedRows: 0,
      succeeded: 0,
      failed: 0,
      billedUnits: 0,
      progress: 0,
      columns: { x: 'X', y: 'y' },
      srid: 4326,
      inputColumns: ['Id', 'X', 'y', 'note'],
      error: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      updatedAt: '2026-11-21T12:00:00.000Z',
      startedAt: null,
      completedAt: null,
      resultsAvailable: true,
    });
    expect(await keptRows(job.id)).toEqual([
      [7, 11.5, 56.9],
      ['b', null, true, 'Æblø'],
    ]);
    expect(await caller.job(job.id)).toEqual(job);
  });

  test.each([
    [{ kind: 'dagi' }],
    [{ kind: 'dagi', rows: [] }],
    [{ kind: 'dagi', start: true }],
    [{ kind: 'dagi', rows: [], start: true, columns: { x: 'lon', y: 'lat' } }],
  ])('without rows makes a draft, whatever start says: %j', async (body) => {
    const job = shown(await caller.post('/v1/jobs', body), 201);
    expect(job).toMatchObject({ status: 'draft', totalRows: 0, error: null, startedAt: null });
    const started = await caller.post(`/v1/jobs/${job.id}/start`);
    expect(expectError(started, 'invalid_request')['code']).toBe('job_empty');
    await caller.send(job.id, 'text/csv', 'x;y;lon;lat\n11,5;56,9;11,5;56,9');
    const after = shown(await caller.post(`/v1/jobs/${job.id}/start`));
    expect(after).toMatchObject({ status: 'queued', totalRows: 1 });
  });

  test.each(['\0', '\ud800'])('refuses a column that no text can name: %j', async (x) => {
    const body = { kind: 'dagi', columns: { x } };
    expectError(await caller.post('/v1/jobs', body), 'invalid_request');
  });

  test('names a column that holds floors or doors and is not read, until it is', async () => {
    const rows = [
      { adresse: 'Vestergade 12', trin: 'st. tv', note: 'tv og radio' },
      { adresse: 'Vestergade 12', trin: '1. th', note: null },
    ];
    const told = (response: LightMyRequestResponse) =>
      response.json<{ advarsler?: readonly string[] }>().advarsler;
    const isNamed = [expect.stringMatching(/trin.*columns\.etage/)];
    const made = await caller.post('/v1/jobs', { kind: 'datavask', start: false, rows });
    const { id } = shown(made, 201);
    expect(told(made)).toEqual(isNamed);
    expect(told(await caller.ask({ url: `/v1/jobs/${id}` }))).toEqual(isNamed);
    const more = { rows: [{ adresse: 'Vestergade 14', trin: 'kl' }] };
    expect(told(await caller.post(`/v1/jobs/${id}/rows`, more))).toEqual(isNamed);
    expect(told(await caller.post(`/v1/jobs/${id}/start`))).toEqual(isNamed);
    const columns = { etage: 'trin' };
    const read = await caller.post('/v1/jobs', { kind: 'datavask', start: false, columns, rows });
    expect([read.statusCode, told(read)]).toEqual([201, undefined]);
  });

  test('refuses one to be started without a column for a role, and makes none', async () => {
    const before = await listed();
    const rows = [{ lon: 11.5, y: 56.9 }];
    const missing = await caller.post('/v1/jobs', { kind: 'miljoe', rows });
    expect(expectError(missing, 'invalid_request')).toMatchObject({
      code: 'job_role_missing',
      error:
        'A job of kind miljoe needs the roles x + y, or adgangsadresse_id, or adresse, or ' +
        'vej + husnr + postnr, or vej + husnr + by, or wkt, or ejerlav + matrikelnummer, or bfe; ' +
        'no column stands for x: ' +
        'name it with "columns": {"x": "…"}. The rows have: lon, y.',
    });
    const columns = { x: 'lonn' };
    const unknown = await caller.post('/v1/jobs', { kind: 'miljoe', rows, columns });
    expect(expectError(unknown, 'invalid_request')['error']).toContain('columns.x names');
    expect(await listed()).toEqual(before);
  });

  test.each([
    ['datavask', [{ adresse: 'a' }], {}],
    ['datavask', [{ v: 'a', husnr: '1', postnr: '1000' }], { vej: 'v' }],
    ['datavask', [{ vej: 'a', husnr: '1', by: 'b' }], {}],
    ['reverse', [{ adgangsadresse_id: 'a' }], {}],
    ['miljoe', [{ øst: 1, nord: 2 }], { x: 'øst', y: 'nord' }],
    ['bbr', [{ BFE: 1 }], {}],
    ['bbr', [{ adresse: 'a' }], {}],
    ['bbr', [{ vej: 'a', husnr: '1', postnr: '1000' }], {}],
    ['miljoe', [{ adresse: 'a' }], {}],
    ['dagi', [{ Gade: 'a', husnr: '1', by: 'b' }], { vej: 'Gade' }],
    ['reverse', [{ vej: 'a', husnr: '1', postnr: '1000' }], {}],
    ['bbr', [{ adgangsadresse_id: 'a' }], {}],
  ])('a job of kind %s starts with %j', async (kind, rows, columns) => {
    const job = shown(await caller.post('/v1/jobs', { kind, rows, columns, srid: 25832 }), 201);
    expect(job).toMatchObject({ status: 'queued', srid: 25832 });
  });

  test.each([
    ['datavask', [{ vej: 'a', husnr: '1' }], 'postnr'],
    ['datavask', [{ postnr: '1' }], 'vej, husnr'],
    ['datavask', [{ a: '1' }], 'adresse'],
    ['dagi', [{ lon: 1, lat: 2 }], 'x, y'],
    ['reverse', [{ x: 1 }], 'y'],
    ['miljoe', [{ vej: 'a', husnr: '1' }], 'postnr'],
    ['bbr', [{ x: 1 }], 'bfe'],
  ])('a job of kind %s with %j is refused for the lack of %s', async (kind, rows, role) => {
    const error = expectError(await caller.post('/v1/jobs', { kind, rows }), 'invalid_request');
    expect(error['error']).toContain(`no column stands for ${role}`);
  });

  test.each([
    [{}, 'The property kind is missing.'],
    [{ kind: 'cvr' }, 'kind must be one of datavask, reverse, bbr, dagi, miljoe.'],
    [{ kind: 'dagi', srid: 3857 }, 'srid must be one of 4326, 25832.'],
    [{ kind: 'dagi', label: '' }, 'label must have at least 1 character(s).'],
    [{ kind: 'dagi', label: 'x'.repeat(121) }, 'label may have at most 120 characters.'],
    [{ kind: 'dagi', columns: { lon: 'x' } }, 'Unknown property: columns.lon.'],
    [{ kind: 'dagi', columns: { x: '' } }, 'columns.x must have at least 1 character(s).'],
    [{ kind: 'dagi', columns: { x: 'x'.repeat(201) } }, 'columns.x may have at most 200'],
    [{ kind: 'dagi', start: 'no' }, 'start must be true or false.'],
    [{ kind: 'dagi', colour: 1 }, 'Unknown property: colour.'],
    [
      { kind: 'dagi', id: 'x', account_id: 'x', environment: 'test', billedUnits: 0, succeeded: 1 },
      'Unknown property: id, account_id, environment, billedUnits, succeeded.',
    ],
    [{ kind: 'dagi', status: 'completed' }, 'Unknown property: status.'],
    [{ kind: 'dagi', rows: 5 }, 'rows must be a list.'],
    [{ kind: 'dagi', rows: [5] }, 'Row 1 must be a JSON object.'],
    [{ kind: 'dagi', rows: [{ x: [1] }] }, 'Row 1, column x: a value is a text, a number, true'],
    [{ kind: 'dagi', rows: [{ '': 1 }] }, 'Row 1: the name of a column has 1 to 200 characters.'],
  ])('of %j is refused and says why', async (payload, text) => {
    const error = expectError(await caller.post('/v1/jobs', payload), 'invalid_request');
    expect(error['error']).toContain(text);
  });
});

test('every example of the document is what is answered', async () => {
  const own = await edge.caller();
  const examples = jobExamples();
  const same = async (operation: string, id: string, body?: string, type = 'application/json') => {
    const example = examples[operation];
    const [method, url = ''] = (example?.request ?? '').split(' ');
    const response = await own.ask({
      method: method as 'GET',
      url: url.replace(EXAMPLE_ID, id),
      ...(method === 'POST' && {
        payload: body ?? JSON.stringify(example?.body),
        headers: { 'content-type': type },
      }),
    });
    const real = /job_[a-z2-7]{20}/.exec(response.body)?.[0] ?? '';
    expect(JSON.parse(response.body.replaceAll(real, EXAMPLE_ID)), operation).toEqual(
      example?.value,
    );
    return real;
  };
  const id = await same('createJob', '');
  await same('job', id);
  await same('jobs', id);
  const { body, texts = {} } = examples['appendJobRows'] ?? {};
  const bodies = [['application/json', JSON.stringify(body)], ...Object.entries(texts)] as const;
  for (const [type, text] of bodies) {
    const { columns, srid, label } = await own.job(id);
    const draft = await own.draft({ columns, srid, label });
    await same('appendJobRows', draft.id, text, type);
    await same('startJob', draft.id);
  }
  const document = JSON.stringify(edge.app.swagger());
  for (const text of Object.values(texts)) expect(document).toContain(JSON.stringify(text));
});

describe('adding rows', () => {
  test('takes JSON, CSV and NDJSON in turn, each by the names of its own columns', async () => {
    const { id } = await caller.draft();
    shown(await caller.post(`/v1/jobs/${id}/rows`, { rows: [{ a: 'æ', b: 1 }] }));
    shown(await caller.send(id, 'text/csv', '\ufeffb;c;a\r\n1,5;"x;\n""y""";ø\r\n\r\n;;\r\n'));
    const response = await caller.send(
      id,
      'application/x-ndjson',
      '{"c":null}\n\n{"d":"","a":2}\n',
    );
    expect(shown(response)).toMatchObject({
      totalRows: 5,
      inputColumns: ['a', 'b', 'c', 'd'],
      status: 'draft',
    });
    expect(await keptRows(id)).toEqual([
      ['æ', 1],
      ['ø', '1,5', 'x;\n"y"'],
      ['', '', ''],
      [undefined, undefined, null],
      [2, undefined, undefined, ''],
    ]);
  });

  test('passes over titles above the head, says so, and takes the row that is named', async () => {
    const titled = 'Sager 2026;;\r\n\r\nsag;x;y\r\nA;1;2\r\nB;3;4\r\n';
    const { id } = await caller.draft();
    const added = await caller.send(id, 'text/csv', titled);
    expect(added.json<{ advarsler?: string[] }>().advarsler).toEqual([
      expect.stringContaining('Række 3 læses som kolonnernes navne'),
    ]);
    expect(shown(added)).toMatchObject({ totalRows: 2, inputColumns: ['sag', 'x', 'y'] });
    const named = await caller.ask({
      method: 'POST',
      url: `/v1/jobs/${id}/rows?overskrift=4`,
      payload: titled,
      headers: { 'content-type': 'Text/CSV' },
    });
    expect(named.json<{ advarsler?: string[] }>().advarsler).toBeUndefined();
    expect(shown(named)).toMatchObject({ totalRows: 3 });
    expect(shown(named).inputColumns.slice(3)).toEqual(['A', '1', '2']);
  });

  test('fills chunks, however the rows come', async () => {
    const { chunkRows } = JOB_LIMITS;
    for (const count of [1, chunkRows - 1, chunkRows, chunkRows + 1, 2 * chunkRows]) {
      const { id } = await caller.draft();
      const lines = Array.from({ length: count }, (_, i) => `${i};${i}`);
      const sent = await caller.send(id, 'text/csv', `x;y\n${lines.join('\n')}`);
      expect(shown(sent).totalRows).toBe(count);
      for (const more of ['a;b', 'c;d']) await caller.send(id, 'text/csv', `x;y\n${more}\n`);
      const rows = await chunksOf(id);
      const wanted = [...lines.map((line) => line.split(';')), ['a', 'b'], ['c', 'd']];
      expect(await keptRows(id)).toEqual(wanted);
      expect(rows.every(({ rows: n }) => n <= chunkRows)).toBe(true);
      expect(rows.map(({ first_row }) => first_row)).toEqual(
        rows.map((_, i) => rows.slice(0, i).reduce((sum, chunk) => sum + chunk.rows, 0)),
      );
      expect(rows.length).toBe(Math.ceil((count + 2) / chunkRows));
    }
  });

  test('fills smaller ones for a kind whose answers are large', async () => {
    const most = JOB_LIMITS.chunkRowsByKind.miljoe;
    const { id } = await caller.draft({ kind: 'miljoe' });
    const lines = Array.from({ length: 2 * most + 3 }, (_, i) => `${i};${i}`);
    await caller.send(id, 'text/csv', `x;y\n${lines.join('\n')}`);
    await caller.send(id, 'text/csv', 'x;y\na;b');
    expect((await chunksOf(id)).map(({ rows }) => rows)).toEqual([most, most, 4]);
    expect((await keptRows(id)).slice(most - 1, most + 1)).toEqual([
      [`${most - 1}`, `${most - 1}`],
      [`${most}`, `${most}`],
    ]);
  });

  test('adds all of a body or nothing', async () => {
    const { id } = await caller.draft();
    const lines = Array.from({ length: 5_000 }, () => '1;2').join('\n');
    expectError(await caller.send(id, 'text/csv', `x;y\n${lines}\n1;2;3`), 'invalid_request');
    expect((await caller.job(id)).totalRows).toBe(0);
    expect(await keptRows(id)).toEqual([]);
  });

  test('is refused once the job is started, before the body is looked at', async () => {
    const { id } = await caller.draft({ rows: [ROW], start: true });
    const response = await caller.send(id, 'text/csv', 'no "csv');
    expect(expectError(response, 'conflict')['code']).toBe('job_state');
  });

  test('has its limits: rows of JSON, bytes, at least one row, known properties', async () => {
    const { id } = await caller.draft();
    const rows = Array.from({ length: JOB_LIMITS.rowsPerAppend.max }, (_, i) => ({ x: i, y: i }));
    const url = `/v1/jobs/${id}/rows`;
    expect(shown(await caller.post(url, { rows })).totalRows).toBe(rows.length);
    const more = await caller.post(url, { rows: [...rows, ROW] });
    expect(expectError(more, 'invalid_request')['error']).toContain('at most 5000 items');
    for (const [payload, text] of [
      [{ rows: [] }, 'rows must have at least 1 item'],
      [{}, 'The property rows is missing.'],
      [{ rows: [ROW], start: true }, 'Unknown property: start.'],
    ] as const) {
      expect(expectError(await caller.post(url, payload), 'invalid_request')['error']).toContain(
        text,
      );
    }
    for (const [type, body] of [
      ['text/csv', 'x;y\n'],
      ['application/x-ndjson', '\n'],
    ] as const) {
      const error = expectError(await caller.send(id, type, body), 'invalid_request');
      expect(error['error']).toBe('The body has no rows; at least 1 is needed.');
    }
    const large = Buffer.alloc(JOB_LIMITS.bodyBytes + 1, 'x\n');
    expectError(await caller.send(id, 'text/csv', large), 'payload_too_large');
    expect((await caller.job(id)).totalRows).toBe(rows.length);
  });

  test('takes no other type, charset or encoding', async () => {
    const headers = { 'content-type': 'text/csv' };
    const made = await caller.ask({
      method: 'POST',
      url: '/v1/jobs',
      payload: 'x;y\n1;2',
      headers,
    });
    expect(expectError(made, 'unsupported_media_type')['error']).toContain('application/json');
    const { id } = await caller.draft();
    for (const [type, headers] of [
      ['application/xml', {}],
      ['text/csv; charset=utf-32', {}],
      ['application/json; charset=latin1', {}],
      ['text/csv', { 'content-encoding': 'gzip' }],
    ] as const) {
      expectError(await caller.send(id, type, 'x\n1', headers), 'unsupported_media_type');
    }
  });
});

test('a step that a job cannot take is refused by name, and one that waits is not deleted', async () => {
  const { id } = await caller.draft({ rows: [ROW] });
  const act = (action: string) => caller.post(`/v1/jobs/${id}/${action}`);
  expect(expectError(await act('pause'), 'conflict')['error']).toBe(
    'A job that is draft cannot take pause.',
  );
  const started = await act('start');
  expect(shown(started)).toMatchObject({ status: 'queued', columns: { x: 'x', y: 'y' } });
  const remove = () => caller.ask({ method: 'DELETE', url: `/v1/jobs/${id}` });
  expect(expectError(await remove(), 'conflict')['error']).toContain('Cancel it first.');
  const ended = { status: 'cancelled', completedAt: '2026-11-21T12:00:00.000Z' };
  expect(shown(await act('cancel'))).toMatchObject(ended);
  expect((await remove()).statusCode).toBe(204);
  expect(await keptRows(id)).toEqual([]);
});

test('the list goes through all jobs once, the newest first, and those of one status', async () => {
  const own = await edge.caller();
  const made: string[] = [];
  for (let i = 0; i < 5; i++) made.unshift((await own.draft({ label: `${i}` })).id);
  const seen: string[] = [];
  for (let url = '/v1/jobs?limit=2'; url !== '';) {
    const response = await own.ask({ url });
    seen.push(...response.json<{ jobs: { id: string }[] }>().jobs.map(({ id }) => id));
    url = /^<(.*)>; rel="next"$/.exec(String(response.headers['link']))?.[1] ?? '';
  }
  expect(seen.toSorted()).toEqual(made.toSorted());
  await own.post(`/v1/jobs/${made[2]}/cancel`);
  expect((await listed(own, '?status=cancelled')).map(({ id }) => id)).toEqual([made[2]]);
  expectError(await own.ask({ url: '/v1/jobs?after=job_aaaaaaaaaaaaaaaaaaaa' }), 'not_found');
  expectError(await own.ask({ url: '/v1/jobs?limit=0' }), 'invalid_request');
  expectError(await own.ask({ url: '/v1/jobs?page=1' }), 'invalid_request');
});

describe('who may', () => {
  test('needs a plan with jobs, their scope and that of the kind', async () => {
    const body = { kind: 'dagi', start: false };
    const free = await edge.caller({ tier: 'free' });
    expectError(await free.post('/v1/jobs', body), 'plan_required');
    for (const permission of ['read', 'restricted:dagi', 'restricted:jobs,natur'] as const) {
      const key = await edge.caller({ permission });
      const refused = expectError(await key.post('/v1/jobs', body), 'forbidden');
      expect(refused['code']).toBe('key_scope_missing');
    }
    const restricted = await edge.caller({ permission: 'restricted:dagi,jobs' });
    shown(await restricted.post('/v1/jobs', body), 201);
    expectError(await restricted.post('/v1/jobs', { kind: 'bbr', start: false }), 'forbidden');
    // Nor starts it what another key of the account has made.
    const { accountId } = restricted;
    const other = await edge.caller({ accountId });
    const rows = [{ bfe: 1 }];
    const { id } = shown(await other.post('/v1/jobs', { kind: 'bbr', rows, start: false }), 201);
    const refused = expectError(await restricted.post(`/v1/jobs/${id}/start`), 'forbidden');
    expect(refused['code']).toBe('key_scope_missing');
    expect((await other.job(id)).status).toBe('draft');
    shown(await other.post(`/v1/jobs/${id}/start`));
  });

  test('needs the scope of conditions where its rows are areas, by name or heading', async () => {
    const lines = await edge.caller({ permission: 'restricted:natur,jobs' });
    const conditions = await edge.caller({ permission: 'restricted:miljoe,jobs' });
    for (const named of [{}, { columns: { wkt: 'wkt' } }]) {
      const body = { kind: 'miljoe', ...named, rows: [{ wkt: 'POINT(1 1)' }] };
      const refused = expectError(await lines.post('/v1/jobs', body), 'forbidden');
      expect(refused['code']).toBe('key_scope_missing');
      shown(await conditions.post('/v1/jobs', body), 201);
      shown(await conditions.post('/v1/jobs', { ...body, start: false }), 201);
    }
    expect(await listed(lines)).toEqual([]);
  });

  test('sees the jobs of its own account and environment, and learns of no other', async () => {
    const accountId = await edge.bench.account('pro');
    const live = await edge.caller({ accountId });
    const test = await edge.caller({ accountId, environment: 'test' });
    const { id } = await live.draft({ rows: [ROW] });
    for (const other of [test, caller]) {
      const tried = [
        await other.ask({ url: `/v1/jobs/${id}` }),
        await other.ask({ method: 'DELETE', url: `/v1/jobs/${id}` }),
        ...(await Promise.all(
          ['start', 'pause', 'resume', 'cancel'].map((act) => other.post(`/v1/jobs/${id}/${act}`)),
        )),
        ...(await Promise.all(
          ['results', 'errors', 'events'].map((part) =>
            other.ask({ url: `/v1/jobs/${id}/${part}` }),
          ),
        )),
        await other.post(`/v1/jobs/${id}/rows`, { rows: [ROW] }),
        await other.send(id, 'text/csv', 'x;y\n1;2', { 'idempotency-key': 'k' }),
        await other.ask({ url: `/v1/jobs?after=${id}` }),
      ];
      const nobodys = await other.ask({ url: '/v1/jobs/job_aaaaaaaaaaaaaaaaaaaa' });
      for (const response of tried) {
        expect(expectError(response, 'not_found')['error']).toBe(
          expectError(nobodys, 'not_found')['error'],
        );
      }
      expect((await other.ask({ url: '/v1/jobs' })).body).not.toContain(id);
    }
    expect((await live.job(id)).status).toBe('draft');
  });
});

describe('an Idempotency-Key', () => {
  test('repeats the first answer to the same body, and refuses another', async () => {
    const once = { 'idempotency-key': 'købt-1' };
    const body = { kind: 'dagi', rows: [ROW], start: false };
    const first = await caller.post('/v1/jobs', body, once);
    const { id } = shown(first, 201);
    const again = await caller.post('/v1/jobs', body, once);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['location']).toBe(`/v1/jobs/${id}`);
    const other = await caller.post('/v1/jobs', { ...body, label: 'x' }, once);
    expect(expectError(other, 'conflict')['code']).toBe('idempotency_key_reused');

    const sent = await caller.send(id, 'text/csv', 'x;y\n1;2\n', once);
    // Also once the job takes no more rows: that is what was answered then.
    shown(await caller.post(`/v1/jobs/${id}/start`));
    const resent = await caller.send(id, 'text/csv', 'x;y\n1;2\n', once);
    expect([resent.statusCode, resent.body]).toEqual([200, sent.body]);
    expect((await caller.job(id)).totalRows).toBe(2);
  });

  test('holds against what JSON says, and against the bytes of a CSV', async () => {
    const post = (payload: string) =>
      caller.ask({
        method: 'POST',
        url: '/v1/jobs',
        payload,
        headers: { 'content-type': 'application/json', 'idempotency-key': 'said' },
      });
    const columns = '{"x":"x","y":"y"}';
    const rows = '[{"x":11.5,"y":56.9,"n":"ø"},{"y":1,"x":2}]';
    const first = await post(`{"kind":"dagi","start":false,"columns":${columns},"rows":${rows}}`);
    shown(first, 201);
    for (const same of [
      `{ "kind" : "dagi",\n\t"start":false , "columns": {"y":"y", "x" : "x"},
        "rows": [ {"n":"\u00f8", "y":5.69e1, "x":11.50} , {"x":2,"y":1} ] }`,
      `{"rows":${rows},"columns":${columns},"start":false,"kind":"d\u0061gi"}`,
    ]) {
      const again = await post(same);
      expect([again.statusCode, again.body]).toEqual([201, first.body]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    for (const other of [
      '[{"x":11.5,"y":56.9,"n":"ø"},{"y":2,"x":1}]',
      '[{"x":11.5,"y":56.9,"n":"ø"},{"y":1,"x":2,"n":null}]',
      '[{"x":"11.5","y":56.9,"n":"ø"},{"y":1,"x":2}]',
      '[{"y":1,"x":2},{"x":11.5,"y":56.9,"n":"ø"}]',
      '[]',
    ]) {
      const body = `{"kind":"dagi","start":false,"columns":${columns},"rows":${other}}`;
      expectError(await post(body), 'conflict');
    }
    const { id } = await caller.draft();
    const send = (type: string, text: string, key: string) =>
      caller.send(id, type, text, { 'idempotency-key': key });
    const lines = 'application/x-ndjson';
    shown(await send(lines, '{"x":1,"y":2}\n', 'lines'));
    shown(await send(lines, ' { "y": 2.0, "x": 1 }\n\n', 'lines'));
    expectError(await send(lines, '{"x":1,"y":3}\n', 'lines'), 'conflict');
    shown(await send('text/csv', 'x;y\n1;2\n', 'csv'));
    shown(await send('text/csv', 'x;y\n1;2\n', 'csv'));
    expectError(await send('text/csv', 'x;y\r\n1;2\n', 'csv'), 'conflict');
    expect((await caller.job(id)).totalRows).toBe(2);
  });

  test('is its account\u2019s own, and forgotten after a day and after a refusal', async () => {
    const once = { 'idempotency-key': 'k' };
    const body = { kind: 'dagi', start: false };
    const first = shown(await caller.post('/v1/jobs', body, once), 201);
    const other = await edge.caller();
    expect(shown(await other.post('/v1/jobs', body, once), 201).id).not.toBe(first.id);
    edge.bench.clock.turn(JOB_LIMITS.idempotencyMs + 1);
    expect(shown(await caller.post('/v1/jobs', body, once), 201).id).not.toBe(first.id);
    const refused = { 'idempotency-key': 'r' };
    const unfit = { kind: 'dagi', rows: [{ lon: 1 }] };
    expectError(await caller.post('/v1/jobs', unfit, refused), 'invalid_request');
    shown(await caller.post('/v1/jobs', body, refused), 201);
  });

  test('lets one of many calls at once do it', async () => {
    const { id } = await caller.draft();
    const calls = Array.from({ length: 12 }, () =>
      caller.send(id, 'text/csv', 'x;y\n1;2\n3;4\n', { 'idempotency-key': 'all at once' }),
    );
    const bodies = new Set((await Promise.all(calls)).map(({ body }) => body));
    expect(bodies.size).toBe(1);
    expect((await caller.job(id)).totalRows).toBe(2);
  });

  test.each(['', 'x'.repeat(256)])('of %j is refused', async (key) => {
    const body = { kind: 'dagi', start: false };
    const headers = { 'idempotency-key': key };
    expectError(await caller.post('/v1/jobs', body, headers), 'invalid_request');
  });
});

describe('the limits of an account', () => {
  test('are told with what to do: open jobs, rows that wait', async () => {
    const own = await edge.caller();
    const { openPerAccount } = JOB_LIMITS;
    const { id } = await own.draft();
    for (let open = 1; open < openPerAccount; open++) await own.draft();
    const body = { kind: 'dagi', start: false };
    const full = expectError(await own.post('/v1/jobs', body), 'conflict');
    expect(full).toMatchObject({ code: 'job_open_limit' });
    expect(full['error']).toContain(`at most ${openPerAccount} jobs that have not ended`);
    await own.ask({ method: 'DELETE', url: `/v1/jobs/${id}` });
    const next = shown(await own.post('/v1/jobs', body), 201);
    await set(next.id, 'total_rows', JOB_LIMITS.backlogRows);
    const last = await listed(own, '?limit=2');
    const other = last.find((job) => job.id !== next.id)?.id ?? '';
    const refused = expectError(await own.send(other, 'text/csv', 'x;y\n1;2'), 'conflict');
    expect(refused['code']).toBe('job_backlog_full');
    await set(next.id, 'total_rows', 0);
    await set(next.id, 'input_bytes', JOB_LIMITS.bytesPerAccount + 1);
    const heavy = expectError(await own.send(other, 'text/csv', 'x;y\n1;2'), 'conflict');
    expect(heavy['code']).toBe('job_storage_full');
    await set(next.id, 'input_bytes', JOB_LIMITS.bytesInAll + 1);
    const elsewhere = await caller.post('/v1/jobs', body);
    expect(expectError(elsewhere, 'overloaded')['code']).toBe('job_disk_full');
    await set(next.id, 'input_bytes', 0);
  });

  test('end a job at a million rows, not before', async () => {
    const { id } = await caller.draft();
    await set(id, 'total_rows', JOB_LIMITS.rowsPerJob - 1);
    const two = await caller.send(id, 'text/csv', 'x;y\n1;2\n3;4\n');
    expect(expectError(two, 'invalid_request')['error']).toBe(
      'A job may have at most 1000000 rows.',
    );
    expect(shown(await caller.send(id, 'text/csv', 'x;y\n1;2\n')).totalRows).toBe(1_000_000);
  });
});
