/** `--import` of a program whose machine's clock is wrong by `CLOCK_AHEAD_MS`. */
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? '0');
const Right = Date;
const now = (): number => Right.now() + aheadMs;

globalThis.Date = new Proxy(Right, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given) as object,
  apply: () => new Right(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
