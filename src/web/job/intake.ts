import type { UsageTotal } from './api.ts';
import type { Row } from '../../jobs/for-pages.ts';
import { turns, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, keepFocus } from '../shared/dom.ts';
import { badNotice, fileField, html, nothing } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import type { Environment } from './address-bar.ts';
import { readUsage } from './api.ts';
import { FILE_TYPES, redraw } from './draw.ts';
import type * as SetupParts from './setup.ts';
import type { Ready, Setup } from './setup.ts';
import type { Reading } from './source.ts';
import type { Tried, TrialOptions } from './trial.ts';

const TRIAL_ROWS = 5;
/** Without a choice, before the first rows are asked about. */
const TRIAL_PAUSE_MS = 250;

export class Intake {
  readonly #onSend: (ready: Ready) => void;
  #parts: typeof SetupParts | null = null;
  #setup: Setup | null = null;
  #tried: readonly (Tried | null)[] = [];
  #trial = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #environment: Environment = 'test';
  #reading: string | null = null;
  #usage: Readonly<Record<Environment, UsageTotal>> | null = null;
  #error: unknown = null;
  readonly #nextFile = turns();

  constructor(onSend: (ready: Ready) => void) {
    this.#onSend = onSend;
  }

  clear(): void {
    this.#nextFile();
    this.#stopTrial();
    [this.#setup, this.#tried, this.#error] = [null, [], null];
    byIdAs('file-name', HTMLOutputElement).value = '';
    redraw();
  }

  async open(file: File, asked: Partial<Reading> = {}): Promise<void> {
    const isLatest = this.#nextFile();
    this.#stopTrial();
    [this.#reading, this.#error] = [file.name, null];
    redraw();
    try {
      this.#parts = await import('./setup.ts');
      const setup = await this.#parts.setupOf(file, asked);
      if (!isLatest()) return;
      this.#setup = setup;
    } catch (error) {
      if (!isLatest()) return;
      this.#error = error;
      // A correction that does not fit leaves what was there, to be corrected again.
      if (this.#setup?.file !== file) this.#setup = null;
    }
    this.#reading = null;
    // Where it cannot be told, nothing is said of it.
    this.#usage = await readUsage().catch(() => null);
    if (!isLatest()) return;
    const focused = document.activeElement;
    redraw();
    if (this.#setup !== null) keepFocus(focused, byId('file-title'));
    this.#beginTrial();
  }

  view(): TemplateResult {
    const name = this.#reading;
    return html`<section aria-labelledby="new-title" class="card" id="new">
      <h2 id="new-title">${t('Nyt job', 'A new job')}</h2>
      ${dropZone(this.#setup !== null, (file) => this.open(file))}
      <p class="muted" role="status">
        ${name === null ? nothing : t(`Læser ${name} …`, `Reading ${name} …`)}
      </p>
      ${badNotice(this.#error === null ? '' : wordsOf(this.#error))}
      ${this.#setup === null ? nothing : this.#setupView(this.#setup)}
    </section>`;
  }

  #setupView(setup: Setup): TemplateResult | undefined {
    const { file, looked } = setup;
    return this.#parts?.setupView(setup, {
      ...{ tried: this.#tried, usage: this.#usage, environment: this.#environment },
      read: (reading) => void this.open(file, { ...looked.reading, ...reading }),
      change: (change) => {
        this.#setup = { ...setup, ...change };
        this.#beginTrial();
      },
      choose: (environment) => {
        this.#environment = environment;
        redraw();
      },
      send: (ready) => {
        this.#onSend(ready);
        this.clear();
      },
      drop: () => {
        this.clear();
        byId('file-pick').focus();
      },
    });
  }

  #stopTrial(): void {
    clearTimeout(this.#timer);
    this.#trial.abort();
  }

  #beginTrial(): void {
    this.#stopTrial();
    this.#tried = [];
    const options = this.#setup === null ? null : (this.#parts?.trialOptions(this.#setup) ?? null);
    if (this.#setup === null || options === null) {
      redraw();
      return;
    }
    const trial = new AbortController();
    this.#trial = trial;
    const rows = this.#setup.looked.rows.slice(0, TRIAL_ROWS);
    this.#tried = rows.map(() => null);
    redraw();
    const attempt = { ...options, signal: trial.signal };
    this.#timer = setTimeout(() => void this.#try(rows, attempt), TRIAL_PAUSE_MS);
  }

  async #try(rows: readonly Row[], options: TrialOptions): Promise<void> {
    const { signal } = options;
    for (const [place, row] of rows.entries()) {
      try {
        const { tryRow } = await import('./trial.ts');
        const tried = await tryRow(row, options);
        if (signal.aborted) return;
        this.#tried = this.#tried.with(place, tried);
      } catch (error) {
        if (signal.aborted) return;
        this.#tried = this.#tried.with(place, { failure: wordsOf(error) });
      }
      redraw();
    }
  }
}

function dropZone(hasFile: boolean, open: (file: File) => unknown): TemplateResult {
  const take = (files: FileList | null | undefined): void => {
    const [file] = files ?? [];
    if (file !== undefined) open(file);
  };
  const onDrag = (event: DragEvent): void => {
    event.preventDefault();
    const isOver = event.type === 'dragenter' || event.type === 'dragover';
    byId('drop').classList.toggle('over', isOver);
    if (event.type === 'drop') take(event.dataTransfer?.files);
  };
  return html`<div
    id="drop"
    class="drop"
    ?hidden=${hasFile}
    @dragenter=${onDrag}
    @dragover=${onDrag}
    @dragleave=${onDrag}
    @drop=${onDrag}
  >
    ${fileField({
      ...{ id: 'file', accept: FILE_TYPES, open },
      label: t('Slip en fil her, eller vælg en', 'Drop a file here, or choose one'),
    })}
    <p class="muted" id="file-hint">
      ${t(
        'Excel (.xlsx), CSV eller NDJSON med en række overskrifter, op til en million rækker. Intet sendes, før du siger til.',
        'Excel (.xlsx), CSV or NDJSON with a row of headings, up to a million rows. Nothing is sent before you say so.',
      )}
    </p>
  </div>`;
}
