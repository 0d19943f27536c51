import type { Example } from '../../../core/document.ts';

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
  completedAt: null as string | null,
  resultsAvailable: true,
};

export function jobExamples(): Readonly<Record<string, Example>> {
  const path = `/v1/jobs/${EXAMPLE_ID}`;
  const action = (name: string, change: Partial<typeof JOB>): Example => ({
    request: `POST ${path}/${name}`,
    body: null,
    value: { job: { ...JOB, ...change } },
  });
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
    startJob: action('start', {}),
    pauseJob: action('pause', { status: 'paused' }),
    resumeJob: action('resume', {}),
    cancelJob: action('cancel', { status: 'cancelled', completedAt: AT }),
    deleteJob: { request: `DELETE ${path}` },
    job: { request: `GET ${path}`, value: { job: JOB } },
    jobs: { request: 'GET /v1/jobs?limit=20&status=queued', value: { jobs: [JOB] } },
    ...fileExamples(path),
  };
}

const RESULTS = [
  'sag,øst,nord,raekke,punkt_lon,punkt_lat,epsg25832_x,epsg25832_y,antal,region_kode,region_navn,' +
    'kommune_kode,kommune_navn,sogn_kode,sogn_navn,retskreds_kode,retskreds_navn,politikreds_kode,' +
    'politikreds_navn,opstillingskreds_kode,opstillingskreds_navn',
  'A-1,"647650,5",6314000,1,11.42732727,56.94602729,647650.5,6314000,6,1091,' +
    'Region Prøvevest (opdigtet),0091,Prøveholm Kommune (opdigtet),9908,Delesogn (opdigtet),1192,' +
    'Retten på Prøveholm (opdigtet),1492,Kyst- og Øpolitiet (opdigtet),0003,' +
    'Prøveholmkredsen (opdigtet)',
  'A-2,"647660,25",6314010,2,11.42749322,56.94611393,647660.25,6314010,6,1091,' +
    'Region Prøvevest (opdigtet),0092,Ringkilde Kommune (opdigtet),9902,' +
    'Nørre Kilde Sogn (opdigtet),1191,Retten i Midtby (opdigtet),1491,' +
    'Midt- og Nordprøve Politi (opdigtet),0001,Midtbykredsen (opdigtet)',
  '',
].join('\r\n');

function fileExamples(path: string): Readonly<Record<string, Example>> {
  const done = { ...JOB, status: 'completed', processedRows: 2, succeeded: 2, progress: 1 };
  const data = JSON.stringify({ job: done, rowsPerSecond: null, estimatedCompletionAt: null });
  return {
    jobResults: { request: `GET ${path}/results?format=csv`, answers: { 'text/csv': RESULTS } },
    jobErrors: {
      request: `GET ${path}/errors?format=csv`,
      answers: { 'text/csv': 'sag,øst,nord,raekke,error,status\r\n' },
    },
    jobEvents: {
      request: `GET ${path}/events`,
      answers: {
        'text/event-stream': `event: progress\ndata: ${data}\n\nevent: end\ndata: ${data}\n\n`,
      },
    },
  };
}
