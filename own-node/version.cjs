/**
 * Which Node runs Geoopslag: one that strips types without a word and knows `using`. This file and its
 * neighbours are read by any Node, so they are plain CommonJS.
 */
'use strict';

const OLDEST = [24, 3];

/** Of a version as `process.versions.node` has it. */
function serves(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

module.exports = { serves, oldest: OLDEST.join('.') };
