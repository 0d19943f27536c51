// One table is the architecture: which area may import which, and which package belongs where.
// `npm run check:imports` holds the tree against it.

/** Area -> areas it may import (beside itself), from the ground up: arrows only go down. */
const mayImport = {
  'src/kernel': [],
  'src/threads/limits': ['src/kernel'],
  'src/threads': ['src/kernel', 'src/threads/limits'],
  'src/bytes': ['src/kernel'],
  'src/geo': ['src/kernel'],
  'src/layers': ['src/kernel', 'src/geo'],
  'src/answers': ['src/kernel', 'src/geo', 'src/layers'],
  'src/snapshot': ['src/kernel', 'src/geo', 'src/layers'],
  'src/snapshot-store': ['src/kernel', 'src/snapshot'],
  'src/names': ['src/kernel', 'src/geo', 'src/snapshot'],
  'src/wfs': ['src/kernel', 'src/bytes', 'src/geo', 'src/layers'],
  'src/downloads': ['src/kernel', 'src/bytes', 'src/geo', 'src/layers', 'src/wfs'],
  'src/db': ['src/kernel'],
  'src/mirror': [
    'src/kernel',
    'src/threads',
    'src/geo',
    'src/layers',
    'src/snapshot',
    'src/snapshot-store',
    'src/answers',
    'src/wfs',
    'src/db',
    'src/memory',
    'src/http/plain-lookup',
    'src/jobs/kinds',
    'workers/pool',
  ],
  // A register states its routes as well, and what the sample holds of it.
  'src/registers': [
    'src/kernel',
    'src/bytes',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/snapshot',
    'src/names',
    'src/wfs',
    'src/downloads',
    'src/db',
    'src/mirror',
    'src/memory',
    'src/http/access',
    'src/http/plain-lookup',
    'src/http/wire',
    'src/jobs/chunk-types',
    'src/jobs/data',
    'src/jobs/files/cells',
    'src/jobs/kinds',
    'src/jobs/row-errors',
    'workers',
    'sample/data',
  ],
  'src/memory': [
    'src/kernel',
    'src/threads',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/snapshot',
    'src/snapshot-store',
    'src/db',
    'src/mirror',
    'src/registers',
  ],
  'src/ops': ['src/kernel', 'src/layers', 'src/db'],
  'src/account': ['src/kernel', 'src/db'],
  'src/metering': ['src/kernel', 'src/db', 'src/account'],
  'src/webhooks': ['src/kernel', 'src/db', 'src/account'],
  'src/jobs': [
    'src/kernel',
    'src/bytes',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/snapshot',
    'src/db',
    'src/memory',
    'src/account',
    'src/metering',
  ],
  'src/http': [
    'src/kernel',
    'src/threads',
    'src/bytes',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/mirror',
    'src/memory',
    'src/ops',
    'src/account',
    'src/metering',
    'src/webhooks',
    'src/jobs',
  ],
  'src/http/dawa': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/names',
    'src/mirror/register',
    'src/account',
    'src/http',
    'src/registers',
  ],
  // Runs in browsers: what the pages share, and what stands on nothing else: arithmetic, names, how rows are
  // read from a file.
  'src/web': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/jobs/column-words',
    'src/jobs/for-pages',
    'src/jobs/intake/for-pages',
    'src/jobs/row-errors',
    'src/jobs/workbook/for-pages',
  ],
  'src/cli': [
    'src/kernel',
    'src/bytes',
    'src/db',
    'src/account',
    'src/metering',
    'src/webhooks',
    'src/jobs',
  ],
  workers: [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/snapshot',
    'src/wfs',
    'src/downloads',
    'src/registers',
    'src/memory',
    'src/jobs',
  ],
  sync: [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/snapshot',
    'src/wfs',
    'src/downloads',
    'src/db',
    'src/mirror',
    'src/registers',
    'src/ops',
    'workers',
    'sample',
  ],
  // Listed buildings and a fault of the terrain have servers of their own here.
  sample: [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/mirror',
    'src/registers/property/sample',
    'src/registers/terrain/sample',
  ],
};

/** Package -> the only places that may import it. */
const only = {
  '^node_modules/ol/': '^(src/wfs|src/downloads|src/web|bench|test)/',
  '^node_modules/esbuild/': '^src/http/pages/bundle',
  '^node_modules/geotiff/': '^src/registers/terrain/',
  '^node_modules/yauzl/': '^(src/(downloads|jobs/workbook)|test)/',
  '^node_modules/yazl/': '^(src/jobs/files/workbook|bench/harness/table-files|test/)',
  '^node_modules/saxes/': '^src/(jobs/workbook|snapshot-store)/|^test/',
  '^node_modules/aws4fetch/': '^src/snapshot-store/',
  '^node_modules/hucre/': '^(test|bench)/',
  '^node_modules/slimdom/': '^(src/wfs|sample|bench|test)/',
  '^node_modules/piscina/': '^workers/pool',
  '^node_modules/jsts/': '^(src/geo/(dissolve|jts|repair)|test/)',
  '^node_modules/node-cron/': '^sync/schedule',
  '^node_modules/flatbuffers/': '^src/snapshot/',
  '^node_modules/@maplibre/': '^src/snapshot/tiles/|^test/',
  '^node_modules/lru-cache/': '^src/kernel/cache',
  '^node_modules/pino(-pretty)?/': '^src/kernel/logger|^test/',
  '^node_modules/@opentelemetry/': '^src/http/plugins/tracing|^test/',
  '^node_modules/fastify/': '^src/(start|http)/|^(test|bench)/',
  '^node_modules/kysely/':
    '^src/db/|store[^/]*\\.ts$|^src/mirror/published|^src/(registers|ops|account|metering|webhooks|jobs)/|^sync/|^(test|bench)/',
  '^node_modules/pg/': '^src/db/|^test/|^bench/',
  '^node_modules/@electric-sql/': '^src/db/|^test/support/',
};

/** @param {string} path */
const escape = (path) => path.replace(/[/]/g, '\\/');

/** Rooms inside an area that have a line of their own. @param {string} area */
const roomsIn = (area) =>
  Object.keys(mayImport)
    .filter((room) => room.startsWith(`${area}/`))
    .map((room) => `^${escape(room)}/`);

const areas = Object.entries(mayImport).map(([area, targets]) => ({
  name: `${area.replace('/', '-')}-imports`,
  severity: 'error',
  comment: `${area} may import ${targets.join(', ') || 'nothing of ours'}.`,
  from: { path: `^${escape(area)}/`, pathNot: roomsIn(area) },
  to: {
    path: '^(src|sync|workers|sample|bench|test)/',
    // Who may read the configuration is a rule of its own, below.
    pathNot: [area, ...targets, 'src/config', 'src/registers.ts'].map(
      (target) => `^${escape(target)}(/|\\.ts$|$)`,
    ),
  },
}));

const packages = Object.entries(only).map(([target, from]) => ({
  name: `only-${target.replace(/\^node_modules|[^a-z0-9]/g, '')}`,
  severity: 'error',
  comment: `${target} has one home.`,
  from: { path: '^(src|sync|workers|sample|bench|test)/', pathNot: from },
  to: { path: target, dependencyTypesNot: ['type-only'] },
}));

// Register -> those that it joins, as its value states. What the sample holds is drawn from one another.
const joins = {
  areas: [],
  lines: [],
  addresses: ['areas'],
  cadastre: ['areas'],
  assessments: [],
  property: ['areas', 'addresses', 'cadastre', 'assessments'],
  terrain: [],
  companies: [],
  places: [],
};

const registers = Object.entries(joins).map(([register, joined]) => ({
  name: `${register}-joins-only-what-it-states`,
  severity: 'error',
  comment: `${register} joins ${joined.join(', ') || 'no other register'}.`,
  from: { path: `^src\\/registers\\/${register}\\/`, pathNot: '\\/sample(\\/|\\.ts$)' },
  to: {
    path: '^src\\/registers\\/',
    pathNot: [register, ...joined].map((name) => `^src\\/registers\\/${name}\\/`),
  },
}));

module.exports = {
  forbidden: [
    ...areas,
    ...packages,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)/|vitest' },
      to: { path: '^test/' },
    },
    {
      name: 'src-never-imports-sync',
      severity: 'error',
      comment: 'Only the entry points know both: what is mirrored, and who answers from it.',
      from: { path: '^src/', pathNot: '^src/start/' },
      to: { path: '^sync/' },
    },
    {
      name: 'list-of-registers-only-from-entry-points',
      severity: 'error',
      comment: 'Whoever walks the registers is handed them: src/registers.ts imports all of them.',
      from: { path: '^src/', pathNot: '^src/(start/|config\\.ts$)' },
      to: { path: '^src/registers\\.ts$' },
    },
    ...registers,
    {
      name: 'config-only-from-entry-points',
      severity: 'error',
      from: {
        path: '^(src|sync|workers|sample)/',
        pathNot: '^src/start/|cli\\.ts$|^src/config|generate\\.ts$',
      },
      to: { path: '^src/config' },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'framework-only-at-the-edge',
      severity: 'error',
      comment: 'Its types too: what is answered does not know how it is sent.',
      from: {
        path: '^(src|sync|workers|sample)/',
        pathNot: '^src/(start/|http/|mirror/register|registers/[^/]+/[a-z-]*routes)',
      },
      to: { path: '^node_modules/fastify/' },
    },
    {
      name: 'traces-only-where-asked-for',
      severity: 'error',
      comment: 'Loaded by an import() once a collector is set: free without one.',
      from: { path: '^src/' },
      to: { path: '^src/http/plugins/tracing', dynamic: false },
    },
    {
      name: 'configuration-knows-no-room',
      severity: 'error',
      from: { path: '^src/config' },
      to: { path: '^src/', pathNot: '^src/((kernel|layers|mirror)/|registers\\.ts$)' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^(src|sync|workers|sample)/', pathNot: 'generate\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
