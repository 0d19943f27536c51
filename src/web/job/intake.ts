/** A file that may become a job: read, guessed about, shown, corrected, tried; nothing is sent. */
import {
  KINDS,
  KIND_TERMS,
  SRIDS,
  hasRoles,
  ofOneWay,
  rolesOf,
  unitsOfRow,
} from '../../jobs/for-pages.ts';
import type { Charset, DecimalSign, Kind, Role, RoleColumns, Srid } from '../../jobs/for-pages.ts';
import { wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, keepFocus, say, show } from '../shared/dom.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { Environment } from './address-bar.ts';
import { readUsage } from './api.ts';
import type { UsageTotal } from './api.ts';
import {
  charsetChoices,
  choose,
  decimalChoices,
  delimiterChoices,
  headRowField,
  previewTable,
  rowText,
  triedCell,
} from './preview.ts';
import { table } from '../shared/table.ts';
import { typeOf } from './streams.ts';
import type { Looked, Reading } from './source.ts';
import type { Tried } from './trial.ts';
import { costWords } from './cost.ts';
import { costOf } from './view.ts';
import { SRID_WORDS, kindWords, roleWords } from './words.ts';
import { rows } from '../shared/format.ts';

/** Everything that a job is made of. */
export interface Ready {
  readonly file: File;
  readonly reading: Reading;
  readonly totalRows: number;
  readonly environment: Environment;
  readonly kind: Kind;
  readonly columns: RoleColumns;
  readonly srid: Srid;
  /** Set where the reader corrected it. */
  readonly decimal: 'comma' | 'point' | null;
}

interface Setup {
  readonly file: File;
  readonly looked: Looked;
  /** Of a workbook. */
  readonly sheets: readonly string[];
  readonly guessed: DecimalSign;
  kind: Kind;
  columns: RoleColumns;
  srid: Srid;
  decimal: 'comma' | 'point' | null;
}

const TRIAL_ROWS = 5;
/** A pause in choosing, milliseconds: then the first rows are asked about. */
const TRIAL_PAUSE_MS = 250;

export class Intake {
  readonly #onSend: (ready: Ready) => void;
  #setup: Setup | null = null;
  #tried: readonly (Tried | null)[] = [];
  #trial = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #usage: Readonly<Record<Environment, UsageTotal>> | null = null;
  #error: unknown = null;
  /** Files are numbered: one that was overtaken is not shown. */
  #files = 0;

  constructor(onSend: (ready: Ready) => void) {
    this.#onSend = onSend;
  }

  /** Wires the field, the drop zone and the form. */
  begin(): void {
    const field = byIdAs('file', HTMLInputElement);
    field.addEventListener('change', () => {
      const [file] = field.files ?? [];
      if (file !== undefined) void this.open(file);
    });
    const zone = byId('drop');
    for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.classList.toggle('over', name === 'dragenter' || name === 'dragover');
        const [file] = event.dataTransfer?.files ?? [];
        if (name === 'drop' && file !== undefined) void this.open(file);
      });
    }
    const setup = byIdAs('setup', HTMLFormElement);
    setup.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    setup.addEventListener('change', () => this.#drawCost());
    byId('drop-file').addEventListener('click', () => {
      this.clear();
      field.focus();
    });
  }

  /** Forgets the file. */
  clear(): void {
    this.#files += 1;
    this.#stopTrial();
    this.#setup = null;
    this.#error = null;
    byIdAs('file', HTMLInputElement).value = '';
    this.draw();
  }

  async open(file: File, asked: Partial<Reading> = {}): Promise<void> {
    this.#files += 1;
    const number = this.#files;
    this.#stopTrial();
    this.#error = null;
    byId('reading').textContent = t(`Læser ${file.name} …`, `Reading ${file.name} …`);
    try {
      const sheets = typeOf(file.name) === 'xlsx' ? await sheetsOf(file) : [];
      const setup = await setupOf(file, await lookAt(file, asked, sheets), sheets);
      if (number !== this.#files) return;
      this.#setup = setup;
    } catch (error) {
      if (number !== this.#files) return;
      this.#error = error;
      // A correction that does not fit leaves what was there, to be corrected again.
      if (this.#setup?.file !== file) this.#setup = null;
    }
    byId('reading').textContent = '';
    await this.#readUsage();
    if (number !== this.#files) return;
    const focused = document.activeElement;
    this.draw();
    if (this.#setup !== null) keepFocus(focused, byId('file-title'));
    this.#beginTrial();
  }

  /** Anew, in the language of now. */
  draw(): void {
    say(byId('file-error'), this.#error === null ? '' : wordsOf(this.#error));
    const setup = this.#setup;
    show(byId('setup'), setup !== null);
    show(byId('drop'), setup === null);
    if (setup === null) return;
    const { file, looked } = setup;
    byId('file-title').textContent = `${file.name}: ${rows(looked.totalRows)}`;
    byId('preview').replaceChildren(previewTable(looked));
    this.#drawHow(setup);
    this.#drawWhat(setup);
    this.#drawTrial();
    this.#drawCost();
  }

  #drawHow({ file, looked: { reading }, sheets, guessed, decimal, srid, columns }: Setup): void {
    const again = (change: Partial<Reading>): void =>
      void this.open(file, { ...reading, ...change });
    const fields: Node[] = [];
    if (reading.type === 'csv') {
      const mark = reading.delimiter ?? null;
      fields.push(
        choose({
          id: 'charset',
          label: t('Tegnsæt', 'Encoding'),
          choices: charsetChoices(),
          chosen: reading.charset,
          onChange: (value) => again({ charset: value as Charset }),
        }),
        choose({
          id: 'delimiter',
          label: t('Skilletegn', 'Separator'),
          choices: delimiterChoices(),
          chosen: mark === null ? '' : String.fromCharCode(mark),
          onChange: (value) => again({ delimiter: value === '' ? null : value.charCodeAt(0) }),
        }),
      );
    }
    if (sheets.length > 1) {
      fields.push(
        choose({
          id: 'sheet',
          label: t('Ark', 'Sheet'),
          choices: sheets.map((name) => ({ value: name, words: name })),
          chosen: reading.sheet ?? '',
          onChange: (sheet) => again({ sheet, headRow: null }),
        }),
      );
    }
    if (reading.headRow !== null) {
      fields.push(headRowField(reading.headRow, (headRow) => again({ headRow })));
    }
    if (columns.x !== undefined || columns.y !== undefined) {
      fields.push(this.#decimalField(decimal ?? guessed), this.#sridField(srid));
    }
    redraw(byId('how'), fields);
  }

  #decimalField(shown: DecimalSign): Node {
    return choose({
      id: 'decimal',
      label: t('Decimaltegn', 'Decimal sign'),
      choices: decimalChoices(),
      chosen: shown ?? '',
      onChange: (value) => {
        const isAsked = value === 'comma' || value === 'point';
        this.#change((setup) => {
          // What was guessed is how the service reads it already.
          setup.decimal = isAsked && value !== setup.guessed ? value : null;
        });
      },
    });
  }

  #sridField(srid: Srid): Node {
    return choose({
      id: 'srid',
      label: t('Koordinatsystem', 'Coordinate system'),
      choices: SRIDS.map((each) => ({ value: String(each), words: inLanguage(SRID_WORDS[each]) })),
      chosen: String(srid),
      onChange: (value) => this.#change((setup) => (setup.srid = value === '25832' ? 25832 : 4326)),
    });
  }

  #drawWhat({ kind, columns, looked }: Setup): void {
    const none = { value: '', words: t('(ingen)', '(none)') };
    const names = looked.columns.map((name) => ({ value: name, words: name }));
    redraw(byId('what'), [
      choose({
        id: 'kind',
        label: t('Hver række besvares med', 'Each row is answered with'),
        choices: KINDS.map((each) => ({ value: each, words: kindWords(each) })),
        chosen: kind,
        onChange: (value) => this.#change((setup) => (setup.kind = value as Kind)),
      }),
      ...rolesOf(kind).map((role) =>
        choose({
          id: `role-${role}`,
          label: roleWords(role),
          choices: [none, ...names],
          chosen: columns[role] ?? '',
          onChange: (value) => this.#change((setup) => setRole(setup, role, value)),
        }),
      ),
    ]);
    const isMissing = !hasRoles(kind, columns);
    say(byId('missing'), isMissing ? missingWords(kind) : '');
  }

  /** What was chosen is drawn and asked about again. */
  #change(change: (setup: Setup) => unknown): void {
    if (this.#setup === null) return;
    change(this.#setup);
    const focused = document.activeElement?.id ?? '';
    this.draw();
    // The fields were drawn anew: the keyboard stays where it was.
    if (focused !== '') document.getElementById(focused)?.focus();
    this.#beginTrial();
  }

  #stopTrial(): void {
    clearTimeout(this.#timer);
    this.#trial.abort();
    this.#tried = [];
  }

  #beginTrial(): void {
    this.#stopTrial();
    const setup = this.#setup;
    if (setup === null || !hasRoles(setup.kind, setup.columns)) {
      this.#drawTrial();
      return;
    }
    const trial = new AbortController();
    this.#trial = trial;
    this.#tried = setup.looked.rows.slice(0, TRIAL_ROWS).map(() => null);
    this.#drawTrial();
    this.#timer = setTimeout(() => void this.#try(setup, trial.signal), TRIAL_PAUSE_MS);
  }

  async #try(setup: Setup, signal: AbortSignal): Promise<void> {
    const { kind, srid, looked, decimal } = setup;
    const columns = usedColumns(setup);
    const options = { kind, columns, srid, inputColumns: looked.columns, signal, decimal };
    for (const [place, row] of looked.rows.slice(0, TRIAL_ROWS).entries()) {
      try {
        const { tryRow } = await import('./trial.ts');
        const tried = await tryRow(row, options);
        if (signal.aborted) return;
        this.#tried = this.#tried.with(place, tried);
      } catch (error) {
        if (signal.aborted) return;
        this.#tried = this.#tried.with(place, { failure: wordsOf(error) });
      }
      this.#drawTrial();
    }
  }

  #drawTrial(): void {
    const setup = this.#setup;
    show(byId('trial-title'), this.#tried.length > 0);
    show(byId('trial'), this.#tried.length > 0);
    if (setup === null || this.#tried.length === 0) return;
    const { looked } = setup;
    const used = Object.values(usedColumns(setup));
    const places = used.map((name) => looked.columns.indexOf(name));
    byId('trial').replaceChildren(
      table({
        caption: t('De første rækker og deres svar', 'The first rows and their answers'),
        head: [t('Række', 'Row'), t('Spurgt med', 'Asked with'), t('Svar', 'Answer')],
        rows: this.#tried.map((tried, at) => [
          String(looked.numbers[at] ?? at + 1),
          rowText(looked.rows[at] ?? [], places),
          triedCell(tried),
        ]),
      }),
    );
  }

  /** What is left of the month; where that cannot be told, nothing is said of it. */
  async #readUsage(): Promise<void> {
    this.#usage = await readUsage().catch(() => null);
  }

  #drawCost(): void {
    const setup = this.#setup;
    if (setup === null) return;
    const { totalRows } = setup.looked;
    const each = unitsOfRow({ kind: setup.kind, columns: usedColumns(setup) });
    const environment = chosenEnvironment();
    for (const one of ['test', 'live'] as const) {
      const usage = this.#usage?.[one] ?? null;
      byId(`cost-${one}`).textContent = costWords(one, { rows: totalRows, each }, usage);
    }
    const usage = this.#usage?.[environment];
    const cost = usage === undefined ? null : costOf(each * totalRows, usage);
    const notice = t(
      'Der er færre enheder tilbage end rækker. Jobbet sættes på pause, når de er brugt, hvis abonnementet ikke dækker flere.',
      'There are fewer units left than rows. The job pauses when they run out, unless the plan covers more.',
    );
    say(byId('cost-notice'), cost?.isEnough === false ? notice : '');
    byId('send').textContent = t(`Send ${rows(totalRows)}`, `Send ${rows(totalRows)}`);
    byId('send').setAttribute('aria-disabled', String(!isReady(setup)));
  }

  #submit(): void {
    const setup = this.#setup;
    if (setup === null || !isReady(setup)) return;
    const { file, looked, kind, srid, decimal } = setup;
    this.#onSend({
      file,
      reading: looked.reading,
      totalRows: looked.totalRows,
      environment: chosenEnvironment(),
      kind,
      columns: usedColumns(setup),
      srid,
      decimal,
    });
    this.clear();
  }
}

/** Of several sheets the first that can be read, unless one is asked for. */
async function lookAt(
  file: File,
  asked: Partial<Reading>,
  sheets: readonly string[],
): Promise<Looked> {
  const { lookThrough } = await import('./source.ts');
  if (asked.sheet !== undefined || sheets.length < 2) return await lookThrough(file, asked);
  let refused: unknown = null;
  for (const sheet of sheets) {
    try {
      const looked = await lookThrough(file, { ...asked, sheet });
      if (looked.totalRows > 0) return looked;
    } catch (error) {
      refused ??= error;
    }
  }
  if (refused instanceof Error) throw refused;
  return await lookThrough(file, { ...asked, sheet: sheets[0] ?? null });
}

async function sheetsOf(file: File): Promise<readonly string[]> {
  const { sheetNames } = await import('./workbook.ts');
  return await sheetNames(file);
}

async function setupOf(file: File, looked: Looked, sheets: readonly string[]): Promise<Setup> {
  const { guess } = await import('./source.ts');
  const { kind, columns, srid, decimal } = guess(looked.columns, looked.rows);
  return { file, looked, sheets, guessed: decimal, kind, columns, srid, decimal: null };
}

function setRole(setup: Setup, role: Role, column: string): void {
  const { [role]: _, ...others } = setup.columns;
  setup.columns = column === '' ? others : { ...others, [role]: column };
}

/** Of the roles that the kind has a use for. */
function usedColumns({ kind, columns }: Setup): RoleColumns {
  const used = rolesOf(kind).flatMap((role) => {
    const column = columns[role];
    return column === undefined ? [] : [[role, column] as const];
  });
  const columnsUsed: RoleColumns = Object.fromEntries(used);
  return kind === 'miljoe' ? ofOneWay(columnsUsed, {}) : columnsUsed;
}

function isReady({ kind, columns, looked }: Setup): boolean {
  return looked.totalRows > 0 && hasRoles(kind, columns);
}

function missingWords(kind: Kind): string {
  const ways = KIND_TERMS[kind].roles.map((roles) =>
    roles.map((role) => roleWords(role)).join(' + '),
  );
  const list = ways.join(t(' eller ', ' or '));
  return t(`Vælg, hvilke kolonner der er: ${list}.`, `Choose which columns are: ${list}.`);
}

function chosenEnvironment(): Environment {
  const chosen = document.querySelector<HTMLInputElement>('input[name="environment"]:checked');
  return chosen?.value === 'live' ? 'live' : 'test';
}

/** Keeps the legend. */
function redraw(fieldset: HTMLElement, fields: readonly Node[]): void {
  const legend = fieldset.querySelector('legend');
  fieldset.replaceChildren(...(legend === null ? [] : [legend]), ...fields);
  show(fieldset, fields.length > 0);
}
