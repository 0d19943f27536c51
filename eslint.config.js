// The house rules a linter can see. Import rules between folders live in .dependency-cruiser.cjs.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const NO_CLOCK = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'The time is passed in: use a Clock (src/kernel/clock.ts).',
  },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'The time is passed in: use a Clock (src/kernel/clock.ts).',
  },
];

export default tseslint.config(
  { ignores: ['node_modules', '.data', '.tmp', 'coverage', '**/*.generated.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.js'] } },
    },
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'max-depth': ['error', 3],
      complexity: ['error', 14],
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/config.ts reads the environment.',
        },
      ],
      'no-restricted-syntax': ['error', ...NO_CLOCK],
    },
  },
  {
    // Typed-array arithmetic: an index proven in range is read without a branch.
    files: ['src/geo/**', 'src/snapshot/**', 'src/addresses/**', 'bench/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off', complexity: ['error', 22] },
  },
  {
    files: ['src/config.ts', 'src/kernel/clock.ts', 'test/**', 'bench/**', 'vitest*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**', 'bench/**', '.ci/**', 'src/layers/catalogue.ts', 'src/kernel/failures.ts'],
    rules: {
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Command lines speak to a person: the terminal is their output.
    files: [
      '**/cli.ts',
      '**/*-cli.ts',
      'src/start/main.ts',
      'bench/**',
      'test/**',
      '.ci/**',
      'src/db/generate.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['*.js', '.*.cjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { projectService: false, program: null } },
  },
  {
    // Pages run in a browser, whose clock is the reader's.
    files: ['src/web/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['.*.cjs'], languageOptions: { globals: { module: 'writable' } } },
);
