/** The steps of the guides of docs/, as edits of files: test/unit/guide-steps.test.ts performs them on a copy. */
import { BRIDGES, SAMPLE_BRIDGES } from './bridges.ts';

/** Puts text after the only place where `after` stands; empty: at the end of the file. */
export interface Edit {
  readonly after: string;
  readonly put: string;
}

export interface Step {
  /** From the root, as the guide names it, with `<key>` and `NNNN` to be replaced. */
  readonly path: string;
  /** A command is named by the guide. */
  readonly by: 'hand' | 'command';
  readonly edits: readonly Edit[];
  /** New files by their path in the copy: one, or all of a new folder. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Guide {
  readonly page: string;
  /** The heading above its steps. */
  readonly heading: string;
  readonly steps: readonly Step[];
}

function edit(path: string, ...pairs: readonly (readonly [after: string, put: string])[]): Step {
  return { path, by: 'hand', edits: pairs.map(([after, put]) => ({ after, put })), files: {} };
}

function create(path: string, file: string, text: string): Step {
  return { path, by: 'hand', edits: [], files: { [file]: text } };
}

/** `pairs`: what the command would write, where the copy needs it and the test does not run the command. */
function written(path: string, ...pairs: Parameters<typeof edit>[1][]): Step {
  return { ...edit(path, ...pairs), by: 'command' };
}

const SCHEMA = written('sql/schema.sql');
const OPERATIONS = written('src/web/konto/operations.json');
const DECIDED = 'test/contract/decisions.md';

function decide(text: string): Step {
  return edit(DECIDED, ['', `\nOf the guides: ${text}\n`]);
}

const REGISTER: Guide = {
  page: 'docs/adding-a-register.md',
  heading: 'The steps',
  steps: [
    { path: 'src/registers/<name>/', by: 'hand', edits: [], files: BRIDGES },
    create(
      'sample/registers/<name>/register.ts',
      'sample/registers/bridges/register.ts',
      SAMPLE_BRIDGES,
    ),
    edit(
      'src/layers/keys.ts',
      ["export const COMPANIES = 'cvr' as const;", "\nexport const BRIDGES = 'broer' as const;"],
      ['  COMPANIES,\n  PLACE_NAMES,', '\n  BRIDGES,'],
    ),
    edit(
      'src/registers.ts',
      [
        "import type { Register } from './core/register.ts';",
        "\nimport { bridges } from './registers/bridges/register.ts';",
      ],
      ['  ...[property, terrain, companies, places', ', bridges'],
    ),
    create(
      'sql/migrations/NNNN_<name>.sql',
      'sql/migrations/9001_bridges.sql',
      `-- expand
create table bridge (
  id bigint primary key,
  name text,
  registered_from timestamptz not null,
  valid_from timestamptz not null
);
create table bridge_source (like address_source including all);
create table bridge_history (
  layer text not null default 'broer' check (layer = 'broer'),
  version bigint not null,
  entity text not null,
  id text not null,
  was text,
  primary key (layer, version, entity, id),
  foreign key (layer, version) references layer_history on delete cascade
);
`,
    ),
    decide('bridges, `GET /v1/broer/:id`'),
    SCHEMA,
    OPERATIONS,
    written('docs/backup.md'),
  ],
};

const LINE_LAYER: Guide = {
  page: 'docs/adding-a-layer.md',
  heading: 'A building line',
  steps: [
    edit(
      'src/layers/keys.ts',
      ["  'vandloeb',", "\n  'mose',"],
      ["  vandloeb: 'Beskyttet vandløb (§ 3)',", "\n  mose: 'Mosebyggelinje',"],
    ),
    edit('src/layers/line-colours.ts', ["  vandloeb: '#00838f',", "\n  mose: '#795548',"]),
    edit('src/registers/lines/mirror.ts', [
      "  vandloeb: { ...onPortal('bes_vandloeb', '3', 5_000), geometry: 'line' },",
      "\n  mose: onPortal('mose_bes_linjer', '99', 200),",
    ]),
    create(
      'sql/migrations/NNNN_<key>.sql',
      'sql/migrations/9002_mose.sql',
      `-- expand
create table line_feature_mose partition of line_feature for values in ('mose');
create table line_zone_mose partition of line_zone for values in ('mose');
create table line_zone_edge_mose partition of line_zone_edge for values in ('mose');
alter table line_feature_mose alter column geom set storage external;
alter table line_zone_edge_mose alter column geom set storage external;
`,
    ),
    edit('sample/data/schemas.ts', ['  vandloeb: { minRows: 50 },', '\n  mose: { minRows: 1 },']),
    create(
      'sample/data/lines/<key>.csv',
      'sample/data/lines/mose.csv',
      `Objekt_id;Temakode:int=2099;Temanavn=Mosebyggelinjer;Systid_fra:dateTime;Systid_til:dateTime=;Statuskode:int;Off_kode:int;shape
6d6f7365-0000-4000-8000-000000000001;2020-05-06T07:08:09.000;3;1;round 652000 6318000 50 32
`,
    ),
    edit(
      DECIDED,
      ['fortidsminde, dige, natur, vandloeb', ', mose'],
      ['Beskyttet natur (§ 3), Beskyttet vandløb (§ 3)', ', Mosebyggelinje'],
      ['Museumsloven § 29 a; Naturbeskyttelsesloven § 3, § 3', ', § 99'],
    ),
    SCHEMA,
    written('test/unit/sample-island.test.ts'),
    written('src/registers/lines/examples.json'),
    written('src/http/v1/examples.json'),
  ],
};

const PROPERTY_FIELD: Guide = {
  page: 'docs/adding.md',
  heading: 'A field of a property',
  steps: [
    edit(
      'src/registers/property/record-fields.ts',
      [
        "  asbest: field('code', 'asbestos', 'byg036', { example: '2' }),",
        `
  materialekilde: field('text', 'material_source', 'byg037', {
    example: '1',
    description: { en: 'Who told of the materials.', da: 'Hvem der har oplyst materialerne.' },
  }),`,
      ],
      [
        "    asbest: labels.field('AsbestholdigtMateriale', row.asbestos),",
        '\n    materialekilde: row.materialSource,',
      ],
    ),
    create(
      'sql/migrations/NNNN_<field>.sql',
      'sql/migrations/9003_material_source.sql',
      `-- expand
alter table bbr_building add column material_source text;
alter table bbr_building_former add column material_source text;
update bbr_source set next_change_at = now() where entity = 'Bygning';
`,
    ),
    edit('test/support/property-judge.ts', [
      "      'asbest', ${code('AsbestholdigtMateriale', 'o.byg036')},",
      "\n      'materialekilde', o.byg037,",
    ]),
    decide('`materialekilde` of a building'),
    SCHEMA,
    written('src/registers/property/examples.json'),
  ],
};

const ENDPOINT: Guide = {
  page: 'docs/adding.md',
  heading: 'An endpoint',
  steps: [
    edit('src/registers/companies/questions.ts', [
      'export const COMPANY_QUESTIONS = [',
      `
  question({
    key: 'virksomhedsnavne',
    called: { da: 'Virksomhedens navne', en: 'Names of a company' },
    summary: 'The names of a company',
    tag: 'cvr',
    danish: { 'The names of a company': 'Navnene på en virksomhed' },
    params: { cvr: NUMBER },
    answer: Type.Array(Type.String()),
    failures: [400, 404, 502],
    path: '/v1/cvr/:cvr/navne',
    area: 'cvr',
    ask: async (companies: Companies, { cvr }) => {
      const value = await companies.find(cvr);
      return { value, facts: value, units: 1 };
    },
    json: ({ company: { name, otherNames } }) =>
      JSON.stringify([...(name === null ? [] : [name]), ...otherNames]),
  }),`,
    ]),
    decide('the names of a company, `GET /v1/cvr/:cvr/navne`'),
    OPERATIONS,
    written('src/registers/companies/examples.json', [
      '{\n  "virksomhed',
      `snavne": { "request": "GET /v1/cvr/99000007/navne", "value": ["Prøveholm 1 ApS"] },
  "virksomhed`,
    ]),
  ],
};

const ERROR_CODE: Guide = {
  page: 'docs/adding.md',
  heading: 'An error code',
  steps: [
    edit('src/kernel/failures.ts', ["'job_role_missing', 'job_empty'", ", 'cvr_malformed'"]),
    edit('src/registers/companies/lookup.ts', [
      "  return new Failure('invalid_request', {",
      "\n    code: 'cvr_malformed',",
    ]),
    decide('the code `cvr_malformed`'),
    written('src/http/v1/examples.json'),
  ],
};

const JOB_KIND: Guide = {
  page: 'docs/adding.md',
  heading: 'A kind of job',
  steps: [
    edit('src/registers/areas/job.ts', [
      '  memory: { module: import.meta.url, open },\n};\n',
      `
/** The municipality alone. */
export const kommuner: typeof dagi = {
  ...dagi,
  name: 'kommuner',
  terms: {
    roles: POINT_ROLES,
    called: { da: 'kommuner', en: 'municipalities' },
    words: { da: 'Kommuner', en: 'Municipalities' },
  },
  rows: (meta) => ({
    ...dagiRows(meta),
    columns: ['kommunekode'],
    types: {},
    writeCsv: (out, { areas }) => out.text(sharedCells(areas, 'kommune').split(',')[1] ?? ''),
  }),
};
`,
    ]),
    edit('test/jobs/every-cell.ts', [
      "  { kind: 'dagi', ...pointsOf('/v1/dagi/reverse'), cells: areaCells },",
      `
  {
    kind: 'kommuner',
    ...pointsOf('/v1/dagi/reverse'),
    cells: (body) => ({ kommunekode: areaCells(body)['kommune_kode'] ?? '' }),
  },`,
    ]),
    decide('the kind of job `kommuner`'),
    written('docs/jobs.md'),
    written('src/core/rows/job-kinds.generated.json'),
    OPERATIONS,
  ],
};

export const ADDED_CONDITION = 'forhold_biosfaere';

const CONDITION: Guide = {
  page: 'docs/adding.md',
  heading: 'A condition',
  steps: [
    edit('src/layers/conditions/nature.ts', [
      'export const NATURE: readonly Condition[] = [\n',
      `  {
    ...COMMON,
    key: 'biosfaere',
    name: 'Biosfæreområde',
    provision: 'Opdigtet § 1',
    source: portal('biosfaere_omr'),
    minRows: 1,
    fields: [text('navn', 'Objektnavn')],
    absenceText: 'Uden for biosfæreområder.',
  },
`,
    ]),
    written('test/unit/sample-island.test.ts'),
    written('src/http/v1/examples.json'),
  ],
};

const SETTING: Guide = {
  page: 'docs/adding.md',
  heading: 'A setting',
  steps: [
    edit('src/settings.ts', [
      "  heading: 'Start',\n  roles: PROGRAMS,\n  rows: {",
      "\n    showsTrial: row('SHOW_TRIAL', on)('whether the start says what to try'),",
    ]),
    edit('src/start/main.ts', ['  endProgress();\n', '  if (config.showsTrial)\n  ']),
    written('docs/settings.md'),
    written('docker-compose.yml'),
  ],
};

export const GUIDES: readonly Guide[] = [
  ...[REGISTER, LINE_LAYER, PROPERTY_FIELD],
  ...[ENDPOINT, ERROR_CODE, JOB_KIND, CONDITION, SETTING],
];
