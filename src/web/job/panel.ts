import type { Action } from '../../jobs/for-pages.ts';
import { wordsOf } from '../shared/ask.ts';
import type { Refused } from '../shared/ask.ts';
import { byId } from '../shared/dom.ts';
import { button, confirmed, fileField, html, nothing, repeat } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { toast } from '../shared/notices.ts';
import type { Environment, PageState, SentAs } from './address-bar.ts';
import { act, deleteJob, keepKey, readJob } from './api.ts';
import { FILE_TYPES, redraw, warnNotice } from './draw.ts';
import { watch } from './events.ts';
import { FoundRows } from './found-rows.ts';
import type { Ready } from './setup.ts';
import type { Job, Progress } from './api.ts';
import { mayPass } from './retry.ts';
import { makeDraft, newName, sendRows, startJob } from './send.ts';
import type { ToSend } from './send.ts';
import { typeOf } from '../shared/streams.ts';
import type { Reading } from './source.ts';
import { takesRest, viewOf } from './view.ts';
import { t } from '../shared/language.ts';
import { kindWords, statusWords } from './words.ts';
import { moment, number, rows, span } from '../shared/format.ts';

interface Shown {
  readonly environment: Environment;
  readonly progress: Progress;
  /** null: it is not being sent, or not from here. */
  readonly sent: SentAs | null;
}

export interface PanelDeps {
  /** For the page's address; null: none. */
  readonly onOpen: (shown: PageState | null) => void;
  readonly onChange: () => void;
}

interface SentFile extends ToSend {
  readonly file: File;
  readonly reading: Reading;
}

export class Panel {
  readonly #deps: PanelDeps;
  readonly #found = new FoundRows();
  #shown: Shown | null = null;
  #going = new AbortController();
  #isSending = false;
  /** The file of a job that is being made. */
  #making = '';
  #trouble: Refused | null = null;
  #error: unknown = null;
  #said: () => string = () => '';
  #inDanish: ((error: string) => string) | null = null;

  constructor(deps: PanelDeps) {
    this.#deps = deps;
  }

  begin(): void {
    window.addEventListener('beforeunload', (event) => {
      // Only unsent rows are lost: all else goes on without this page.
      if (this.#isSending) event.preventDefault();
    });
  }

  async open(environment: Environment, id: string, sent: SentAs | null): Promise<void> {
    const going = this.#leave();
    try {
      const job = await readJob(environment, `v1/jobs/${id}`);
      if (going.aborted) return;
      this.#take({ environment, sent, progress: { job, rowsPerSecond: null } });
      byId('panel').focus();
      await this.#follow(going);
    } catch (error) {
      this.#fail(error, going);
    }
  }

  async send(ready: Ready): Promise<void> {
    const { file, reading, environment, kind, columns, srid, decimal } = ready;
    const going = this.#leave();
    const sent: SentAs = { ...reading, name: newName(), decimal };
    [this.#isSending, this.#making] = [true, file.name];
    redraw();
    try {
      const wanted = { environment, kind, columns, srid, label: file.name };
      const job = await makeDraft(wanted, sent.name, this.#sending(going));
      // Another job is shown meanwhile.
      going.throwIfAborted();
      this.#take({ environment, sent, progress: { job, rowsPerSecond: null } });
      byId('panel').focus();
      await this.#sendAll({ file, reading, environment, job, sent }, going);
    } catch (error) {
      this.#fail(error, going);
    }
  }

  close(): void {
    this.#leave();
    redraw();
    this.#deps.onOpen(null);
    // The focus goes on at the list, where the job still stands.
    byId('list-title').focus();
  }

  view(): Content {
    const shown = this.#shown;
    const failure = this.#error === null ? '' : wordsOf(this.#error);
    if (shown === null && failure === '' && !this.#isSending) return nothing;
    const without = this.#isSending ? this.#makingView() : warnNotice('panel-why', failure);
    return html`<section class="card" id="panel" aria-labelledby="panel-title" tabindex="-1">
      ${shown === null ? without : this.#jobView(shown, failure)}
    </section>`;
  }

  #makingView(): TemplateResult {
    return html`<h2 id="panel-title">${this.#making}</h2>
      <p role="status">${t('Sendes', 'Being sent')}</p>
      ${this.#lineView()}`;
  }

  #lineView(): Content {
    const words = this.#trouble && this.#troubleWords(this.#trouble);
    return warnNotice('panel-line', words ?? '');
  }

  #jobView(shown: Shown, failure: string): TemplateResult {
    const { job } = shown.progress;
    const { status, error } = job;
    const words = this.#isSending ? t('Sendes', 'Being sent') : statusWords(status);
    return html`<div class="heading">
        <h2 id="panel-title">${nameOf(job)}</h2>
        <span class="badge ${STATUS_LOOK[status]}" id="panel-status">${words}</span>
      </div>
      ${aboutView(shown)} ${this.#lineView()}
      ${warnNotice('panel-why', failure === '' ? this.#why(error) : failure)} ${progressView(shown)}
      <p class="visually-hidden" role="status">${this.#said()}</p>
      ${this.#againView(shown)} ${this.#actionsView(shown)} ${this.#found.view()}`;
  }

  /** The service's words are English; the Danish is loaded where it is needed. */
  #why(error: string | null): string {
    if (error === null) return '';
    if (this.#inDanish !== null) return t(this.#inDanish(error), error);
    void import('../../core/rows/row-errors.ts').then(({ rowErrorInDanish }) => {
      this.#inDanish = rowErrorInDanish;
      redraw();
    });
    return '';
  }

  /** Aborts requests for what was shown. */
  #leave(): AbortSignal {
    this.#going.abort();
    this.#going = new AbortController();
    this.#shown = null;
    this.#isSending = false;
    this.#trouble = null;
    this.#error = null;
    this.#found.clear();
    return this.#going.signal;
  }

  #take(shown: Shown): void {
    const before = this.#shown?.progress.job.status;
    this.#shown = shown;
    const { job } = shown.progress;
    this.#deps.onOpen({ environment: shown.environment, job: job.id, sent: shown.sent });
    this.#found.of(shown.environment, job);
    if (before !== job.status) {
      this.#said = () => `${nameOf(job)}: ${statusWords(job.status)}`;
      this.#deps.onChange();
    }
    redraw();
  }

  #fail(error: unknown, going: AbortSignal): void {
    // What is no longer shown may have come far: the list says how far.
    this.#deps.onChange();
    if (going.aborted) return;
    this.#isSending = false;
    this.#error = error;
    redraw();
  }

  async #follow(going: AbortSignal): Promise<void> {
    const shown = this.#shown;
    if (shown === null || shown.progress.job.status === 'draft') return;
    const { environment, progress } = shown;
    await watch(environment, progress.job.id, {
      signal: going,
      onProgress: (next) => {
        if (!going.aborted && this.#shown !== null) this.#take({ ...this.#shown, progress: next });
      },
      onLine: (trouble) => {
        if (!going.aborted) this.#tell(trouble);
      },
    });
  }

  #tell(trouble: Refused | null): void {
    if (this.#trouble === null && trouble === null) return;
    this.#trouble = trouble;
    redraw();
  }

  #troubleWords({ status, message }: Refused): string {
    if (status !== 0) return t(`${message} Prøver igen …`, `${message} Trying again …`);
    return this.#isSending
      ? t(
          'Linjen er afbrudt. Filen sendes videre, når den er der igen.',
          'The connection is down. The file continues when it is back.',
        )
      : t(
          'Linjen er afbrudt. Jobbet kører videre; siden følger med igen, når linjen er der.',
          'The connection is down. The job keeps running; this page catches up when it is back.',
        );
  }

  #sending(signal: AbortSignal) {
    return {
      signal,
      onTrouble: (trouble: Refused | null) => signal.aborted || this.#tell(trouble),
      onRows: (rows: number) => {
        const shown = this.#shown;
        if (shown === null || signal.aborted) return;
        const job = { ...shown.progress.job, totalRows: rows };
        this.#shown = { ...shown, progress: { job, rowsPerSecond: null } };
        redraw();
      },
    };
  }

  async #sendAll(sending: SentFile, going: AbortSignal): Promise<void> {
    const { file, reading, environment, job, sent } = sending;
    const told = this.#sending(going);
    this.#isSending = true;
    redraw();
    // A job is billed to a key only once it starts: a page that goes away leaves a draft.
    await sendRows(file, reading, { ...told, job, environment, sent });
    this.#isSending = false;
    keepKey(environment);
    const started = await startJob(environment, job.id, told);
    going.throwIfAborted();
    this.#take({ environment, sent: null, progress: { job: started, rowsPerSecond: null } });
    await this.#follow(going);
  }

  /** Pieces taken before add nothing; another file is refused by the first that differs. */
  async #sendRest(file: File): Promise<void> {
    const shown = this.#shown;
    if (shown === null || shown.sent === null) return;
    const { environment, sent, progress } = shown;
    const reading: Reading = { ...sent, type: typeOf(file.name) };
    this.#error = null;
    const { job } = progress;
    const going = this.#going.signal;
    const sending = this.#sendAll({ file, reading, environment, job, sent }, going);
    await sending.catch((error: unknown) => this.#fail(error, going));
  }

  #againView({ progress: { job }, sent }: Shown): Content {
    const isHalf = job.status === 'draft' && sent !== null && !this.#isSending;
    if (!isHalf || !takesRest(job, Date.now())) return nothing;
    return html`<div id="panel-again">
      <p class="notice warn">
        <strong>${t('Filen er ikke sendt færdig.', 'The file has not been sent in full.')}</strong>
        ${t('Vælg den samme fil, så sendes resten.', 'Choose the same file to send the rest.')}
      </p>
      ${fileField({
        ...{ id: 'again-file', label: t('Den samme fil', 'The same file'), accept: FILE_TYPES },
        open: (file) => this.#sendRest(file),
      })}
    </div>`;
  }

  #actionsView({ progress: { job }, sent }: Shown): TemplateResult {
    const { actions } = viewOf({ job, rowsPerSecond: null });
    // A file of which only a part has come is not started by a slip of the finger.
    const isPart = job.status === 'draft' && sent !== null;
    const offered = this.#isSending
      ? []
      : actions.filter((action) => !(isPart && action === 'start'));
    const close = this.#isSending ? t('Stop', 'Stop') : t('Luk', 'Close');
    return html`<div class="buttons start" id="panel-actions">
      ${repeat(
        offered,
        (action) => action,
        (action) => button(actionWords(action), () => this.#do(action)),
      )}
      ${button(close, () => this.close(), 'quiet')}
    </div>`;
  }

  async #do(action: Action | 'delete'): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    const { environment, progress } = shown;
    const { id } = progress.job;
    const going = this.#going.signal;
    try {
      if ((action === 'cancel' || action === 'delete') && !(await sure(action, progress.job)))
        return;
      if (action === 'delete') {
        await deleteJob(environment, id);
        toast(t('Jobbet er slettet.', 'The job has been deleted.'));
        if (!going.aborted) this.close();
        this.#deps.onChange();
        return;
      }
      const job = await act(environment, id, action);
      // Another job is shown meanwhile.
      if (going.aborted) return;
      this.#error = null;
      this.#take({ ...shown, sent: null, progress: { job, rowsPerSecond: null } });
      // A draft had nothing to be followed.
      if (action === 'start') await this.#follow(going);
    } catch (error) {
      toast(wordsOf(error), 'bad');
      // Somebody else was first: what is so now is shown.
      if (!going.aborted && !mayPass(error)) await this.open(environment, id, shown.sent);
    }
  }
}

function aboutView({ environment, progress: { job } }: Shown): TemplateResult {
  const units = `${number(job.billedUnits)} ${t('enheder', 'units')}`;
  const billed = environment === 'live' ? units : 'test';
  const about = [kindWords(job.kind), moment(job.createdAt), billed, job.id];
  return html`<p class="muted" id="panel-about">${about.join(' · ')}</p>`;
}

function progressView({ progress }: Shown): TemplateResult {
  const { job } = progress;
  const { percent, rowsPerSecond, secondsLeft } = viewOf(progress);
  const isWaiting = job.status === 'draft';
  const counts = isWaiting
    ? t(`${rows(job.totalRows)} er modtaget`, `${rows(job.totalRows)} received`)
    : countsWords(job);
  return html`<progress
      max="100"
      aria-labelledby="panel-title"
      ?hidden=${isWaiting}
      .value=${percent}
    ></progress>
    <p id="panel-counts" class="counts">${counts}</p>
    <p class="muted">${paceWords(rowsPerSecond, secondsLeft)}</p>`;
}

const STATUS_LOOK: Readonly<Record<Job['status'], string>> = {
  draft: 'none',
  queued: 'none',
  running: 'good',
  paused: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
};

function nameOf({ label, id }: Job): string {
  return label ?? id;
}

function countsWords({ processedRows, totalRows, succeeded, failed }: Job): string {
  const done = t(
    `${number(processedRows)} af ${rows(totalRows)}`,
    `${number(processedRows)} of ${rows(totalRows)}`,
  );
  const found = t(
    `${number(succeeded)} besvaret, ${number(failed)} uden svar`,
    `${number(succeeded)} answered, ${number(failed)} without an answer`,
  );
  return `${done}: ${found}`;
}

function paceWords(rowsPerSecond: number | null, secondsLeft: number | null): string {
  if (rowsPerSecond === null || secondsLeft === null) return '';
  const left = span(Math.max(1, Math.ceil(secondsLeft)));
  return t(
    `${number(Math.round(rowsPerSecond))} rækker i sekundet, omkring ${left} tilbage`,
    `${number(Math.round(rowsPerSecond))} rows per second, about ${left} left`,
  );
}

function actionWords(action: Action | 'delete'): string {
  return {
    start: t('Start', 'Start'),
    pause: t('Pause', 'Pause'),
    resume: t('Fortsæt', 'Resume'),
    cancel: t('Annuller jobbet', 'Cancel the job'),
    delete: t('Slet', 'Delete'),
  }[action];
}

/** Neither can be taken back. */
function sure(action: 'cancel' | 'delete', job: Job): Promise<boolean> {
  const verb = action === 'delete' ? t('Slet', 'Delete') : t('Annuller', 'Cancel');
  const gone = t(
    'Jobbet, dets rækker og dets svar forsvinder.',
    'The job, its rows and its answers will be deleted.',
  );
  const kept = t('De rækker, der er besvaret, bliver.', 'Rows already answered are kept.');
  const means = [action === 'delete' ? gone : kept];
  return confirmed(`${verb} ${nameOf(job)}?`, actionWords(action), means);
}
