import { config } from '@n8n/node-cli/eslint'

export default [
  ...config,
  {
    // What n8n asks only of nodes it is to verify: a license of its choice, and who publishes the package.
    files: ['package.json'],
    rules: {
      'n8n-nodes-base/community-package-json-license-not-default': 'off',
      'n8n-nodes-base/community-package-json-author-missing': 'off',
      '@n8n/community-nodes/valid-author': 'off',
      '@n8n/community-nodes/require-homepage': 'off',
      // Overrides count only where this package is developed: the linter's package names half a gigabyte that it never loads.
      '@n8n/community-nodes/no-overrides-field': 'off',
    },
  },
]
