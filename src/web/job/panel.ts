/** One job: its upload, its progress, its actions, its results. */
import { CHARSETS } from '../../jobs/for-pages.ts';
import type { Action } from '../../jobs/for-pages.ts';
import { wordsOf } from '../shared/ask.ts';
import type { Refused } from '../shared/ask.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { confirmed, toast } from '../shared/notices.ts';
import type { Environment, SentAs } from './address-bar.ts';
import { act, deleteJob, keepKey, readJob } from './api.ts';
import { watch } from './events.ts';
import { FoundRows } from './found-rows.ts';
import type { Ready } from './intake.ts';
import type { Job, Progress } from './job.ts';
import { makeDraft, newName, sendRows, startJob } from './send.ts';
import { typeOf } from './streams.ts';
import type { Reading } from './source.ts';
import { takesRest, viewOf } from './view.ts';
import { t } from '../shared/language.ts';
import { kindWords, statusWords, timeWords } from './words.ts';
import { moment, number, rows } from '../shared/format.ts';

interface Shown {
  readonly environment: Environment;
  readonly progress: Progress;
  /** How its file is being sent; null: it is not, or that is not known here. */
  readonly sent: SentAs | null;
}

export interface PanelDeps {
  /** Which job is shown, for the address of the page; null: none. */
  readonly onOpen: (
    shown: {
      readonly environment: Environment;
      readonly job: string;
      readonly sent: SentAs | null;
    } | null,
  ) => void;
  /** It has another status than before. */
  readonly onChange: () => void;
}

interface SentFile {
  readonly file: File;
  readonly reading: Reading;
  readonly environment: Environment;
  readonly job: Job;
  readonly sent: SentAs;
}

export class Panel {
  readonly #deps: PanelDeps;
  readonly #found = new FoundRows();
  #shown: Shown | null = null;
  #going = new AbortController();
  #isSending = false;
  #trouble: Refused | null = null;
  #error: unknown = null;

  constructor(deps: PanelDeps) {
    this.#deps = deps;
  }

  begin(): void {
    this.#found.begin();
    const again = byIdAs('again-file', HTMLInputElement);
    again.addEventListener('change', () => {
      const [file] = again.files ?? [];
      if (file !== undefined) void this.#sendRest(file);
    });
    window.addEventListener('beforeunload', (event) => {
      // Only the rows that are not sent yet are lost: everything else goes on without this page.
      if (this.#isSending) event.preventDefault();
    });
  }

  /** Shows a job and follows it. */
  async open(environment: Environment, id: string, sent: SentAs | null): Promise<void> {
    const going = this.#leave();
    try {
      const job = await readJob(environment, `v1/jobs/${id}`);
      if (going.aborted) return;
      this.#take({ environment, sent, progress: { job, rowsPerSecond: null } });
      byId('panel').focus();
      await this.#follow(going);
    } catch (error) {
      if (!going.aborted) this.#fail(error);
    }
  }

  /** Makes a job of a file, and shows it on its way. */
  async send(ready: Ready): Promise<void> {
    const { file, reading, environment, kind, columns, srid, decimal } = ready;
    const going = this.#leave();
    const { delimiter } = reading;
    const sent: SentAs = {
      name: newName(),
      charset: reading.charset,
      delimiter:
        reading.type !== 'csv'
          ? null
          : delimiter === null || delimiter === undefined
            ? ''
            : String.fromCharCode(delimiter),
      sheet: reading.sheet,
      headRow: reading.headRow,
      decimal,
    };
    try {
      const wanted = { environment, kind, columns, srid, label: file.name };
      const job = await makeDraft(wanted, sent.name, this.#sending(going));
      this.#take({ environment, sent, progress: { job, rowsPerSecond: null } });
      byId('panel').focus();
      await this.#sendAll({ file, reading, environment, job, sent }, going);
    } catch (error) {
      if (!going.aborted) this.#fail(error);
    }
  }

  /** Shows none. */
  close(): void {
    this.#leave();
    show(byId('panel'), false);
    this.#deps.onOpen(null);
    // What was closed had the keyboard: it goes on at the list, where the job still stands.
    byId('list-title').focus();
  }

  /** Anew, in the language of now. */
  draw(): void {
    const shown = this.#shown;
    show(byId('panel'), shown !== null || this.#error !== null);
    say(byId('panel-line'), this.#trouble === null ? '' : this.#troubleWords(this.#trouble));
    const why = shown?.progress.job.error ?? null;
    if (this.#error !== null) say(byId('panel-why'), wordsOf(this.#error));
    else if (why === null) say(byId('panel-why'), '');
    else void this.#sayWhy(why);
    if (shown === null) return;
    this.#drawJob(shown);
    this.#drawActions(shown);
    this.#found.draw();
  }

  /** The service keeps why a job waits or failed in English. */
  async #sayWhy(why: string): Promise<void> {
    const { rowErrorInDanish } = await import('../../core/rows/row-errors.ts');
    const isShown = this.#error === null && this.#shown?.progress.job.error === why;
    if (isShown) say(byId('panel-why'), t(rowErrorInDanish(why), why));
  }

  /** What was shown goes; requests for it are aborted. */
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
    this.draw();
    if (before !== job.status) {
      this.#deps.onChange();
      byId('panel-said').textContent = `${nameOf(job)}: ${statusWords(job.status)}`;
    }
    this.#found.of(shown.environment, job);
  }

  #fail(error: unknown): void {
    this.#isSending = false;
    this.#error = error;
    this.draw();
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
    this.draw();
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
      onTrouble: (trouble: Refused | null) => this.#tell(trouble),
      onRows: (rows: number) => {
        const shown = this.#shown;
        if (shown === null || signal.aborted) return;
        const job = { ...shown.progress.job, totalRows: rows };
        this.#shown = { ...shown, progress: { job, rowsPerSecond: null } };
        this.draw();
      },
    };
  }

  async #sendAll(sending: SentFile, going: AbortSignal): Promise<void> {
    const { file, reading, environment, job, sent } = sending;
    const told = this.#sending(going);
    this.#isSending = true;
    this.draw();
    // Not before it starts is a job billed to a key; a page that goes away meanwhile leaves a draft.
    await sendRows(file, reading, { ...told, job, environment, sent });
    this.#isSending = false;
    keepKey(environment);
    const started = await startJob(environment, job.id, told);
    if (going.aborted) return;
    this.#take({ environment, sent: null, progress: { job: started, rowsPerSecond: null } });
    await this.#follow(going);
  }

  /** The pieces that were taken before add nothing; another file is refused by the first that differs. */
  async #sendRest(file: File): Promise<void> {
    const shown = this.#shown;
    if (shown === null || shown.sent === null) return;
    const { environment, sent, progress } = shown;
    const reading: Reading = {
      type: typeOf(file.name),
      charset: charsetNamed(sent.charset),
      delimiter: (sent.delimiter ?? '') === '' ? null : sent.delimiter?.charCodeAt(0),
      sheet: sent.sheet,
      headRow: sent.headRow,
    };
    this.#error = null;
    const going = this.#going.signal;
    try {
      await this.#sendAll({ file, reading, environment, job: progress.job, sent }, going);
    } catch (error) {
      if (!going.aborted) this.#fail(error);
    }
  }

  #drawJob({ environment, progress, sent }: Shown): void {
    const { job } = progress;
    const view = viewOf(progress);
    byId('panel-title').textContent = nameOf(job);
    const status = byId('panel-status');
    status.textContent = this.#isSending ? t('Sendes', 'Being sent') : statusWords(job.status);
    status.className = `badge ${STATUS_LOOK[job.status]}`;
    const billed =
      environment === 'live' ? `${number(job.billedUnits)} ${t('enheder', 'units')}` : 'test';
    byId('panel-about').textContent = [
      kindWords(job.kind),
      moment(job.createdAt),
      billed,
      job.id,
    ].join(' · ');
    const isWaiting = job.status === 'draft';
    const bar = byIdAs('panel-bar', HTMLProgressElement);
    show(bar, !isWaiting);
    bar.value = view.percent;
    byId('panel-counts').textContent = isWaiting
      ? t(`${rows(job.totalRows)} er modtaget`, `${rows(job.totalRows)} received`)
      : countsWords(job);
    byId('panel-pace').textContent = paceWords(view.rowsPerSecond, view.secondsLeft);
    show(
      byId('panel-again'),
      isWaiting && sent !== null && !this.#isSending && takesRest(job, Date.now()),
    );
  }

  #drawActions({ progress: { job }, sent }: Shown): void {
    const { actions } = viewOf({ job, rowsPerSecond: null });
    // A file of which only a part has come is not started by a slip of the finger.
    const isPart = job.status === 'draft' && sent !== null;
    const offered = this.#isSending
      ? []
      : actions.filter((action) => !(isPart && action === 'start'));
    const place = byId('panel-actions');
    const focused = place.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset['action']
      : undefined;
    const close = h(
      'button',
      { type: 'button', class: 'quiet', 'data-action': 'close', onclick: () => this.close() },
      this.#isSending ? t('Stop', 'Stop') : t('Luk', 'Close'),
    );
    const buttons = offered.map((action) =>
      h(
        'button',
        { type: 'button', 'data-action': action, onclick: () => void this.#do(action) },
        actionWords(action),
      ),
    );
    const same =
      [...place.children].map((each) => each.textContent).join() ===
      [...buttons, close].map((each) => each.textContent).join();
    if (same) return;
    place.replaceChildren(...buttons, close);
    const next = [...buttons, close].find((each) => each.dataset['action'] === focused);
    if (focused !== undefined) (next ?? buttons[0] ?? close).focus();
  }

  async #do(action: Action | 'delete'): Promise<void> {
    const shown = this.#shown;
    if (shown === null) return;
    const { environment, progress } = shown;
    const { id } = progress.job;
    try {
      if ((action === 'cancel' || action === 'delete') && !(await sure(action, progress.job)))
        return;
      if (action === 'delete') {
        await deleteJob(environment, id);
        toast(t('Jobbet er slettet.', 'The job has been deleted.'));
        this.close();
        this.#deps.onChange();
        return;
      }
      const job = await act(environment, id, action);
      this.#error = null;
      this.#take({ ...shown, sent: null, progress: { job, rowsPerSecond: null } });
      // A draft had nothing to be followed.
      if (action === 'start') await this.#follow(this.#going.signal);
    } catch (error) {
      toast(wordsOf(error), 'bad');
    }
  }
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

function charsetNamed(name: string): Reading['charset'] {
  return CHARSETS.find((charset) => charset === name) ?? 'utf-8';
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
  const left = timeWords(secondsLeft);
  return t(
    `${number(Math.round(rowsPerSecond))} rækker i sekundet, omkring ${left} tilbage`,
    `${number(Math.round(rowsPerSecond))} rows per second, about ${left} left`,
  );
}

function actionWords(action: Action | 'delete'): string {
  const words = {
    start: t('Start', 'Start'),
    pause: t('Pause', 'Pause'),
    resume: t('Fortsæt', 'Resume'),
    cancel: t('Annuller jobbet', 'Cancel the job'),
    delete: t('Slet', 'Delete'),
  };
  return words[action];
}

/** Neither can be taken back. */
function sure(action: 'cancel' | 'delete', job: Job): Promise<boolean> {
  const isDelete = action === 'delete';
  const title = isDelete
    ? t(`Slet ${nameOf(job)}?`, `Delete ${nameOf(job)}?`)
    : t(`Annuller ${nameOf(job)}?`, `Cancel ${nameOf(job)}?`);
  const means = isDelete
    ? t(
        'Jobbet, dets rækker og dets svar forsvinder.',
        'The job, its rows and its answers will be deleted.',
      )
    : t('De rækker, der er besvaret, bliver.', 'Rows already answered are kept.');
  const yes = isDelete ? t('Slet', 'Delete') : t('Annuller jobbet', 'Cancel the job');
  return confirmed(title, yes, [means]);
}
