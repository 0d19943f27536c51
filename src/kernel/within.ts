/**
 * Resolves or rejects as `work`, or after `ms` as `late` returns or throws. The work goes on; a failure after that is
 * ignored.
 */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const over = Promise.withResolvers<null>();
  const timer = setTimeout(() => over.resolve(null), ms).unref();
  const answer = work.then((value) => ({ value }));
  const first = await Promise.race([answer, over.promise]).finally(() => clearTimeout(timer));
  return first === null ? late() : first.value;
}
