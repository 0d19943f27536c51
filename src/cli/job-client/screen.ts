export interface Screen {
  progress(text: string): void;
  say(text: string): void;
}

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Between permanent progress lines. */
const LINE_EVERY_MS = 5_000;

export function createScreen(terminal: Terminal): Screen {
  let shown = '';
  let lastMs = -Infinity;
  const clear = () => {
    if (shown !== '') terminal.write(`\r${' '.repeat(shown.length)}\r`);
    shown = '';
  };
  return {
    progress: (text) => {
      if (terminal.isTTY === true) {
        const fitting = text.slice(0, (terminal.columns ?? 80) - 1);
        clear();
        terminal.write(fitting);
        shown = fitting;
        return;
      }
      const nowMs = performance.now();
      if (nowMs - lastMs < LINE_EVERY_MS) return;
      lastMs = nowMs;
      terminal.write(`${text}\n`);
    },
    say: (text) => {
      clear();
      terminal.write(`${text}\n`);
    },
  };
}

const BAR_CHARS = 24;

export function bar(part: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, part)) * BAR_CHARS);
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CHARS - filled)}]`;
}

export const counted = (count: number): string => Math.round(count).toLocaleString('en');

export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.max(0.1, seconds).toFixed(1)} s`;
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
