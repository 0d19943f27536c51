/** A rule of our own for the linter: `new Date()` and `Date.now()` read the machine's clock (`.oxlintrc.json`). */
interface Name {
  readonly name?: string;
}

interface NewExpression {
  readonly callee: Name;
  readonly arguments: readonly unknown[];
}

interface CallExpression {
  readonly callee: { readonly object?: Name; readonly property?: Name };
}

interface Context {
  report(found: { readonly node: object; readonly message: string }): void;
}

const message = 'The time is passed in: use a Clock (src/kernel/clock.ts).';

const useClock = {
  create: (context: Context) => ({
    NewExpression(node: NewExpression): void {
      const { callee, arguments: given } = node;
      if (callee.name === 'Date' && given.length === 0) context.report({ node, message });
    },
    CallExpression(node: CallExpression): void {
      const { object, property } = node.callee;
      if (object?.name === 'Date' && property?.name === 'now') context.report({ node, message });
    },
  }),
};

export default { meta: { name: 'clock' }, rules: { 'use-clock': useClock } };
