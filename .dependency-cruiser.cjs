// One table is the architecture: the floors, and which package belongs where. `npm run check:imports` holds
// the tree against it.

/** Rooms by floor, from the ground up. A room imports itself and the floors below its own. */
const floors = [
  ['src/kernel', 'src/bytes'],
  ['src/geo', 'src/db', 'src/threads'],
  ['src/layers', 'src/account'],
  [
    'src/answers',
    'src/snapshot',
    'src/wfs',
    'src/metering',
    'src/webhooks',
    'src/ops',
    'src/settings.ts',
  ],
  ['src/snapshot-store', 'src/downloads', 'src/names'],
  ['src/core'],
  ['src/memory', 'src/registers', 'src/jobs', 'src/config.ts'],
  ['src/changes'],
  ['src/watch', 'src/replication'],
  ['src/registers.ts', 'src/http', 'src/cli', 'workers'],
  ['src/web', 'sample'],
  ['sync'],
  ['src/start'],
];

/** What a room must not know although it is on a lower floor. */
const apart = [
  {
    name: 'registers-only-through-the-list-or-the-door',
    comment: 'A room is handed the registers; only the DAWA door and threads name one.',
    from: { path: '^src/http/', pathNot: '^src/http/dawa/' },
    to: { path: '^src/registers/' },
  },
  {
    name: 'threads-do-no-io',
    from: { path: '^workers/' },
    to: { path: '^src/(db|account|metering|webhooks|ops|memory|snapshot-store)/' },
  },
  {
    name: 'sync-knows-no-customer',
    from: { path: '^sync/' },
    to: { path: '^src/(account|metering|webhooks|jobs|memory|http|web|cli)/' },
  },
  {
    name: 'browsers-load-arithmetic-and-names',
    comment: 'Types of answers are those of what writes them, and load nothing.',
    from: { path: '^src/web/' },
    to: {
      path: '^src/',
      dependencyTypesNot: ['type-only'],
      pathNot:
        '^src/(web|kernel|geo|layers|jobs/(column-words|for-pages|(workbook|intake)/for-pages)|core/rows/row-errors)(/|\\.ts$)',
    },
  },
];

/** Package -> the only places that may import it. */
const only = {
  '^node_modules/ol/': '^(src/wfs|src/downloads|src/web|sample|bench|test)/',
  '^node_modules/esbuild/': '^src/http/pages/bundle',
  '^node_modules/geotiff/': '^src/registers/terrain/',
  '^node_modules/yauzl/': '^(src/(downloads|jobs/workbook)|test)/',
  '^node_modules/yazl/': '^(src/jobs/files/workbook|bench/harness/table-files|test/)',
  '^node_modules/saxes/': '^src/(jobs/workbook|snapshot-store)/|^test/',
  '^node_modules/aws4fetch/': '^src/snapshot-store/',
  '^node_modules/hucre/': '^(test|bench)/',
  '^node_modules/slimdom/': '^(src/wfs|sample|bench|test)/',
  '^node_modules/piscina/': '^(workers/pool|src/core/tasks/pool-move)',
  '^node_modules/jsts/': '^(src/geo/(dissolve|jts|repair)|test/)',
  '^node_modules/flatbuffers/': '^src/snapshot/',
  '^node_modules/@maplibre/': '^src/snapshot/tiles/|^test/',
  '^node_modules/lru-cache/': '^src/kernel/cache',
  '^node_modules/pino(-pretty)?/': '^src/kernel/logger|^test/',
  '^node_modules/@opentelemetry/': '^src/http/plugins/tracing|^test/',
  '^node_modules/fastify/': '^src/(start|http)/|^(test|bench)/',
  '^node_modules/kysely/':
    '^src/db/|store[^/]*\\.ts$|^src/core/published|^src/(registers|ops|account|metering|webhooks|jobs|changes|replication)/|^sync/|^(test|bench)/',
  '^node_modules/pg/': '^src/db/|^test/|^bench/',
  '^node_modules/@electric-sql/': '^src/db/|^test/support/',
};

/** @param {string} path */
const escape = (path) => path.replace(/[/]/g, '\\/');

/** @param {string} room */
const inside = (room) => (room.endsWith('.ts') ? `^${escape(room)}$` : `^${escape(room)}/`);

const rooms = floors.flatMap((floor, at) =>
  floor.map((room) => {
    const below = floors.slice(0, at).flat();
    return {
      name: `${room.replace('/', '-')}-imports`,
      severity: 'error',
      comment: `${room} imports the floors below its own.`,
      from: { path: inside(room) },
      to: {
        path: '^(src|sync|workers|sample|bench|test)/',
        pathNot: [room, ...below].map(inside),
      },
    };
  }),
);

const packages = Object.entries(only).map(([target, from]) => ({
  name: `only-${target.replace(/\^node_modules|[^a-z0-9]/g, '')}`,
  severity: 'error',
  comment: `${target} has one home.`,
  from: { path: '^(src|sync|workers|sample|bench|test)/', pathNot: from },
  to: { path: target, dependencyTypesNot: ['type-only'] },
}));

// Register -> those that it joins, as its value states.
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
  conditions: ['lines', 'cadastre', 'property'],
};

const registers = Object.entries(joins).map(([register, joined]) => ({
  name: `${register}-joins-only-what-it-states`,
  severity: 'error',
  comment: `${register} joins ${joined.join(', ') || 'no other register'}.`,
  from: { path: `^src\\/registers\\/${register}\\/` },
  to: {
    path: '^src\\/registers\\/',
    pathNot: [register, ...joined].map((name) => `^src\\/registers\\/${name}\\/`),
  },
}));

module.exports = {
  forbidden: [
    ...rooms,
    ...apart.map((rule) => ({ severity: 'error', ...rule })),
    ...packages,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)/|vitest' },
      to: { path: '^test/' },
    },
    ...registers,
    {
      // A module that lowers its thread when it is loaded must not be loaded by the thread of requests.
      name: 'threads-lower-themselves',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.thread\\.ts$|^src/start/worker\\.ts$' },
      to: { path: '^src/core/tasks/lower-priority\\.ts$' },
    },
    {
      name: 'config-only-from-entry-points',
      severity: 'error',
      from: {
        path: '^(src|sync|workers|sample)/',
        pathNot:
          '^src/start/|cli\\.ts$|^sync/(commands|freshness-command)\\.ts|^src/config|generate\\.ts$',
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
        pathNot: '^src/(start|http)/',
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
