/**
 * Limits that several rooms share, with their units, and those of registers; others are in the
 * `limits.ts` of their room. A number written elsewhere is a mistake.
 */
export const LIMITS = {
  /** Values of a list parameter. */
  listValues: 100,
  pointIdChars: { min: 1, max: 64 },
  /** File reads that answers wait for: at a time, waiting; one of them, milliseconds. */
  diskReads: { atATime: 2, waiting: 16_384, ms: 5_000 },
  /**
   * Memory of bodies kept for reuse, bytes: in total, and of one; larger ones are allocated per
   * answer.
   */
  bodyPoolBytes: 32 * 1024 * 1024,
  bodyPooledBytes: 1024 * 1024,
  /** Bytes per point of ten lines in a thread's body; a longer body is returned separately. */
  linesBodyBytesPerPoint: 8 * 1024,
  /** Points per reverse DAGI and building-lines batch (interface: Limits; D5). */
  dagiPointsPerBatch: 50,
  linePointsPerBatch: 50,
  /**
   * Points per reverse address batch; maximum distance of an address, metres (interface: Limits;
   * D47).
   */
  addressPointsPerBatch: 150,
  addressRadiusM: { min: 1, max: 1000, default: 250 },
  addressTextChars: { min: 1, max: 200 },
  addressesPerPage: { default: 20, max: 100 },
  /** Four numbers. */
  addressPlaceChars: 120,
  addressPages: 10,
  cleanseCandidates: 10,
  /** Replacements of an address that is gone (D137). */
  successors: 20,
  /** Codes per `POST /v1/dagi:batch`: distinct ones, and items with duplicates (D49). */
  dagiCodesPerBatch: 50,
  dagiCodeItemsPerBatch: 500,
  /** BFE numbers are positive 32-bit integers. */
  bfe: { min: 1, max: 2_147_483_647 },
  property: {
    /** BFE numbers per batch, duplicates included (interface: Limits; D49). */
    perBatch: 150,
    /** Rows of one kind (units, floors …) per question. */
    rowsPerList: 50_000,
    /** Changed rows whose records are rewritten; beyond that all records are. */
    touchedRows: 500_000,
    /** Records read from their file at once by the request thread, which inflates each. */
    recordsAtATime: 4,
    threadRecords: 10,
    /** How long a batch waits for a thread before the request thread answers, milliseconds. */
    threadWaitMs: 1_000,
    /** Bytes per record in a thread's body; a longer body is returned separately. */
    bodyBytesPerRecord: 6 * 1024,
  },
  /**
   * Place names: characters of a search text, a type and an id; places per page, and pages;
   * distance from a point, metres, and places per point (D123); vertices of an answered geometry;
   * bytes of cached geometries; length of a short text whose answers are cached, how many, and
   * their places.
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
  /** Stored assessments of one property: below 100 are known, of some 120 characters each. */
  assessments: { perPropertyChars: 1024 * 1024 },
  foldNotes: 100,
  /**
   * Bytes of a JSON body by route: the longest its schema accepts, indented, with a margin. Rows of
   * jobs have their own limits.
   */
  bodyBytes: {
    /** A route without a body. */
    none: 1024,
    form: 4 * 1024,
    key: 16 * 1024,
    /** An endpoint with a URL of webhooks.urlChars, fully escaped. */
    webhook: 32 * 1024,
    codes: 128 * 1024,
    /** property.perBatch BFE numbers. */
    numbers: 16 * 1024,
    /** dagiPointsPerBatch and linePointsPerBatch points, and addressPointsPerBatch points. */
    fewPoints: 64 * 1024,
    points: 192 * 1024,
  },
  /** Terrain (D119, D120, D141). */
  terrain: {
    pointsPerBatch: 150,
    /** Plausible heights of Denmark, metres: others are no data, whatever the raster says. */
    heightM: { min: -100, max: 400 },
    /** Size of a cell, metres. */
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
    /** Blocks read at a time; waiting reads; one read including its wait, ms. */
    reads: { atATime: 2, waiting: { each: 512, total: 512 } },
    readMs: 5_000,
    /** Delay of a new scan after a change, and interval without one, milliseconds. */
    lookAgainMs: { changed: 250, unchanged: 60_000 },
    headersAtATime: 4,
    marks: 20,
    windowCells: 4 * 1024 * 1024,
    windowStep: 64,
    /** The cost of one request in cells (1 MiB): windows near each other are merged. */
    requestCells: 256 * 1024,
    /** Lifetime of a window, milliseconds. */
    windowMs: 24 * 3600 * 1000,
  },
  headerBytes: 16 * 1024,
  bodyDepth: 16,
  unknownNamesListed: 10,
  /**
   * Seconds of Retry-After: full queue, restart, register down, not configured, unreadable here.
   */
  retryAfterS: { busy: 1, closing: 5, unavailable: 60, notConfigured: 3600, unreadable: 3600 },
  pathParameterChars: 100,
  /** Search radius that an operator may set, metres (D23). */
  searchRadiusM: { min: 100, max: 2000, default: 500 },
  /** On-the-line tolerance for dige and vandloeb, metres (D28). */
  onLineToleranceM: 2,
  /** Repealed features listed per line (D31). */
  repealedPerLine: 20,
  /** A copy older than this never answers, seconds (D34: 30 days). */
  hardAgeS: 30 * 24 * 3600,
  /** Total time of live upstream questions per request, milliseconds. */
  originDeadlineMs: 8_000,
  originInFlight: 8,
  originFeatures: 2_000,
  exportRows: 2_000,
  /** Interval of recomputing ages of copies, milliseconds. */
  freshReaderMs: 100,
  /** Time a batch may hold the request thread before yielding, milliseconds. */
  sliceMs: 0.1,
  /** Interval of looking for a new version, milliseconds. */
  snapshotPollMs: 1_000,
  /**
   * At start: wait for the store before loaded files answer; interval between builds. Milliseconds.
   */
  snapshotStartMs: 500,
  snapshotRetryMs: 60_000,
  /** Lifetime of cached postal districts; maximum wait for the store. Milliseconds. */
  postalDistrictsKeptMs: 1_000,
  postalDistrictsWaitMs: 2_000,
  /**
   * Self-audit: interval of statements, points per statement, and one pass over memory. A point of ten
   * lines costs the database 6 ms.
   */
  auditRoundMs: 3_000,
  auditPoints: 3,
  auditScrubMs: 40_000,
  auditAlarmsKept: 100,
  /** How long a building thread waits for its next rows, milliseconds. */
  feedRowsMs: 120_000,
  /** Half the largest window that a live lookup widens to for a distant zone edge, metres. */
  originHalfWindowM: 4_000,
  /** Cached live answers, and their lifetime, milliseconds. */
  originAnswersKept: 2_000,
  originAnswerTtlMs: 60_000,
  /** How long areas by code wait for the store before memory answers, milliseconds. */
  areaStoreMs: 1_000,
  renderedAreaBytes: 256 * 1024 * 1024,
  /** Checking the listen address before anything is opened, milliseconds. */
  preflightMs: 3_000,
  /** Of a file that holds a secret setting. */
  secretFileBytes: 64 * 1024,
  /** Of PLANS_FILE and SOURCES_FILE, which may hold the polygon of a coverage. */
  settingsFileBytes: 32 * 1024 * 1024,
  /** How far this machine's clock may be from the database's, milliseconds. */
  clockDifferenceMs: 5_000,
  /** Since a register made the files of a copy, seconds: one weekly total may be missed. */
  dataAgeS: 15 * 24 * 3600,
  /** Wanted free under DATA_DIR for snapshots, journals and downloads, the old beside the new. Bytes. */
  freeDiskBytes: { sample: 2e9, live: 20e9 },
  /** Maximum time to stop, milliseconds. */
  stopMs: 10_000,
  upstreamPageBytes: 128 * 1024 * 1024,
  /** Waiting live requests per host: of one account and in total; the next is refused. */
  originQueued: { each: 512, total: 4_096 },
  /** Live answers parsed at a time, and waiting: of one account and in total. */
  originReads: { atATime: 8, waiting: { each: 512, total: 4_096 } },
  upstreamErrorBytes: 64 * 1024,
  upstreamDescriptionBytes: 4 * 1024 * 1024,
  upstreamXmlDepth: 200,
  /** Longest Retry-After that a sync honours, milliseconds. */
  retryAfterCapMs: 60_000,
  syncPages: 2_000,
  /** A refused or too large page is halved down to this many features. */
  syncPageFloor: 10,
  downloadListPages: 200,
  downloadListBytes: 64 * 1024 * 1024,
  downloadBytes: 2 * 1024 * 1024 * 1024,
  downloadUnpackedBytes: 4 * 1024 * 1024 * 1024,
  /** The same for a table of rows, which is streamed: parcels are 4.5 GB as JSON. */
  tableBytes: 8 * 1024 * 1024 * 1024,
  /** Rows of a feature type read as a table: of 4 million buildings some 370,000 are wanted. */
  featureTableRows: 1_000_000,
  /** Conditions of its filter, and values of one: they are in the URL of every page. */
  filterValues: 50,
  tableUnpackedBytes: 64 * 1024 * 1024 * 1024,
  downloadZipEntries: 100,
  downloadWholeBytes: 512 * 1024 * 1024,
  /** Bytes per batch of JSON rows handed to a thread; bytes of one row. */
  downloadBatchBytes: 4 * 1024 * 1024,
  downloadRowBytes: 128 * 1024 * 1024,
  /** Silence after which a download counts as broken, milliseconds. */
  downloadSilenceMs: 120_000,
  /** Points per layer whose answers are compared before and after a publication. */
  canaryPoints: 200,
  /** Known future instants per layer; later ones are noted when earlier ones have passed. */
  datedChanges: 200,
  datedCodes: 2_500,
  announcedCodes: 200,
  /** Interval of checking for a due date, and of requesting a run again, ms. */
  datedTickMs: 200,
  datedRetryMs: 5_000,
  /** How long layers that change together wait for the slowest, ms. */
  datedTogetherMs: 20_000,
  /**
   * How early the next version is prepared, and the poll interval of processes after its instant,
   * ms.
   */
  datedAheadMs: 2 * 3600 * 1000,
  /** No preparation if a statement would have less time than this, ms: a tenth of what is left. */
  datedStatementMs: 10_000,
  datedPollMs: 100,
  /** The port of a worker or dispatcher: its loop has stopped after this; connections; a request. */
  watch: { silentS: 120, connections: 32, requestMs: 10_000 },
  /** A host of a register takes a connection within this, and is asked again after that. */
  reach: { connectMs: 5_000, knownMs: 60_000 },
  /** A register's answer to whether it takes a key. */
  keyAskMs: 30_000,
  /** Tasks waiting for a worker thread; the next is refused. */
  workerQueue: 256,
  /** Points of ten lines from which threads answer a batch (measured: bench/README.md). */
  threadLinePoints: 10,
  /**
   * How long a batch waits for a thread before the request thread answers, which then also answers
   * those of the following pause. Milliseconds.
   */
  threadWaitMs: 250,
  threadPauseMs: 2_000,
  /** Batches waiting for a thread; the next is refused. */
  batchQueue: 64,
  /** A batch thread ends after this long without one, milliseconds. */
  batchThreadIdleMs: 10 * 60_000,
  /** A batch thread is ended this long after its batch was given up. */
  batchHungMs: 5_000,
  /**
   * A task of the pool without progress for longer hangs: parsing, a build (which sorts after its last row),
   * others. Milliseconds.
   */
  taskMs: { parse: 30_000, build: 10 * 60_000, other: 10_000 },
  taskLookMs: 1_000,
  /** Priority of batches below single lookups, as nice(1) counts. */
  batchThreadNice: 10,
  syncIssuesKept: 1_000,
  unreadRawChars: 2_000,
  /** Features per version with kept geometry; of others only the position is kept. */
  unreadRawKept: 200,
  unreadableBoxes: 2_000,
  /** Runs with kept raw pages, per layer; bytes around a page's members stored separately. */
  rawRuns: { min: 0, max: 1_000, default: 3 },
  rawAroundBytes: 64 * 1024,
  askedByChars: 200,
  changesClassed: 50_000,
  changesPerBatch: 5_000,
  changeVertexPairs: 4_000_000,
  syncNotesKept: 50,
  /**
   * Heartbeat interval of a sync; one silent for longer than the second value is dead.
   * Milliseconds.
   */
  syncHeartbeatMs: 5_000,
  syncDeadAfterMs: 60_000,
  /** How far a replica may be behind that is read from, seconds. */
  readLagS: { min: 1, max: 3_600, default: 5 },
  /** Term of the lease of who leads the syncs, renewed each third of it, milliseconds. */
  syncLeaseMs: 12_000,
  /** Total time of one run of one layer, milliseconds. */
  syncRunMs: 4 * 3600 * 1000,
  stageBatchRows: 1_000,
  stageBatchBytes: 4 * 1024 * 1024,
  /** Vertices of areas dissolved per statement; a larger zone goes alone. */
  zoneBatchVertices: 50_000,
  /** Pages of one run parsed at a time, and layers synced at a time per process. */
  syncPagesInParser: 2,
  syncParallel: 2,
  /** Pieces of an address table in a thread or on the way to the store at a time. */
  syncTablePieces: 3,
  syncQueue: 100,
  /** Minimum pause after a run before an expired layer is synced on request, milliseconds. */
  syncExpiredPauseMs: 5 * 60_000,
  operatorTokenChars: 16,
  operatorNameChars: 60,
  backgroundMap: { urlChars: 1_000, attributionChars: 200 },
  kort: {
    perSecond: { min: 1, max: 10_000, default: 50 },
    clients: 50_000,
    zoom: { min: 0, max: 16 },
    extent: 4_096,
    bufferUnits: 64,
    /**
     * Features of one tile; beyond this it is refused, and the layer's tiles begin at a higher
     * zoom.
     */
    featuresPerTile: 20_000,
    /** Vertices of one tile: beyond this the thinning step is doubled until they fit. */
    verticesPerTile: 400_000,
    /**
     * Bytes of cached compressed tiles, the weight of an empty one, and tiles waiting for a thread.
     */
    cacheBytes: 64 * 1024 * 1024,
    cachedTileBytes: 512,
    tilesWaiting: 256,
    threadIdleMs: 30_000,
    filesAtATime: { process: 32, account: 8 },
    /**
     * Tiles cut from the store: bytes of geometry per tile, tiles read at a time and waiting, and
     * bytes of cached compressed tiles. Then the first zoom at which no tile is too full in the
     * densest town.
     */
    cut: {
      tileBytes: 32 * 1024 * 1024,
      atATime: 2,
      waiting: { each: 64, total: 512 },
      cacheBytes: 16 * 1024 * 1024,
    },
    parcels: { minZoom: 14 },
    houses: { minZoom: 15 },
    conditions: { minZoom: 11 },
    names: { minZoom: 5, perTile: 200 },
  },
} as const;
