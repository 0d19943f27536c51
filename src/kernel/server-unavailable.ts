/** Whether a database merely is not there now, which waiting mends, told from every other mistake. */

/** Of the operating system: nobody listens, the socket's file is gone, the name is not known yet. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Of the server (SQLSTATE): connection exceptions; shutting down, crashed, starting up. */
const SERVER = /^(?:08...|57P0[123])$/;
/** Of the driver, which gives its own errors no code. */
const DRIVER = /terminated|timeout|connection error/i;

export function isServerUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isServerUnavailable);
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined) return DRIVER.test(error.message);
  // A file that is missing is another mistake than a socket that is.
  if (code === 'ENOENT') return syscall === 'connect';
  return SYSTEM.has(code) || SERVER.test(code);
}

/** Ended by the server at its limit: a lock was held, or the disk was slow. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '57014';
}
