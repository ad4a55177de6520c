import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow'

// eslint-disable-next-line n8n-nodes-base/cred-class-field-documentation-url-missing -- no public page has it yet
export class VenueDataApi implements ICredentialType {
  name = 'venueDataApi'

  displayName = 'Venue Data API'

  icon: Icon = { light: 'file:../icons/venueData.svg', dark: 'file:../icons/venueData.dark.svg' }

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      placeholder: 'https://venue.example.com',
      description: 'Where the service is, without /api/v1',
      required: true,
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      placeholder: 'service_sk_…',
      description:
        'A key of your own software, which the owner of the venue creates in the office. The trigger needs one that may manage webhook endpoints.',
      required: true,
    },
  ]

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-Service-Key': '={{$credentials.apiKey}}' } },
  }

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/api/v1/me' },
  }
}
