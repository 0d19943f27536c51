/**
 * Limits that several rooms share, each with its unit, and those of registers. What one other room reads is in
 * its own `limits.ts`. Routes, OpenAPI, error texts and tests read these: a number written anywhere else is a
 * mistake.
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
  /** Candidates of one written address. */
  cleanseCandidates: 10,
  /** Addresses that took the place of one that is gone (D137). */
  successors: 20,
  /** Codes per `POST /v1/dagi:batch`: different ones, and items with duplicates (D49). */
  dagiCodesPerBatch: 50,
  dagiCodeItemsPerBatch: 500,
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
  /** Request line and headers, bytes. */
  headerBytes: 16 * 1024,
  /** Arrays and objects inside one another in a JSON body. */
  bodyDepth: 16,
  /** Names of unknown parameters or properties listed in one error text. */
  unknownNamesListed: 10,
  /**
   * Seconds of Retry-After: a line too long, a restart, a register down for now, one nobody has configured,
   * one that cannot be read here.
   */
  retryAfterS: { busy: 1, closing: 5, unavailable: 60, notConfigured: 3600, unreadable: 3600 },
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
  /** Characters of the operator's token at least, and of the name an operator gives at most. */
  operatorTokenChars: 16,
  operatorNameChars: 60,
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
} as const;
