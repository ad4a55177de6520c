import { writableScopes } from './tools/all.ts'

export const help = `venue-data-mcp: lets assistants read a venue's data, and write what you allow.

  venue-data-mcp --base-url https://venue.example.com [--allow SCOPE,…]
  venue-data-mcp --base-url https://venue.example.com --http [--port 8090]

  --base-url URL      where the service is; or VENUE_DATA_URL
  --key-file FILE     a file that holds the key; else VENUE_DATA_KEY has it
  --allow SCOPE,…     writing tools that are to be there: ${writableScopes.slice(0, 5).join(', ')},
                      ${writableScopes.slice(5).join(', ')}
  --tools JOB         service: the book, guests, the waitlist and tasks; marketing: guests, figures, inquiries and
                      tasks; all without a word
  --http              serve streamable HTTP at /mcp in place of stdio; each client sends its own key in X-Service-Key
  --host ADDRESS      where to listen: 127.0.0.1 without a word
  --port NUMBER       8090 without a word
  --allow-host NAME   a name by which clients reach it, with the port if one is in it; may be given again
  --allow-origin URL  an origin whose pages may call it; may be given again
  --public-url URL    the address at which clients reach it, https://mcp.example.com/mcp: they sign in by OAuth, and
                      send tokens in place of keys; VENUE_DATA_CLIENT_ID and VENUE_DATA_CLIENT_SECRET hold what the
                      operator of the service registered
  --version, --help
`
