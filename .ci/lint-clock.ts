/** A rule of our own for the linter: `new Date()` reads the clock of the machine (`.oxlintrc.json`). */
interface NewExpression {
  readonly callee: { readonly name?: string };
  readonly arguments: readonly unknown[];
}

interface Context {
  report(found: { readonly node: NewExpression; readonly message: string }): void;
}

const noNewDate = {
  create: (context: Context) => ({
    NewExpression(node: NewExpression): void {
      if (node.callee.name !== 'Date' || node.arguments.length > 0) return;
      const message = 'The time is passed in: use a Clock (src/kernel/clock.ts).';
      context.report({ node, message });
    },
  }),
};

export default { meta: { name: 'clock' }, rules: { 'no-new-date': noNewDate } };
