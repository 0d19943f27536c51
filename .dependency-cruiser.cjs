// One table is the architecture: which area may import which, and which package belongs where.
// `npm run check:imports` holds the tree against it.

/** Area -> areas it may import (beside itself), from the ground up: arrows only go down. */
const mayImport = {
  'src/kernel': [],
  'src/bytes': ['src/kernel'],
  'src/geo': ['src/kernel'],
  'src/layers': ['src/kernel', 'src/geo'],
  'src/answers': ['src/kernel', 'src/geo', 'src/layers'],
  'src/snapshot': ['src/kernel', 'src/geo', 'src/layers'],
  'src/names': ['src/kernel', 'src/geo', 'src/snapshot'],
  'src/addresses': ['src/kernel', 'src/geo', 'src/layers', 'src/snapshot', 'src/names'],
  'src/places': ['src/kernel', 'src/geo', 'src/layers', 'src/snapshot', 'src/names'],
  'src/wfs': ['src/kernel', 'src/bytes', 'src/geo', 'src/layers'],
  'src/downloads': ['src/kernel', 'src/bytes', 'src/geo', 'src/layers', 'src/wfs'],
  'src/db': ['src/kernel'],
  'src/registers': ['src/kernel', 'src/geo', 'src/layers', 'src/snapshot', 'src/wfs', 'src/db'],
  'src/memory': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/snapshot',
    'src/addresses',
    'src/places',
    'src/db',
    'src/registers',
  ],
  'src/lookups': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/names',
    'src/answers',
    'src/snapshot',
    'src/registers',
    'src/memory',
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
    'src/registers',
    'src/memory',
    'src/lookups',
    'src/account',
    'src/metering',
  ],
  'src/http': [
    'src/kernel',
    'src/bytes',
    'src/geo',
    'src/layers',
    'src/answers',
    'src/lookups',
    'src/ops',
    'src/account',
    'src/metering',
    'src/webhooks',
    'src/jobs',
  ],
  // Runs in browsers: what the pages share, and what stands on nothing else: arithmetic, names, how rows are
  // read from a file.
  'src/web': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/jobs/for-pages',
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
    'src/addresses',
    'src/places',
    'src/wfs',
    'src/downloads',
    'src/registers',
    'src/memory',
    'src/lookups',
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
    'src/registers',
    'src/ops',
    'workers',
    'sample',
  ],
  sample: ['src/kernel', 'src/geo', 'src/layers'],
};

/** Package -> the only places that may import it. */
const only = {
  '^node_modules/ol/': '^(src/wfs|src/downloads|src/web|bench|test)/',
  '^node_modules/esbuild/': '^src/http/pages/bundle',
  '^node_modules/geotiff/': '^src/registers/terrain/',
  '^node_modules/yauzl/': '^(src/(downloads|jobs/workbook)|test)/',
  '^node_modules/yazl/': '^(src/jobs/files/workbook|bench/harness/table-files|test/)',
  '^node_modules/saxes/': '^src/jobs/workbook/|^test/',
  '^node_modules/hucre/': '^(test|bench)/',
  '^node_modules/slimdom/': '^(src/wfs|sample|bench|test)/',
  '^node_modules/piscina/': '^workers/pool',
  '^node_modules/jsts/': '^(src/geo/(dissolve|jts|repair)|test/)',
  '^node_modules/node-cron/': '^sync/schedule',
  '^node_modules/flatbuffers/': '^src/snapshot/',
  '^node_modules/@maplibre/': '^src/snapshot/tiles/|^test/',
  '^node_modules/lru-cache/': '^src/kernel/cache',
  '^node_modules/pino(-pretty)?/': '^src/kernel/logger|^test/',
  '^node_modules/fastify/': '^src/(start|http)/|^(test|bench)/',
  '^node_modules/kysely/':
    '^src/db/|store[^/]*\\.ts$|^src/(registers|ops|account|metering|webhooks|jobs)/|^sync/|^(test|bench)/',
  '^node_modules/pg/': '^src/db/|^test/|^bench/',
  '^node_modules/@electric-sql/': '^src/db/|^test/support/',
};

/** @param {string} path */
const escape = (path) => path.replace(/[/]/g, '\\/');

const areas = Object.entries(mayImport).map(([area, targets]) => ({
  name: `${area.replace('/', '-')}-imports`,
  severity: 'error',
  comment: `${area} may import ${targets.join(', ') || 'nothing of ours'}.`,
  from: { path: `^${escape(area)}/` },
  to: {
    path: '^(src|sync|workers|sample|bench|test)/',
    // Who may read the configuration is a rule of its own, below.
    pathNot: [area, ...targets, 'src/config'].map((target) => `^${escape(target)}(/|\\.ts$)`),
  },
}));

const packages = Object.entries(only).map(([target, from]) => ({
  name: `only-${target.replace(/\^node_modules|[^a-z0-9]/g, '')}`,
  severity: 'error',
  comment: `${target} has one home.`,
  from: { path: '^(src|sync|workers|sample|bench|test)/', pathNot: from },
  to: { path: target, dependencyTypesNot: ['type-only'] },
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
      name: 'registers-do-not-import-each-other',
      severity: 'error',
      from: { path: '^src/registers/([^/]+)/' },
      to: { path: '^src/registers/', pathNot: '^src/registers/$1/' },
    },
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
