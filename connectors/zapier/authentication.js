'use strict'

/** A key; the connection is named after its venue. */
exports.authentication = {
  type: 'custom',
  fields: [
    {
      key: 'baseUrl',
      label: 'Base URL',
      helpText: 'Where the service is, such as `https://venue.example.com`, without `/api/v1`.',
      required: true,
    },
    {
      key: 'apiKey',
      label: 'API Key',
      type: 'password',
      helpText:
        'A key of kind “automation platform”, which the owner of the venue creates in the office under Integrations.',
      required: true,
    },
  ],
  test: async (z) => (await z.request('/api/v1/me')).data,
  connectionLabel: '{{venue.name}}',
}
