/** Limits of registers and of several rooms; others are in the `limits.ts` of their room. */
export const LIMITS = {
  listValues: 100,
  pointIdChars: { min: 1, max: 64 },
  diskReads: { atATime: 2, waiting: 16_384, ms: 5_000 },
  /** Body buffers kept for reuse: in total, and the largest one. */
  bodyPoolBytes: 32 * 1024 * 1024,
  bodyPooledBytes: 1024 * 1024,
  /** Per point of ten lines; a longer body is returned separately. */
  linesBodyBytesPerPoint: 8 * 1024,
  /** Reverse DAGI and building lines (interface: Limits; D5). */
  dagiPointsPerBatch: 50,
  linePointsPerBatch: 50,
  /** Reverse addresses (interface: Limits; D47). */
  addressPointsPerBatch: 150,
  addressRadiusM: { min: 1, max: 1000, default: 250 },
  addressTextChars: { min: 1, max: 200 },
  addressesPerPage: { default: 20, max: 100 },
  /** A place is four numbers. */
  addressPlaceChars: 120,
  addressPages: 10,
  cleanseCandidates: 10,
  /** Replacements of a gone address (D137). */
  successors: 20,
  /** `POST /v1/dagi:batch`: distinct codes, and items with duplicates (D49). */
  dagiCodesPerBatch: 50,
  dagiCodeItemsPerBatch: 500,
  /** Positive 32-bit integers. */
  bfe: { min: 1, max: 2_147_483_647 },
  property: {
    /** Duplicates included (D49). */
    perBatch: 150,
    rowsPerList: 50_000,
    /** Beyond this all records are rewritten, not only those of changed rows. */
    touchedRows: 500_000,
    recordsAtATime: 4,
    threadRecords: 10,
    /** Then the request thread answers the batch. */
    threadWaitMs: 1_000,
    bodyBytesPerRecord: 6 * 1024,
  },
  /**
   * D123. `vertices`: of an answered geometry; `shortTexts`: search texts whose answers are cached.
   */
  places: {
    textChars: { min: 1, max: 200 },
    typeChars: { min: 1, max: 60 },
    perPage: { default: 20, max: 100 },
    pages: 10,
    radiusM: { min: 1, max: 1000, default: 250 },
    near: 20,
    vertices: 200_000,
    keptShapeBytes: 16 * 1024 * 1024,
    shortTexts: { shortChars: 2, kept: { answers: 500, places: 20 } },
  },
  /** Below 100 are known, of some 120 characters each. */
  assessments: { perPropertyChars: 1024 * 1024 },
  foldNotes: 100,
  bodyBytes: {
    none: 1024,
    form: 4 * 1024,
    key: 16 * 1024,
    /** A URL of webhooks.urlChars, fully escaped. */
    webhook: 32 * 1024,
    codes: 128 * 1024,
    numbers: 16 * 1024,
    /** dagiPointsPerBatch, linePointsPerBatch or addressPointsPerBatch points. */
    fewPoints: 64 * 1024,
    points: 192 * 1024,
  },
  /** D119, D120, D141. */
  terrain: {
    pointsPerBatch: 150,
    /** A value outside is no data, whatever the raster says. */
    heightM: { min: -100, max: 400 },
    cellM: { min: 0.05, max: 1_000 },
    tiles: 250_000,
    folderDepth: 8,
    headerFields: 200,
    headerBytes: 32 * 1024 * 1024,
    blockBytes: 32 * 1024 * 1024,
    blockCacheBytes: 48 * 1024 * 1024,
    windowCacheBytes: 48 * 1024 * 1024,
    headerCacheBytes: 16 * 1024 * 1024,
    windows: 512,
    /** The time includes the wait. */
    reads: { atATime: 2, waiting: { each: 512, total: 512 } },
    readMs: 5_000,
    lookAgainMs: { changed: 250, unchanged: 60_000 },
    headersAtATime: 4,
    marks: 20,
    windowCells: 4 * 1024 * 1024,
    windowStep: 64,
    /** Cells; windows near each other are merged. */
    requestCells: 256 * 1024,
    lineMs: 20_000,
    windowMs: 24 * 3600 * 1000,
  },
  headerBytes: 16 * 1024,
  bodyDepth: 16,
  unknownNamesListed: 10,
  retryAfterS: { busy: 1, closing: 5, unavailable: 60, notConfigured: 3600, unreadable: 3600 },
  pathParameterChars: 100,
  /** Radius that an operator may set (D23). */
  searchRadiusM: { min: 100, max: 2000, default: 500 },
  /** For dige and vandloeb (D28). */
  onLineToleranceM: 2,
  /** D31. */
  repealedPerLine: 20,
  /** A copy older than this never answers (D34: 30 days). */
  hardAgeS: 30 * 24 * 3600,
  /** Of all live upstream questions of a request. */
  originDeadlineMs: 8_000,
  originInFlight: 8,
  originFeatures: 2_000,
  exportRows: 2_000,
  freshReaderMs: 100,
  /** Time that a batch may hold the request thread. */
  sliceMs: 0.1,
  snapshotPollMs: 1_000,
  /** At start: wait for the store before loaded files answer; interval between builds. */
  snapshotStartMs: 500,
  snapshotRetryMs: 60_000,
  postalDistrictsKeptMs: 1_000,
  postalDistrictsWaitMs: 2_000,
  /**
   * Interval of audit statements, points per statement, and one pass over memory. A point of ten
   * lines costs the database 6 ms.
   */
  auditRoundMs: 3_000,
  auditPoints: 3,
  auditScrubMs: 40_000,
  auditAlarmsKept: 100,
  feedRowsMs: 120_000,
  /** Half the largest window of a live lookup, which widens for a distant zone edge. */
  originHalfWindowM: 4_000,
  originAnswersKept: 2_000,
  originAnswerTtlMs: 60_000,
  /** Wait for the store before memory answers. */
  areaStoreMs: 1_000,
  renderedAreaBytes: 256 * 1024 * 1024,
  preflightMs: 3_000,
  secretFileBytes: 64 * 1024,
  /** PLANS_FILE and SOURCES_FILE may hold a coverage polygon. */
  settingsFileBytes: 32 * 1024 * 1024,
  clockDifferenceMs: 5_000,
  /** Age of the register's own files: one weekly total may be missed. */
  dataAgeS: 15 * 24 * 3600,
  /** Under DATA_DIR, for old and new files together. */
  freeDiskBytes: { sample: 2e9, live: 20e9 },
  stopMs: 10_000,
  upstreamPageBytes: 128 * 1024 * 1024,
  /** Per host: of one account and in total. */
  originQueued: { each: 512, total: 4_096 },
  /** Live answers parsed at a time; waiting ones of one account and in total. */
  originReads: { atATime: 8, waiting: { each: 512, total: 4_096 } },
  upstreamErrorBytes: 64 * 1024,
  upstreamDescriptionBytes: 4 * 1024 * 1024,
  upstreamXmlDepth: 200,
  retryAfterCapMs: 60_000,
  syncPages: 2_000,
  /** A refused or too large page is halved down to this many features. */
  syncPageFloor: 10,
  downloadListPages: 200,
  downloadListBytes: 64 * 1024 * 1024,
  downloadBytes: 2 * 1024 * 1024 * 1024,
  downloadUnpackedBytes: 4 * 1024 * 1024 * 1024,
  /** A streamed table: parcels are 4.5 GB as JSON. */
  tableBytes: 8 * 1024 * 1024 * 1024,
  /** A feature type read as a table: some 370,000 of 4 million buildings are mirrored. */
  featureTableRows: 1_000_000,
  /** Conditions of its filter, and values of one: both are in every page's URL. */
  filterValues: 50,
  tableUnpackedBytes: 64 * 1024 * 1024 * 1024,
  downloadZipEntries: 100,
  downloadWholeBytes: 512 * 1024 * 1024,
  /** JSON rows passed to a thread at once, and one row. */
  downloadBatchBytes: 4 * 1024 * 1024,
  downloadRowBytes: 128 * 1024 * 1024,
  downloadSilenceMs: 120_000,
  /** Compared per layer before and after a publication. */
  canaryPoints: 200,
  /** Known future instants per layer; later ones follow once earlier ones have passed. */
  datedChanges: 200,
  datedCodes: 2_500,
  announcedCodes: 200,
  datedTickMs: 200,
  datedRetryMs: 5_000,
  datedTogetherMs: 20_000,
  /** Preparation before the instant of a change, and the poll interval after it. */
  datedAheadMs: 2 * 3600 * 1000,
  /** A tenth of the time left is a statement's limit; below this, nothing is prepared. */
  datedStatementMs: 10_000,
  datedPollMs: 100,
  /** The health port of a worker or dispatcher; `silentS`: its loop has stopped. */
  watch: { silentS: 120, connections: 32, requestMs: 10_000 },
  reach: { connectMs: 5_000, knownMs: 60_000 },
  keyAskMs: 30_000,
  workerQueue: 256,
  /** From here threads answer a batch of ten lines (measured: bench/README.md). */
  threadLinePoints: 10,
  /** Then the request thread answers this batch and those of the pause. */
  threadWaitMs: 250,
  threadPauseMs: 2_000,
  batchQueue: 64,
  batchThreadIdleMs: 10 * 60_000,
  /** Time from abandoning a batch to ending its thread. */
  batchHungMs: 5_000,
  /** Without progress; a build sorts after its last row. */
  taskMs: { parse: 30_000, build: 10 * 60_000, other: 10_000 },
  taskLookMs: 1_000,
  /** As nice(1) counts: batches yield to single lookups. */
  batchThreadNice: 10,
  syncIssuesKept: 1_000,
  unreadRawChars: 2_000,
  /** Per version; of further features only the position is kept. */
  unreadRawKept: 200,
  unreadableBoxes: 2_000,
  /** Runs with kept raw pages, per layer; bytes around a page's members, stored separately. */
  rawRuns: { min: 0, max: 1_000, default: 3 },
  rawAroundBytes: 64 * 1024,
  askedByChars: 200,
  changesClassed: 50_000,
  changesPerBatch: 5_000,
  changeVertexPairs: 4_000_000,
  syncNotesKept: 50,
  syncHeartbeatMs: 5_000,
  syncDeadAfterMs: 60_000,
  readLagS: { min: 1, max: 3_600, default: 5 },
  /** The lease is renewed each third of its term. */
  syncLeaseMs: 12_000,
  syncRunMs: 4 * 3600 * 1000,
  stageBatchRows: 1_000,
  stageBatchBytes: 4 * 1024 * 1024,
  /** Areas dissolved per statement; a larger zone goes alone. */
  zoneBatchVertices: 50_000,
  syncPagesInParser: 2,
  syncParallel: 2,
  syncTablePieces: 3,
  syncQueue: 100,
  /** After a run, before an expired layer is synced on request. */
  syncExpiredPauseMs: 5 * 60_000,
  operatorTokenChars: 16,
  operatorNameChars: 60,
  backgroundMap: { urlChars: 1_000, attributionChars: 200 },
  kort: {
    perSecond: { min: 1, max: 10_000, default: 50 },
    zoom: { min: 0, max: 16 },
    extent: 4_096,
    bufferUnits: 64,
    /** A fuller tile is refused, and the layer's tiles begin at a higher zoom. */
    featuresPerTile: 20_000,
    /** The thinning step is doubled until they fit. */
    verticesPerTile: 400_000,
    cacheBytes: 64 * 1024 * 1024,
    cachedTileBytes: 512,
    tilesWaiting: 256,
    threadIdleMs: 30_000,
    filesAtATime: { process: 32, account: 8 },
    /** From the store. */
    cut: {
      tileBytes: 32 * 1024 * 1024,
      atATime: 2,
      waiting: { each: 64, total: 512 },
      cacheBytes: 16 * 1024 * 1024,
    },
    /** From these zooms no tile is too full in the densest town. */
    parcels: { minZoom: 14 },
    houses: { minZoom: 15 },
    conditions: { minZoom: 11 },
    names: { minZoom: 5, perTile: 200 },
  },
} as const;
