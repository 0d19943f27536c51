/** No listener, a missing socket file, an unknown name. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** SQLSTATE: connection exceptions; shutting down, crashed, starting up; a standby's refusal. */
const SERVER = /^(?:08...|57P0[123]|25006)$/;
/** The driver's own errors have no code. */
const DRIVER = /terminated|timeout|connection error/i;

export class StoreSilent extends Error {
  constructor() {
    super('connection error: the store says nothing');
  }
}

export function isServerUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isServerUnavailable);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return DRIVER.test(error.message);
  // A missing file differs from a missing socket.
  if (code === 'ENOENT') return syscall === 'connect';
  return SYSTEM.has(code) || SERVER.test(code);
}

/** The server takes no writes: a standby, or a primary that an operator has closed. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '25006';
}

/** Cancelled by the server's limit: a held lock, or a slow disk. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014';
}
