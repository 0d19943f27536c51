/** Run before a program: says in one sentence that this Node cannot run it, and what to do. */
'use strict';

const { oldest, serves } = require('./version.cjs');

if (!serves(process.versions.node)) {
  console.error(
    `Geoopslag runs on Node ${oldest} or newer, and this is ${process.versions.node}: ` +
      'run `npm ci`, which fetches one for this folder on Linux, or install Node 24.',
  );
  process.exitCode = 1;
}
