/**
 * Every limit of the service, with its unit, in one home. Routes, OpenAPI, error texts and the
 * contract test all read these; a number written anywhere else is a mistake.
 */
export const LIMITS = {
  /** Reads of files that answers wait for: at a time, and those that wait; one of them, milliseconds. */
  diskReads: { atATime: 2, waiting: 16_384, ms: 5_000 },
  /** Memory of bodies kept for reuse, bytes: in all, and of one; larger ones are made for the answer. */
  bodyPoolBytes: 32 * 1024 * 1024,
  bodyPooledBytes: 1024 * 1024,
  /** Bytes for one point of ten lines in a body that a thread lays out; a longer body is passed back. */
  linesBodyBytesPerPoint: 8 * 1024,
  /** Points per reverse DAGI and building-lines batch (interface: Limits; D5). */
  dagiPointsPerBatch: 50,
  linePointsPerBatch: 50,
  /** Points per reverse address batch; how far an address may lie, metres (interface: Limits; D47). */
  addressPointsPerBatch: 150,
  addressRadiusM: { min: 1, max: 1000, default: 250 },
  /** Characters of a text that is looked for among addresses, of a part of one, and of a written one. */
  addressTextChars: { min: 1, max: 200 },
  /** Addresses or suggestions on one page, and pages. */
  addressesPerPage: { default: 20, max: 100 },
  addressPages: 10,
  /** Codes or names one filter may list. */
  addressFilterValues: 100,
  /** Candidates of one written address. */
  cleanseCandidates: 10,
  /** Addresses that took the place of one that is gone (D137). */
  successors: 20,
  /** Codes per `POST /v1/dagi:batch`: different ones, and items with duplicates (D49). */
  dagiCodesPerBatch: 50,
  dagiCodeItemsPerBatch: 500,
  /** Characters of a point id. */
  pointIdChars: { min: 1, max: 64 },
  /** BFE numbers are 32-bit integers above zero. */
  bfe: { min: 1, max: 2_147_483_647 },
  property: {
    /** BFE numbers per batch, duplicates included (interface: Limits; D49). */
    perBatch: 150,
    /** Rows of one kind (units, floors …) that one question may read. */
    rowsPerList: 50_000,
    /** Changed rows of which the records are read anew; above that all of them are. */
    touchedRows: 500_000,
    /** Records read from their file in one go by the thread of requests, which inflates each. */
    recordsAtATime: 4,
    /** From so many numbers threads answer a batch. */
    threadRecords: 10,
    /** What a batch waits for a thread before the request thread answers, milliseconds. */
    threadWaitMs: 1_000,
    /** Bytes for one record in a body that a thread writes; a longer body is passed back. */
    bodyBytesPerRecord: 6 * 1024,
  },
  /** Parcels of one property that the cadastre tells, and bytes of their geometry. */
  cadastre: { parcels: 20_000, geometryBytes: 32 * 1024 * 1024 },
  /**
   * Place names: characters of a text that is looked for, of a type and of an id; places on one page, and
   * pages; how far one may lie from a point, metres, and how many are told of one (D123); vertices of a
   * geometry that is answered; bytes of geometries that are kept in memory when they were read; how short a
   * text is whose answers are kept, how many of them, and of how many places at most.
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
  /** Of all assessments of one property as they are stored: below 100 are known, of some 120 characters each. */
  assessments: { perPropertyChars: 1024 * 1024 },
  /** Notes of one run about what was met in tables that are folded. */
  foldNotes: 100,
  /**
   * Bytes of a JSON body, by what a route takes: the longest its schema lets through, indented, with
   * room to spare. Rows of jobs have limits of their own.
   */
  bodyBytes: {
    /** A route that takes no body: nobody's body is parsed for nothing. */
    none: 1024,
    /** A sign-in link, an overlap in hours, an operator's request. */
    form: 4 * 1024,
    /** A new key with its origins. */
    key: 16 * 1024,
    /** An endpoint with an address of webhooks.urlChars, each of them escaped. */
    webhook: 32 * 1024,
    codes: 128 * 1024,
    /** As many BFE numbers as property.perBatch. */
    numbers: 16 * 1024,
    /** As many points as dagiPointsPerBatch and linePointsPerBatch, and as addressPointsPerBatch. */
    fewPoints: 64 * 1024,
    points: 192 * 1024,
  },
  /** Terrain (D119, D120, D141). */
  terrain: {
    pointsPerBatch: 150,
    /** What may be a height of Denmark, metres: what lies outside is no data, whatever the raster says. */
    heightM: { min: -100, max: 400 },
    /** Metres of a cell, from side to side. */
    cellM: { min: 0.05, max: 1_000 },
    /** Tiles of one model, and folders inside one another in `DHM_DIR`. */
    tiles: 250_000,
    folderDepth: 8,
    /** Fields of a header, and bytes of all that it holds. */
    headerFields: 200,
    headerBytes: 32 * 1024 * 1024,
    /** Bytes of one block of a tile as it is in memory. */
    blockBytes: 32 * 1024 * 1024,
    /** Bytes of blocks and of windows kept in memory, of all models together, and of headers beside. */
    blockCacheBytes: 48 * 1024 * 1024,
    windowCacheBytes: 48 * 1024 * 1024,
    headerCacheBytes: 16 * 1024 * 1024,
    /** Windows kept, however small. */
    windows: 512,
    /** Blocks read at a time; those that wait for their turn; one of them, all its waiting included, ms. */
    reads: { atATime: 2, waiting: { each: 512, total: 512 } },
    readMs: 5_000,
    /** The tiles are looked through again so soon after a change, and so often without one, milliseconds. */
    lookAgainMs: { changed: 250, unchanged: 60_000 },
    /** Headers read at a time meanwhile. */
    headersAtATime: 4,
    /** Values that an operator may name as marks of "no data". */
    marks: 20,
    /** Cells of one window of a WCS, at most; a window's edges lie on multiples of so many cells. */
    windowCells: 4 * 1024 * 1024,
    windowStep: 64,
    /** One request is as dear as so many cells (1 MiB): windows that lie near one another become one. */
    requestCells: 256 * 1024,
    /** A window answers so long after it was asked for, milliseconds. */
    windowMs: 24 * 3600 * 1000,
  },
  /** Properties of all objects of a JSON body together: no batch has more. */
  bodyKeys: 1_000,
  /** Request line and headers, bytes. */
  headerBytes: 16 * 1024,
  /** Arrays and objects inside one another in a JSON body. */
  bodyDepth: 16,
  /** Time a client has for sending one request, and the service for answering it, milliseconds. */
  requestReceiveMs: 30_000,
  /** A connection on which nothing is asked is kept this long, milliseconds. */
  keepAliveMs: 72_000,
  /** ... and so much longer than its client is told, so that both do not race, milliseconds. */
  keepAliveGraceMs: 1_000,
  /** Connections: in all, and of one client address (that of a trusted proxy is nobody's: not counted). */
  connections: { total: 4_096, address: 1_024 },
  /** Answers one connection may owe: what is asked past them is not begun, and the connection closes. */
  owedAnswers: 64,
  /**
   * A connection that is to be closed is read, and what comes thrown away, so that its client gets the
   * last answer: in all, of silence, and bytes. Milliseconds.
   */
  lingeringClose: { totalMs: 30_000, idleMs: 2_000, bytes: 64 * 1024 * 1024 },
  /** A client that has closed its side may be reading still, or gone: it gets what is answered this soon. */
  halfClosedMs: 50,
  /** A connection on which nothing moves while an answer is owed is closed after this, milliseconds. */
  stalledMs: 120_000,
  requestAnswerMs: 60_000,
  /** Names of unknown parameters or properties listed in one error text. */
  unknownNamesListed: 10,
  /**
   * Seconds of Retry-After: a line too long, a restart, a register down for now, one nobody has configured,
   * one that cannot be read here.
   */
  retryAfterS: { busy: 1, closing: 5, unavailable: 60, notConfigured: 3600, unreadable: 3600 },
  /** Keyed requests worked on at a time: in all, for one account, for one client of a public key. */
  inFlight: { total: 512, account: 128, pageClient: 16 },
  /** Requests of one account begun in one turn of the event loop: see plugins/fair-scheduler.ts. */
  fairTurns: { few: 1, many: 32, sharedMs: 10_000, waiting: 128 },
  /** The same of requests without a key, by client address; each connection has at most one that waits. */
  openFairTurns: { few: 1, many: 4, sharedMs: 10_000, waiting: 4_096 },
  /** Answers that no burst pays for (refusals, open pages), for one client: see plugins/tarpit.ts. */
  tarpit: {
    burst: 400,
    perSecond: 200,
    tooManyCounts: 4,
    holdMs: [50, 150],
    held: 1_000,
    clients: 50_000,
  },
  /** Failures logged with their cause in a second, by one process; the rest are counted. */
  failuresLoggedPerSecond: 10,
  /** Characters of a path that a line of the log tells. */
  loggedPathChars: 256,
  /** Characters of a path parameter. */
  pathParameterChars: 100,
  /** Search radius the operator may set, metres (D23). */
  searchRadiusM: { min: 100, max: 2000, default: 500 },
  /** On-the-line tolerance for dige and vandloeb, metres (D28). */
  onLineToleranceM: 2,
  /** Repealed features listed per line (D31). */
  repealedPerLine: 20,
  /** A copy older than this never answers, seconds (D34: 30 days). */
  hardAgeS: 30 * 24 * 3600,
  /** Total time a request may spend on a live upstream lookup, milliseconds. */
  originDeadlineMs: 8_000,
  /** Live upstream requests in flight per host. */
  originInFlight: 8,
  /** Features a live point window may return before the line is unavailable. */
  originFeatures: 2_000,
  /** Rows of one batch when a snapshot is built from the store. */
  exportRows: 2_000,
  /** Ages of copies are worked out anew this often, milliseconds. */
  freshReaderMs: 100,
  /** Time one batch may hold the request thread before others get their turn, milliseconds. */
  sliceMs: 0.1,
  /** Between two looks for a newly published version, milliseconds. */
  snapshotPollMs: 1_000,
  /** At start: for the store, once the files are loaded, before they answer; then between builds. */
  snapshotStartMs: 500,
  snapshotRetryMs: 60_000,
  /** Postal districts read once serve this long; a store that takes longer is not waited for. */
  postalDistrictsKeptMs: 1_000,
  postalDistrictsWaitMs: 2_000,
  /**
   * Memory held against the store: between two statements, the points of one, and one pass over all.
   * A point of ten lines costs the database some 6 ms, in which whoever shares its core waits.
   */
  auditRoundMs: 3_000,
  auditPoints: 3,
  auditScrubMs: 40_000,
  auditAlarmsKept: 100,
  /** A thread that builds a snapshot or the address index waits no longer than this for its next rows. */
  feedRowsMs: 120_000,
  /** Half the largest window a live lookup widens to when the zone's edge is far, metres. */
  originHalfWindowM: 4_000,
  /** Live answers kept, and for how long, milliseconds. */
  originAnswersKept: 2_000,
  originAnswerTtlMs: 60_000,
  /** Areas by code wait so long for the store, then memory answers where it holds them, milliseconds. */
  areaStoreMs: 1_000,
  /** Bytes of rendered area geometry kept in memory, compressed. */
  renderedAreaBytes: 256 * 1024 * 1024,
  /** Between two tries to reach a database that is not there at start, milliseconds. */
  migrateRetryMs: 2_000,
  /** Finding out where to listen, before anything is opened, milliseconds. */
  preflightMs: 3_000,
  /** Stopping takes no longer than this, milliseconds. */
  stopMs: 10_000,
  /** Bytes one upstream page may have. */
  upstreamPageBytes: 128 * 1024 * 1024,
  /** Live upstream requests that may wait, per host: of one account and in all; the next is refused. */
  originQueued: { each: 512, total: 4_096 },
  /** Live answers read by threads at a time, and those that wait for it: of one account and in all. */
  originReads: { atATime: 8, waiting: { each: 512, total: 4_096 } },
  /** Bytes read of an upstream's error body, for its text. */
  upstreamErrorBytes: 64 * 1024,
  /** Bytes of the description of a feature type. */
  upstreamDescriptionBytes: 4 * 1024 * 1024,
  /** Elements inside one another in the XML of an upstream. */
  upstreamXmlDepth: 200,
  /** Longest wait a Retry-After may impose on a sync, milliseconds. */
  retryAfterCapMs: 60_000,
  /** Pages one sync run may fetch of one layer. */
  syncPages: 2_000,
  /** A page that is refused or too large is halved down to this many features. */
  syncPageFloor: 10,
  /** Pages and bytes a page of the listing of downloads may have. */
  downloadListPages: 200,
  downloadListBytes: 64 * 1024 * 1024,
  /** Bytes of one downloaded file, and of what it unpacks to; entries one zip may hold. */
  downloadBytes: 2 * 1024 * 1024 * 1024,
  downloadUnpackedBytes: 4 * 1024 * 1024 * 1024,
  /** The same of a table of rows, which is never held whole: parcels are 4.5 GB as JSON. */
  tableBytes: 8 * 1024 * 1024 * 1024,
  /** Rows of a feature type that is read as a table: of 4 million buildings some 370,000 are wanted. */
  featureTableRows: 1_000_000,
  /** Conditions of its filter, and values of one: they are in the address of every page. */
  filterValues: 50,
  tableUnpackedBytes: 64 * 1024 * 1024 * 1024,
  downloadZipEntries: 100,
  /** Bytes of an unpacked file that is read as a whole (GeoPackage, GML). */
  downloadWholeBytes: 512 * 1024 * 1024,
  /** Rows of a JSON file are handed to a thread in batches of this many bytes; one row at most. */
  downloadBatchBytes: 4 * 1024 * 1024,
  downloadRowBytes: 128 * 1024 * 1024,
  /** Silence in the middle of a download after which it counts as broken, milliseconds. */
  downloadSilenceMs: 120_000,
  /** Points whose answers are compared before and after a publication, per layer. */
  canaryPoints: 200,
  /** Instants known ahead of one layer; later ones are noted when earlier ones are past. */
  datedChanges: 200,
  /** Of all layers, shown at once, and of them those that have come. */
  datedChangesShown: 500,
  datedChangesPast: 20,
  /** Letters of an operator's remark on a change that is confirmed (D138). */
  remarkChars: 200,
  /** Codes that one announced change may end, and begin. */
  announcedCodes: 200,
  /** How often the clock is looked at for a date that has come, and a run asked for again, ms. */
  datedTickMs: 200,
  datedRetryMs: 5_000,
  /** How long layers that change at one instant wait for the slowest of them to be published as one, ms. */
  datedTogetherMs: 20_000,
  /** How long before its instant the next version is prepared, and how soon after it each process looks for it, ms. */
  datedAheadMs: 2 * 3600 * 1000,
  /** Not prepared any more where a statement of it could have less time than this, ms: a tenth of what is left. */
  datedStatementMs: 10_000,
  datedPollMs: 100,
  /** Tasks that may wait for a worker thread; the next is refused. */
  workerQueue: 256,
  /** From so many points of ten lines threads answer a batch (measured: bench/README.md). */
  threadLinePoints: 10,
  /** A batch waits so long for a thread, then the request thread answers; and those that come so soon after. */
  threadWaitMs: 250,
  threadPauseMs: 2_000,
  /** Batches that may wait for a thread; the next is refused. */
  batchQueue: 64,
  /** A thread of batches ends after so long without one, milliseconds. */
  batchThreadIdleMs: 10 * 60_000,
  /** How far batches stand back behind single lookups, as nice(1) counts. */
  batchThreadNice: 10,
  /** Issues kept per run; the rest are counted. */
  syncIssuesKept: 1_000,
  /** Characters kept of the geometry of a feature that could not be read, as it came. */
  unreadRawChars: 2_000,
  /** Features of a version of which that is kept; of all the others only where they lie. */
  unreadRawKept: 200,
  /** Boxes that lookups walk for one layer: of more, neighbours share one. */
  unreadableBoxes: 2_000,
  /** Runs whose raw pages are kept, per layer; bytes around a page's members kept apart from them. */
  rawRuns: { min: 0, max: 1_000, default: 3 },
  rawAroundBytes: 64 * 1024,
  /** Publications of a layer that can be undone, one after the other. */
  historyVersions: 3,
  /** Characters kept of the name of who asked for a run. */
  askedByChars: 200,
  /** Changed rows classed per run and per statement; vertex pairs measured for one of them. */
  changesClassed: 50_000,
  changesPerBatch: 5_000,
  changeVertexPairs: 4_000_000,
  /** Remarks on the paging kept per run. */
  syncNotesKept: 50,
  /** A running sync says it lives this often; one silent for longer than the second is dead. */
  syncHeartbeatMs: 5_000,
  syncDeadAfterMs: 60_000,
  /** Total time one run of one layer may take, milliseconds. */
  syncRunMs: 4 * 3600 * 1000,
  /** Rows and geometry bytes of one statement that fills the stage. */
  stageBatchRows: 1_000,
  stageBatchBytes: 4 * 1024 * 1024,
  /** Vertices of the areas dissolved by one statement; a larger zone goes alone. */
  zoneBatchVertices: 50_000,
  /** Pages of one run in the parser at a time, and layers synced at a time by one process. */
  syncPagesInParser: 2,
  syncParallel: 2,
  /** Pieces of a table of addresses in a thread or on their way to the store at a time. */
  syncTablePieces: 3,
  /** Layers waiting for a sync in one process (each at most once). */
  syncQueue: 32,
  /** A layer asked for while expired is not tried again sooner than this after its last run. */
  syncExpiredPauseMs: 5 * 60_000,
  /** Runs per layer and operator's actions shown at a glance; runs and issues on one page of a log. */
  runsInOverview: 14,
  actionsInOverview: 20,
  runsPerPage: { default: 20, max: 100 },
  issuesPerRun: 10,
  /**
   * What operators see of the past: days, runs of a layer in them, its latest versions; features and vertices
   * of the difference of two versions.
   */
  historyDays: { default: 30, max: 90 },
  historyRuns: 1_000,
  historyVersionsShown: 20,
  versionMax: 2_147_483_647,
  differenceFeatures: 2_000,
  differenceVertices: 50_000,
  /** What the self-audit counted is written down so often, and kept by the hour so long. */
  auditRecordMs: 60_000,
  auditKeptMs: 92 * 24 * 3_600_000,
  guardsPerRelease: 32,
  guardNameChars: 40,
  /** Characters of the operator's token at least, and of the name an operator gives at most. */
  operatorTokenChars: 16,
  operatorNameChars: 60,
  /** Keys one process knows by heart (some 600 bytes each), and texts that were no key, for how long. */
  keysKnown: 20_000,
  keysRefused: 10_000,
  keysRefusedMs: 10_000,
  /** Keys that may wait for the store's word at a time, of one client and in all; the longest wait, milliseconds. */
  keysAsked: { client: 50, total: 500 },
  keyAnswerMs: 3_000,
  /** Between two looks for changed accounts and keys; between two tries to be told of them. */
  accountPollMs: { postgres: 1_000, embedded: 250 },
  accountListenRetryMs: 5_000,
  /** The last use of keys is written down this often, milliseconds. */
  keyUseMs: 60_000,
  /** Keys of an account that work at a time, and keys made in a day; ended keys that are listed. */
  keysPerAccount: 100,
  keysPerDay: 200,
  keysEndedListed: 100,
  /** Characters of the name of a key or an account, and of an e-mail address. */
  accountNameChars: { min: 1, max: 120 },
  emailChars: { min: 3, max: 254 },
  /** Origins of a public key. */
  keyOrigins: { min: 1, max: 20 },
  /** Hours the old key goes on working beside the new one. */
  keyOverlapHours: { min: 0, max: 168, default: 24 },
  /** A sign-in link and a session (D69) last this long, milliseconds. */
  signInLinkMs: 15 * 60_000,
  sessionMs: 12 * 3_600_000,
  /** What has ended is kept this long for the record, milliseconds. */
  sessionKeptMs: 30 * 24 * 3_600_000,
  /** Requests of one client address a minute with a public key (D68); such clients kept in mind. */
  publicKeyRequests: { limit: 60, windowMs: 60_000 },
  publicKeyClients: 50_000,
  /** A key of the open trial lasts so long in all, and so long or longer when a page gets it, milliseconds. */
  trialKeyMs: { whole: 2 * 3_600_000, least: 3_600_000 },
  /** Single lookups that are answered together on the fast path. */
  fastPathGroup: 64,
  /**
   * What an account may use in one outage of the store, in one process: this part of its month's units,
   * and so many at least. Blocks asked for at a time meanwhile: a store may be slow and not gone.
   */
  outageUnits: { share: 0.01, least: 100 },
  outageQuestions: 2,
  /** What is left of everybody's month is read anew this often, milliseconds; accounts of one reading. */
  monthsReadMs: 10_000,
  monthsRead: 200_000,
  /** Units of one lease set aside in the store, at most and, while there are as many, at least. */
  quotaLease: { max: 10_000, min: 10 },
  /** A request waits this long for its units; after a failure nobody asks for the pause. */
  quotaAnswerMs: 2_000,
  quotaPauseMs: 500,
  /** Blocks one request may see come and go to others before it is told to come again. */
  quotaRounds: 20,
  /** A refusal is good this long; seconds of Retry-After while others may still give units back. */
  quotaRefusedMs: 1_000,
  quotaRetryAfterS: 3,
  /** A lease nobody used for so long goes back. */
  quotaIdleMs: 5_000,
  /** Accounts one process counts for. */
  meteredAccounts: 200_000,
  /** A process says it lives this often; one silent for longer than the second has no share. */
  meterBeatMs: 1_000,
  meterDeadAfterMs: 10_000,
  /** A starting process waits so long for its share of the bursts, looking so often, to fill this long. */
  meterJoinMs: 3_000,
  meterJoinPollMs: 100,
  meterJoinFillMs: 400,
  /**
   * Between two foldings; bytes of one, and how many follow one another before others get a turn. Often
   * and little: a line costs the database some 15 µs, and while it folds a lookup may wait for the core.
   */
  usageFoldMs: 200,
  usageFoldBytes: { least: 24 * 1024, most: 96 * 1024 },
  usageFoldRounds: 256,
  /** Between two looks at what is no longer needed, and at what dead processes left. */
  usageTidyMs: 1_000,
  /** A line of the journal is on disk after this long: what a loss of power may cost. */
  usageSyncMs: 500,
  /** A file of the journal is ended at this size. */
  usageSegmentBytes: 16 * 1024 * 1024,
  /** Stopping waits so long for the last lines to be folded; the next start does what is left. */
  meterStopMs: 4_000,
  /** Bill lines of one page when they are exported. */
  usageLinesPerPage: 1_000,
  /** Jobs (D71 to D76). */
  jobs: {
    /** Rows of a JSON body, and of a job. */
    rowsPerAppend: { min: 1, max: 5_000 },
    rowsPerJob: 1_000_000,
    /** Bytes of the body of a new job or of an append. */
    bodyBytes: 10 * 1024 * 1024,
    /** Bytes of one row of a JSON body, and of what such a body has beside its rows. */
    rowBytes: 1024 * 1024,
    headBytes: 64 * 1024,
    /**
     * A workbook (.xlsx): members of its archive; bytes it may unpack to, sent as a body or read from a
     * file by the client; different texts and their characters, which are held while it is read; styles;
     * depth of its XML, and characters between two tags; workbooks read at a time and waiting for it (of one
     * account, in all), and characters of a sheet's name.
     */
    workbook: {
      members: 1_000,
      unpackedBytes: { body: 512 * 1024 * 1024, file: 16 * 1024 * 1024 * 1024 },
      texts: 2_000_000,
      textChars: 64 * 1024 * 1024,
      formats: 70_000,
      depth: 32,
      tokenChars: 1024 * 1024,
      reads: { atATime: 1, waiting: { each: 12, total: 120 } },
      sheetNameChars: { min: 1, max: 31 },
    },
    /** Columns of a job; characters of a column's name, of a text in a row and of a label. */
    columns: 200,
    columnChars: { min: 1, max: 200 },
    valueChars: 1_000,
    labelChars: { min: 1, max: 120 },
    /** Characters of an Idempotency-Key, and how long it is kept, milliseconds (D76). */
    idempotencyKeyChars: { min: 1, max: 255 },
    idempotencyMs: 24 * 3_600_000,
    /**
     * Rows that are claimed, answered and written together. Ten lines or a property a row take ten times
     * the room (4 kB), and what the database writes at a time, or the thread of requests compresses, is
     * what a single lookup on the same core may wait for.
     */
    chunkRows: 2_000,
    chunkRowsByKind: { miljoe: 250, bbr: 250 },
    /** Of one account: jobs that have not ended, their rows that wait, and bytes of all its rows. */
    openPerAccount: 50,
    backlogRows: 5_000_000,
    bytesPerAccount: 4 * 1024 * 1024 * 1024,
    /** Bytes of the rows of all jobs, and of bodies being read: of one account, and in all. */
    bytesInAll: 40 * 1024 * 1024 * 1024,
    bodyBytesHeld: { account: 40 * 1024 * 1024, total: 200 * 1024 * 1024 },
    /** Jobs of one page of the list. */
    perPage: { default: 20, max: 100 },
    /** Rows of an ended job are kept this long, milliseconds (D74). */
    retentionMs: 30 * 24 * 3_600_000,
    /** A draft or paused job that nobody touches is cancelled after so long, milliseconds (D70). */
    untouchedMs: 30 * 24 * 3_600_000,
    /** A chunk belongs to its worker so long; it says so anew this often, milliseconds. */
    leaseMs: 15_000,
    leaseRenewMs: 5_000,
    /** Tries of a row whose register did not answer (D75). */
    rowTries: 3,
    /** Between two of them at first, milliseconds; rows that the lookups are asked at a time. */
    rowRetryMs: 500,
    rowsAtATime: 50,
    /**
     * Who was answered on this machine so lately is being answered; between two looks; the longest rest
     * a worker takes beside that. Milliseconds.
     */
    besideMs: 2_000,
    besideLookMs: 100,
    besideRestMs: 250,
    /** A thread of jobs ends after so long without a chunk, milliseconds. */
    threadIdleMs: 30_000,
    /** Reported failures of a chunk, and workers it may cost, before its job has failed. */
    chunkFailures: 3,
    chunkCrashes: 50,
    /** Between two looks for work: from, to; between two roundings up of what has ended, milliseconds. */
    pollMs: { min: 250, max: 2_000 },
    /** A job found to be the only one with work is claimed from so long before others are looked for. */
    onlyJobMs: 250,
    sweepMs: 5_000,
    /** A job whose data another process has waits for it so long, milliseconds. */
    generationWaitMs: 5_000,
    /** A starting worker waits so long for its memory before it asks the store instead, milliseconds. */
    memoryWaitMs: 120_000,
    memoryPollMs: 50,
    /** Generations a process keeps in memory for jobs that began with them. */
    generationsKept: 3,
    generationIdleMs: 60_000,
    /** A job that cannot go on now rests so long; after so long without a unit it is paused, milliseconds. */
    restMs: 250,
    /** A worker that is told to stop waits so long for what it has begun, milliseconds. */
    stopMs: 3_000,
    unitsWaitMs: 15_000,
    /** Files sent at a time by one process and to one account; chunks read ahead of the client. */
    filesAtATime: { process: 64, account: 8 },
    /** Of them those that are made while they are sent: they take a core while somebody reads fast. */
    madeFilesAtATime: { process: 8, account: 2 },
    chunksAhead: 2,
    /** Progress: streams of one process and of one account, between two looks, and how long one lasts. */
    streams: { process: 200, account: 20 },
    streamPollMs: 1_000,
    streamMs: 10 * 60_000,
    /** Rows per second are those of so long, milliseconds. */
    rateWindowMs: 10_000,
  },
  /** Webhooks (interface: Limits; D109). */
  webhooks: {
    /** Of one account; characters of an address and of a description. */
    perAccount: 20,
    urlChars: { min: 1, max: 2_048 },
    descriptionChars: 200,
    /** DNS, connect, TLS, headers and body of one attempt together, milliseconds. */
    attemptMs: 10_000,
    /** Attempts of a delivery, and the wait after each that failed but the last, milliseconds. */
    attempts: 5,
    waitsMs: [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000],
    /** Bytes of the head of a receiver's answer, and of its body that are read and thrown away. */
    responseHeadBytes: 16 * 1024,
    responseBodyBytes: 64 * 1024,
    /** Deliveries that wait for one endpoint; of more the oldest fails (sql/migrations/0042, 0045). */
    backlog: 10_000,
    /**
     * Attempts at a time: in all, of them to endpoints that fail, of one account, to one endpoint, and to one
     * address: of one account (`address`) and of all.
     */
    inFlight: { total: 64, failing: 32, account: 16, endpoint: 2, address: 4, addressOfAll: 32 },
    /**
     * Attempts claimed at a time, the gap between their requests and the rest after them, milliseconds: to
     * those who answer while lookups are answered on the machine; to those that fail while others were sent
     * to less than `besideMs` ago, and while nobody was.
     */
    pace: {
      besideLookups: { atOnce: 4, gapMs: 15, restMs: 15 },
      failingBeside: { atOnce: 4, gapMs: 0, restMs: 20 },
      failingAlone: { atOnce: 16, gapMs: 0, restMs: 20 },
      besideMs: 500,
    },
    /** Deliveries shown, and how long ended ones are kept, milliseconds; rows deleted at a time. */
    logShown: 100,
    logKeptMs: 30 * 24 * 3_600_000,
    logDeletedAtOnce: 1_000,
    /** Test pings of an account in a while (D104). */
    pings: { limit: 10, windowMs: 60_000 },
    /** An attempt belongs to its process so long: what dies is noticed after it. Milliseconds. */
    leaseMs: 15_000,
    /** Between two looks for due deliveries, and for what has ended, milliseconds. */
    pollMs: { postgres: 500, embedded: 250 },
    sweepMs: 5_000,
    /** A look at what is due rests so many times as long as it took, at most so long, milliseconds. */
    lookRest: { times: 10, mostMs: 2_000 },
    /** Due deliveries looked through before endpoints are looked through instead. */
    dueLooked: 2_000,
    /** Endpoints with something due that a process lists, and that it is told of between two looks. */
    dueListed: 2_000,
    /**
     * Results are written together after so long, milliseconds, or when there are so many; later while
     * lookups are answered on the machine: each write is a commit they may meet.
     */
    settleMs: { alone: 2, besideLookups: 50 },
    settleBatch: 64,
    /** Attempts whose process died that are taken back at a time. */
    reapedAtOnce: 200,
    /** An address that is busy, and a secret that cannot be read, are tried again so late, milliseconds. */
    addressBusyMs: 500,
    secretUnreadMs: 60_000,
    /** Answers of the DNS: tries, the time of each, and how long a checked one serves, milliseconds. */
    dns: { tries: 2, timeoutMs: 2_000, keptMs: 2_000, names: 10_000, addresses: 64 },
    /** Checking an address when an endpoint is registered or changed may take so long, milliseconds. */
    checkMs: 5_000,
    /** Receivers whose connections are kept, and how long an idle one is, milliseconds. */
    receivers: 512,
    receiverIdleMs: 2_000,
    /** Stopping waits so long for attempts under way; the rest count as interrupted, milliseconds. */
    stopMs: 3_000,
  },
  /** Characters of the settings of the background map. */
  backgroundMap: { urlChars: 1_000, attributionChars: 200 },
  /** Tiles and files of layers, for maps and GIS programs. */
  kort: {
    /** Requests a second of one key, and of one client address; KORT_PER_SECOND sets another. */
    perSecond: { min: 1, max: 10_000, default: 50 },
    /** Clients kept in mind: keys, and addresses. */
    clients: 50_000,
    zoom: { min: 0, max: 16 },
    /** Units of a tile from side to side, and those beyond each side that are drawn, too. */
    extent: 4_096,
    bufferUnits: 64,
    /** Features of one tile; of more it is refused, and its layer's tiles begin at a higher zoom. */
    featuresPerTile: 20_000,
    /** Vertices of one tile: of more, twice as many are left out, and again, until they are so few. */
    verticesPerTile: 400_000,
    /** Bytes of compressed tiles kept in memory, what an empty one counts for, and tiles that may wait for a thread. */
    cacheBytes: 64 * 1024 * 1024,
    cachedTileBytes: 512,
    tilesWaiting: 256,
    threadIdleMs: 30_000,
    /** Files of layers sent at a time, by one process and to one account. */
    filesAtATime: { process: 32, account: 8 },
    /**
     * Parcels are cut from the store: the first zoom of which no tile has too many in the densest town, bytes
     * of the geometry of one tile, how many tiles are read at a time and may wait for that, and bytes of
     * compressed tiles kept in memory.
     */
    parcels: {
      minZoom: 14,
      tileBytes: 32 * 1024 * 1024,
      atATime: 2,
      waiting: { each: 64, total: 512 },
      cacheBytes: 16 * 1024 * 1024,
    },
  },
  /** Connections one store handle keeps. */
  storeConnections: 8,
  /** Opening one connection, waiting for a free one included, milliseconds. */
  storeConnectMs: 5_000,
  /**
   * One statement, at the server; milliseconds. A person waits for a lookup; a thread that builds memory waits
   * `feedRowsMs`; nobody waits for a sync.
   */
  storeStatementMs: { lookups: 15_000, builds: 100_000, sync: 30 * 60_000 },
  /** A store that does not answer a probe in this time is unavailable; between two; so many answers end it. */
  storeProbeMs: { postgres: 1_500, embedded: 10_000 },
  storeProbeEveryMs: 1_000,
  storeProbesGood: 2,
  /**
   * What is told of the store waits so long for it, then what is known is told; that is read anew this
   * often, of the layers and of all that operators see, milliseconds.
   */
  lastKnownWaitMs: 1_500,
  lastKnownMs: { layers: 10_000, operators: 60_000 },
  /** Silence beyond the statement limit that proves a server dead, milliseconds. */
  storeSilenceMs: 3_000,
  /** A transaction left open without a statement is rolled back after this, milliseconds. */
  storeIdleInTransactionMs: 60_000,
  /** One migration, milliseconds. */
  storeMigrationMs: 30 * 60_000,
  /** Start of the embedded store, the first one (initdb, PostGIS) included, milliseconds. */
  embeddedStartMs: 120_000,
  /** Deadline of a store that is asked to close while it works, milliseconds. */
  storeCloseMs: 8_000,
  /** The embedded store ends when nobody has been connected this long, milliseconds. */
  embeddedLingerMs: 500,
  /** Connections the embedded store accepts. */
  embeddedConnections: 64,
  /** Bytes of one batch of messages to the embedded store (one bulk insert). */
  embeddedBatchBytes: 256 * 1024 * 1024,
} as const;
