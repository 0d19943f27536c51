/** One request and its answer for the operations that make and fill jobs. A test asks for each. */
import type { Example } from '../../plugins/examples.ts';

/** What a job is called, and when things happened, is another each time. */
export const EXAMPLE_ID = 'job_7m2qxk4vd3hbn5zcw6ta';
const AT = '2026-11-21T12:00:00.000Z';

const ROWS = [
  { sag: 'A-1', øst: '647650,5', nord: 6314000 },
  { sag: 'A-2', øst: '647660,25', nord: 6314010 },
];

const JOB = {
  id: EXAMPLE_ID,
  kind: 'dagi',
  status: 'queued',
  label: 'Sager i november',
  totalRows: 2,
  processedRows: 0,
  succeeded: 0,
  failed: 0,
  billedUnits: 0,
  progress: 0,
  columns: { x: 'øst', y: 'nord' },
  srid: 25832,
  inputColumns: ['sag', 'øst', 'nord'],
  error: null,
  createdAt: AT,
  updatedAt: AT,
  startedAt: null,
  completedAt: null,
  resultsAvailable: true,
};

/** By operation. */
export function jobExamples(): Readonly<Record<string, Example>> {
  const one = { request: `GET /v1/jobs/${EXAMPLE_ID}`, value: { job: JOB } };
  return {
    createJob: {
      request: 'POST /v1/jobs',
      body: {
        kind: 'dagi',
        rows: ROWS,
        columns: { x: 'øst', y: 'nord' },
        srid: 25832,
        label: 'Sager i november',
      },
      value: { job: JOB },
    },
    appendJobRows: {
      request: `POST /v1/jobs/${EXAMPLE_ID}/rows`,
      body: { rows: ROWS },
      texts: {
        'text/csv': 'sag;øst;nord\r\nA-1;647650,5;6314000\r\nA-2;647660,25;6314010\r\n',
        'application/x-ndjson': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
      },
      value: { job: { ...JOB, status: 'draft' } },
    },
    startJob: { request: `POST /v1/jobs/${EXAMPLE_ID}/start`, body: null, value: { job: JOB } },
    job: one,
    jobs: { request: 'GET /v1/jobs', value: { jobs: [JOB] } },
  };
}
