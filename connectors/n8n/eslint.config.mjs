import { config } from '@n8n/node-cli/eslint'

export default [
  ...config,
  {
    // Rules that n8n has only for nodes it verifies: a license of its choice, and who publishes the package.
    files: ['package.json'],
    rules: {
      'n8n-nodes-base/community-package-json-license-not-default': 'off',
      'n8n-nodes-base/community-package-json-author-missing': 'off',
      '@n8n/community-nodes/valid-author': 'off',
      '@n8n/community-nodes/require-homepage': 'off',
      // Overrides matter only in development: the linter's package depends on half a gigabyte that it never loads.
      '@n8n/community-nodes/no-overrides-field': 'off',
    },
  },
]
