/**
 * What spreadsheets make of the files of a job, and the service of theirs: opened and written by
 * LibreOffice with Danish locale. By night: each opening takes seconds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { samplePoint } from '../../sample/points.ts';
import { WORKBOOK_TYPE } from '../../src/http/v1/jobs/file-schema.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import { LibreOffice, findSoffice } from '../support/libreoffice.ts';
import type { OpenedCell, OpenedSheet } from '../support/libreoffice.ts';
import { ownFolder } from '../support/opened.ts';
import { isHeavy } from '../support/run-settings.ts';
import { finish, finishedJob, openJobBench } from './job-bench.ts';
import type { JobBench, Owner, ResultLine } from './job-bench.ts';

const soffice = isHeavy ? findSoffice() : null;
const { utm32 } = samplePoint('beach-cut');
const COLUMNS = ['kode', 'dato', 'tal', 'ja', 'note', 'øst', 'nord'];
const ROLES = { x: 'øst', y: 'nord' };
const NOTES = [
  ...['=1+1', '-2+3', '@SUM(A1)', '+45 12', 'a;=1+1', 'a,=1+1', '100,-', 'Ærø\nø', '<b>&"'],
  ...[' mellemrum ', '＝1+1', '-7,5', '1e5', '007', 'SAND', '31-01-2026', '\u202eabc', "'5"],
];
const TOTAL = 200;
const isBad = (n: number) => n % 7 === 6;
const xOf = (n: number) => Math.floor(utm32.xUtm32) + n + 0.25;
const yOf = (n: number) => Math.floor(utm32.yUtm32) + (n % 10) / 8;
const ROWS = Array.from({ length: TOTAL }, (_, n): Row => [
  '0093',
  n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00',
  n - 7.5,
  n % 3 === 0,
  NOTES[n % NOTES.length],
  isBad(n) ? 'ikke et tal' : xOf(n),
  yOf(n),
]);
/** How LibreOffice reads our CSV where the language is Danish: `;`, UTF-8, numbers and days found. */
const AS_DANISH = 'Text - txt - csv (StarCalc):59,34,76,1,,1030,false,true';
const asCsv = (charset: number) =>
  `csv:Text - txt - csv (StarCalc):59,34,${charset},1,,1030,false,true`;

describe.skipIf(soffice === null)('LibreOffice', () => {
  const directory = ownFolder('office');
  let office: LibreOffice;
  let bench: JobBench;
  let owner: Owner;
  let edge: FastifyInstance;
  let id: string;

  beforeAll(async () => {
    office = new LibreOffice(soffice ?? '', directory);
    bench = await openJobBench();
    ({ owner, edge, id } = await finishedJob(bench, {
      ...{ columns: ROLES, inputColumns: COLUMNS, rows: ROWS, chunkRows: 70 },
    }));
  });
  afterAll(() => bench.close());

  const ask = (
    method: 'GET' | 'POST',
    path: string,
    payload?: Buffer | object,
    type = 'application/json',
  ) =>
    edge.inject({
      ...{ method, url: `/v1/jobs${path}` },
      headers: {
        authorization: `Bearer ${owner.accountId}`,
        ...(payload !== undefined && { 'content-type': type }),
      },
      ...(payload !== undefined && { payload }),
    });

  async function linesOf(job: string): Promise<readonly ResultLine[]> {
    const { body } = await ask('GET', `/${job}/results?format=ndjson`);
    return body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
  }

  async function opened(
    query: string,
    name: string,
    from?: string,
  ): Promise<readonly OpenedSheet[]> {
    const response = await ask('GET', `/${id}/${query}`);
    expect(response.statusCode).toBe(200);
    const file = join(directory, name);
    writeFileSync(file, response.rawPayload);
    const sheets = await office.open(file, from);
    for (const { rows } of sheets)
      for (const cell of rows.flat()) expect(cell.formula, cell.value).toBeNull();
    return sheets;
  }

  function compare([head = [], ...rows]: OpenedSheet['rows'], lines: readonly ResultLine[]) {
    const names = head.map(({ value }) => value);
    expect(names.slice(0, COLUMNS.length)).toEqual(COLUMNS);
    const at = (row: readonly OpenedCell[], name: string) => row[names.indexOf(name)];
    expect(rows.map((row) => Number(at(row, 'raekke')?.value))).toEqual(
      lines.map(({ raekke }) => raekke),
    );
    return rows.map((row, i) => ({ row, n: lines[i]!.raekke - 1, line: lines[i]!, at }));
  }

  const cell = (type: OpenedCell['type'], value: string | number | boolean): OpenedCell => ({
    ...{ type, value: String(value), formula: null },
  });

  test('opens a workbook with every cell as the API answers it', async () => {
    const sheets = await opened('results?format=xlsx', 'svar.xlsx');
    expect(sheets.map(({ name }) => name)).toEqual(['Svar', 'Fejl', 'Om']);
    for (const { row, n, line, at } of compare(sheets[0]!.rows, await linesOf(id))) {
      expect(row.slice(0, 7)).toEqual([
        cell('string', '0093'),
        cell('date', n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00'),
        cell('float', n - 7.5),
        cell('boolean', n % 3 === 0),
        cell('string', NOTES[n % NOTES.length]!),
        cell('float', xOf(n)),
        cell('float', yOf(n)),
      ]);
      const { punkt, omraader } = line.svar as {
        punkt: { lon: number; lat: number };
        omraader: { tema: string; kode: string; navn: string }[];
      };
      expect(at(row, 'punkt_lon')).toEqual(cell('float', punkt.lon));
      const town = omraader.find(({ tema }) => tema === 'kommune');
      if (town === undefined) continue;
      expect(at(row, 'kommune_kode')).toEqual(cell('string', town.kode));
      expect(at(row, 'kommune_navn')).toEqual(cell('string', town.navn));
    }
    expect(sheets[1]!.rows).toHaveLength(1 + ROWS.filter((_, n) => isBad(n)).length);
  });

  test('opens the Danish CSV with its numbers and days, in the order the rows came', async () => {
    const lines = await linesOf(id);
    const [sheet] = await opened('results?dialekt=da', 'dansk.csv', AS_DANISH);
    for (const { row, n, line, at } of compare(sheet!.rows, lines)) {
      // A CSV says nothing of types: docs/jobs.md.
      expect(row[0]).toEqual(cell('float', 93));
      expect(row[1]).toEqual(cell('date', n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00'));
      expect(row[2]).toEqual(cell('float', n - 7.5));
      expect(row.slice(5, 7)).toEqual([cell('float', xOf(n)), cell('float', yOf(n))]);
      const { punkt } = line.svar as { punkt: { lon: number } };
      expect(at(row, 'punkt_lon')).toEqual(cell('float', punkt.lon));
      if (NOTES[n % NOTES.length] === 'Ærø\nø') expect(row[4]).toEqual(cell('string', 'Ærø\nø'));
    }
    const [all] = await opened('results?raekker=alle&dialekt=da', 'alle.csv', AS_DANISH);
    const [head = [], ...rows] = all!.rows;
    const row = head.findIndex(({ value }) => value === 'raekke');
    expect(rows.map((cells) => Number(cells[row]?.value))).toEqual(ROWS.map((_, n) => n + 1));
    expect(rows.map((cells) => Number(cells[row + 1]?.value))).toEqual(
      ROWS.map((_, n) => (isBad(n) ? 400 : 200)),
    );
  });

  test.each([
    ['a workbook', { to: 'xlsx', type: WORKBOOK_TYPE, mark: '' }],
    ['a CSV in Windows-1252', { to: asCsv(1), type: 'text/csv', mark: '' }],
    ['a CSV in UTF-8 with a mark', { to: asCsv(76), type: 'text/csv', mark: '\ufeff' }],
    ['a CSV in UTF-16', { to: asCsv(65_535), type: 'text/csv', mark: '' }],
  ] as const)('writes what is taken back and answered: %s', async (_, { to, type, mark }) => {
    const sheet = join(directory, 'ark.fods');
    writeFileSync(sheet, flatSheet());
    const written = Buffer.concat([Buffer.from(mark), await office.convert(sheet, { to })]);
    const made = await ask('POST', '', { kind: 'dagi', srid: 25832, columns: ROLES, start: false });
    const job = made.json<{ job: { id: string } }>().job.id;
    const sent = await ask('POST', `/${job}/rows`, written, type);
    expect(sent.statusCode, sent.body).toBe(200);
    expect((await ask('POST', `/${job}/start`)).statusCode).toBe(200);
    expect(await finish(bench, job)).toMatchObject({ status: 'completed' });
    const lines = await linesOf(job);
    expect(lines).toHaveLength(GIVEN.length);
    for (const [i, { input, svar }] of lines.entries()) {
      const [kode, navn, x, y] = GIVEN[i]!;
      expect(input['kode']).toBe(kode);
      expect(input['navn']).toBe(navn);
      expect(Number(String(input['øst']).replace(',', '.'))).toBe(x);
      expect(Number(String(input['nord']).replace(',', '.'))).toBe(y);
      const asked = await edge.inject({
        url: `/v1/dagi/reverse?x=${x}&y=${y}&srid=25832`,
        headers: { authorization: `Bearer ${owner.accountId}` },
      });
      expect((svar as { omraader: unknown }).omraader).toEqual(
        asked.json<{ omraader: unknown }>().omraader,
      );
    }
  });
});

const NAMES = ['Ærøvej 5, 2. tv', 'Bro "gård"; øst', 'Åløkken', ' 12', 'é ü €'];
const GIVEN = Array.from(
  { length: 40 },
  (_, n) => [String(n * 31).padStart(4, '0'), NAMES[n % NAMES.length]!, xOf(n), yOf(n)] as const,
);

/** A sheet as somebody made it in LibreOffice: codes as texts, coordinates as numbers. */
function flatSheet(): string {
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/^ /, '<text:s/>');
  const text = (said: string) =>
    `<table:table-cell office:value-type="string"><text:p>${escaped(said)}</text:p></table:table-cell>`;
  const number = (value: number) =>
    `<table:table-cell office:value-type="float" office:value="${value}"/>`;
  const row = (cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
  const rows = [
    row(['kode', 'navn', 'øst', 'nord'].map(text)),
    ...GIVEN.map(([kode, navn, x, y]) => row([text(kode), text(navn), number(x), number(y)])),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"
  office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>
<table:table table:name="Ark1">${rows.join('')}</table:table>
</office:spreadsheet></office:body></office:document>`;
}
