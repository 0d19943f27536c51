// One table is the architecture: which area may import which, and which package belongs where.
// `npm run check:imports` holds the tree against it.

/** Area -> areas it may import (beside itself). */
const mayImport = {
  'src/kernel': [],
  'src/geo': ['src/kernel'],
  'src/layers': ['src/kernel', 'src/geo'],
  'src/snapshot': ['src/kernel', 'src/geo', 'src/layers'],
  'src/wfs': ['src/kernel', 'src/geo', 'src/layers'],
  'src/downloads': ['src/kernel', 'src/geo', 'src/layers', 'src/wfs'],
  'src/db': ['src/kernel'],
  'src/registers': ['src/kernel', 'src/geo', 'src/layers', 'src/wfs', 'src/db', 'workers/protocol'],
  'src/lookups': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/snapshot',
    'src/registers',
    'workers/protocol',
  ],
  'src/ops': ['src/kernel', 'src/layers', 'src/db'],
  'src/account': ['src/kernel', 'src/db'],
  'src/metering': ['src/kernel', 'src/db', 'src/account'],
  'src/jobs': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/snapshot',
    'src/db',
    'src/account',
    'src/metering',
    'src/registers',
    'src/lookups',
    'src/http/wire',
    // Pure layout: an answer in a file is the answer of the route, byte for byte.
    'src/http/v1/natur/render',
    'src/http/v1/dagi/render',
    'src/http/v1/adresser/render',
    'src/http/v1/datavask/render',
    'workers/protocol',
  ],
  'src/cli/job-client': ['src/kernel', 'src/jobs'],
  'src/cli/admin': ['src/kernel', 'src/db', 'src/account', 'src/metering'],
  'src/http': [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/lookups',
    'src/ops',
    'src/account',
    'src/metering',
    'src/jobs',
  ],
  workers: [
    'src/kernel',
    'src/geo',
    'src/layers',
    'src/snapshot',
    'src/wfs',
    'src/downloads',
    'src/lookups',
    // Pure layout, so that a heavy answer is laid out where it is measured.
    'src/http/v1/natur/render',
    'src/http/wire',
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
  ],
};

/** Package -> the only places that may import it. */
const only = {
  '^node_modules/ol/': '^(src/wfs|src/downloads|bench|test)/',
  '^node_modules/yauzl/': '^(src/downloads|test)/',
  '^node_modules/slimdom/': '^(src/wfs|sync/sample|bench|test)/',
  '^node_modules/piscina/': '^workers/pool',
  '^node_modules/jsts/': '^(src/geo/dissolve|test/)',
  '^node_modules/node-cron/': '^sync/schedule',
  '^node_modules/flatbuffers/': '^src/snapshot/',
  '^node_modules/lru-cache/': '^src/kernel/cache',
  '^node_modules/pino(-pretty)?/': '^src/kernel/logger|^test/',
  '^node_modules/fastify/': '^src/(app|main|http/)|^(test|bench)/',
  '^node_modules/kysely/':
    '^src/db/|store[^/]*\\.ts$|^src/(registers|ops|account|metering|jobs)/|^sync/|^(test|bench)/',
  '^node_modules/pg/': '^src/db/|^test/|^bench/',
  '^node_modules/@electric-sql/': '^src/db/|^test/support/',
};

const escape = (path) => path.replace(/[/]/g, '\\/');

const areas = Object.entries(mayImport).map(([area, targets]) => ({
  name: `${area.replace('/', '-')}-imports`,
  severity: 'error',
  comment: `${area} may import ${targets.join(', ') || 'nothing of ours'}.`,
  from: { path: `^${escape(area)}/` },
  to: {
    path: '^(src|sync|workers|bench|test)/',
    // Who may read the configuration is a rule of its own, below.
    pathNot: [area, ...targets, 'src/config'].map((target) => `^${escape(target)}(/|\\.ts$)`),
  },
}));

const packages = Object.entries(only).map(([target, from]) => ({
  name: `only-${target.replace(/\^node_modules|[^a-z0-9]/g, '')}`,
  severity: 'error',
  comment: `${target} has one home.`,
  from: { path: '^(src|sync|workers|bench|test)/', pathNot: from },
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
      from: { path: '^src/', pathNot: '^src/(main|work-cli)\\.ts$' },
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
        path: '^(src|sync|workers)/',
        pathNot: '^src/main\\.ts$|^src/compose|cli\\.ts$|^src/config|generate\\.ts$',
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
      from: { path: '^(src|sync|workers)/', pathNot: 'generate\\.ts$' },
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
