import type { StepName } from './steps.ts'

/*
 * What the README and the other pages promise of databases, runtimes, systems and other people's programs, each in the words
 * of its page, and who checks it. A sentence that changes is changed here, too; a test compares them.
 */

export type Claim = {
  readonly page: string
  /** The page's sentence, or the part of it that promises, word for word; line breaks do not matter. */
  readonly says: string
  /** Steps of `npm run check:release`, and tests that every change must pass. */
  readonly by: readonly (StepName | `${string}.test.ts`)[]
  /** What of it nobody has tried, and why. */
  readonly untried?: string
}

export const claims: Readonly<Record<string, Claim>> = {
  systems: {
    page: 'README.md',
    says: 'On Linux (x64, arm64) or macOS (arm64), with Node 20 or newer and the npm that comes with it:',
    by: ['start'],
  },
  'tested-with': {
    page: 'README.md',
    says: 'Tested on Linux x64, as root and as an ordinary user, with npm 10.8 and 11.19 on Node 20 and npm 12.2 on Node 26.',
    by: ['start'],
  },
  'brings-everything': {
    page: 'README.md',
    says: 'It brings its own Node and its own PostgreSQL, keeps everything under `.data`',
    by: ['start'],
  },
  curl: { page: 'README.md', says: '`curl --json` needs curl 7.82 or newer.', by: ['start'] },
  tests: {
    page: 'README.md',
    says: 'This runs every test on its own PostgreSQL: 7 to 16 minutes on two cores, depending on the machine.',
    by: ['tests'],
  },
  'own-postgresql': {
    page: 'docs/production.md',
    says: 'You need PostgreSQL 15 or later, with a database and an ordinary user that owns it.',
    by: ['postgresql'],
  },
  'embedded-postgresql': {
    page: 'docs/settings.md',
    says: 'PostgreSQL 15 or later. Absent: the embedded PostgreSQL 18 under `DATA_DIR`.',
    by: ['postgresql', 'start'],
  },
  'production-by-hand': {
    page: 'docs/production.md',
    says: 'Everything on this page was done on one Linux machine with PostgreSQL 15, except where noted as untested',
    by: ['postgresql', 'server/test/guides/production-guide.test.ts'],
  },
  upgrade: {
    page: 'docs/production.md',
    says: 'those of the previous version keep writing to the new schema.',
    by: ['upgrade', 'server/test/previous-release/statements.test.ts'],
  },
  citus: {
    page: 'docs/production.md',
    says: 'We ran this with Citus 13.2.2 on PostgreSQL 15, a coordinator and two nodes',
    by: ['cluster'],
  },
  'citus-costs': {
    page: 'docs/production.md',
    says: 'with Citus 13.2.2 on PostgreSQL 15.20, a coordinator and two nodes, and a plain PostgreSQL of the same version',
    by: ['cluster'],
  },
  docker: {
    page: 'docs/production.md',
    says: '`Dockerfile` builds an image that runs as an ordinary user, and `compose.yml` runs it with PostgreSQL 18.',
    by: ['docker'],
  },
  'rolling-restart': {
    page: 'docs/production.md',
    says: "With HAProxy's `inter 2s fall 3` that is 8 seconds.",
    by: ['server/test/processes/rolling-restart.test.ts'],
    untried: 'HAProxy itself: the test has a balancer of its own that checks in the same way.',
  },
  'pg-dump': {
    page: 'docs/production.md',
    says: '`pg_dump` archive instead, if `pg_dump` is on the machine and no older than the server',
    by: ['server/doors/operator/backup.test.ts'],
  },
  metrics: {
    page: 'docs/production.md',
    says: '[alerts.yml](alerts.yml) has sample alert rules for Prometheus (`rule_files`)',
    by: ['server/test/guides/alerts.test.ts'],
    untried: 'Prometheus itself: the test reads the rules and finds every figure they ask for.',
  },
  'amazon-ses': {
    page: 'docs/production.md',
    says: '| Amazon SES | `SES_TOPICS` | `POST /mail/ses` |',
    by: ['server/doors/callbacks/callbacks.test.ts'],
    untried: 'An account there: the test calls the address in the form that its documentation gives.',
  },
  postmark: {
    page: 'docs/production.md',
    says: '| Postmark | `POSTMARK_CALLBACK` | `POST /mail/postmark/<secret>`',
    by: ['server/doors/callbacks/callbacks.test.ts'],
    untried: 'An account there: the test calls the address in the form that its documentation gives.',
  },
  sendgrid: {
    page: 'docs/production.md',
    says: '| SendGrid | `SENDGRID_KEY` | `POST /mail/sendgrid` |',
    by: ['server/doors/callbacks/callbacks.test.ts'],
    untried: 'An account there: the test calls the address in the form that its documentation gives.',
  },
  'returned-mail': {
    page: 'docs/operator.md',
    says: 'An alias for Postfix: `bounces: "|cd /srv/venue-data && bin/venue bounces read --file -"`',
    by: ['server/marketing/bounces/bounces.test.ts', 'server/marketing/campaigns/through-postfix.test.ts'],
    untried:
      'An alias of a running Postfix: the test gives the command mails in the form that Postfix sends.',
  },
  outlook: {
    page: 'docs/campaigns.md',
    says: "comments (also Outlook's conditional ones)",
    by: ['server/marketing/campaigns/content/clean.test.ts'],
  },
  twilio: {
    page: 'docs/office.md',
    says: 'Texts need your own Twilio account, which a manager enters under *Settings*, *Texts*',
    by: ['server/doors/office/texts/text-pages.test.ts', 'server/messages/guest-mail/send-texts.test.ts'],
    untried: 'An account there: the tests have a server of their own in its place.',
  },
  stripe: {
    page: 'docs/office.md',
    says: 'With a Stripe account of your own, guests buy tickets for your events on their page.',
    by: ['server/tickets/online/buy-online.test.ts', 'stripe'],
    untried: 'An account there: Stripe’s own library talks to a server of the tests that plays it.',
  },
  receivers: {
    page: 'docs/webhooks.md',
    says: "| Express | `express.raw({ type: 'application/json' })` on this route, then `request.body` |",
    by: ['sdk/test/webhooks.test.ts'],
    untried: 'Express itself: the test hands over the body as `express.raw()` does.',
  },
  flask: {
    page: 'docs/webhooks.md',
    says: '| Flask | `request.get_data()` |',
    by: ['sdk-python/test/programs.test.ts'],
  },
  django: {
    page: 'docs/webhooks.md',
    says: '| Django | `request.body` |',
    by: [],
    untried: 'Nothing here starts a Django; the line is from its documentation.',
  },
  'recipe-in-node': {
    page: 'docs/webhooks.md',
    says: 'JavaScript (Node):',
    by: ['server/test/guides/webhook-recipes.test.ts'],
  },
  'recipe-in-php': {
    page: 'docs/webhooks.md',
    says: 'PHP:',
    by: ['server/test/guides/webhook-recipes.test.ts'],
  },
  'generated-clients': {
    page: 'docs/api.md',
    says: 'Generated clients that are compiled and used against the service for each release: openapi-typescript and hey-api (TypeScript), openapi-python-client, and oapi-codegen (Go;',
    by: ['openapi'],
  },
  'a-copy-of-your-own': {
    page: 'docs/keep-a-copy.md',
    says: 'It needs Node 20 and `API` and `KEY` as above.',
    by: ['start', 'server/test/guides/copy-recipe.test.ts'],
  },
  'packages-npm': {
    page: 'docs/packages.md',
    says: 'npm needs Node 20 or later (the command line: 20.12), pip needs Python 3.10 or later.',
    by: ['runtimes', 'python'],
  },
  'packages-in-docker': {
    page: 'docs/packages.md',
    says: 'The Docker image has the files.',
    by: ['docker'],
  },
  sdk: {
    page: 'sdk/README.md',
    says: 'it needs only `fetch` and WebCrypto, so it runs on Node 20 and later, Deno, Bun and Workers.',
    by: ['runtimes'],
  },
  'sdk-handlers': {
    page: 'sdk/README.md',
    says: 'There are handlers for `node:http`, Express (`expressHandler`), Fastify (`fastifyWebhook`), Hono (`honoHandler`), Next (`nextRoute`)',
    by: ['sdk/test/webhooks.test.ts'],
    untried: 'Express, Hono and Next themselves: the test calls the handlers as they do.',
  },
  'sdk-python': {
    page: 'sdk-python/README.md',
    says: 'For Python 3.10 and later, with [httpx](https://www.python-httpx.org/)',
    by: ['python', 'sdk-python/test/programs.test.ts'],
  },
  'sdk-python-handlers': {
    page: 'sdk-python/README.md',
    says: 'With FastAPI it is `from venue_data.webhooks.fastapi import fastapi_handler`',
    by: ['python', 'sdk-python/test/programs.test.ts'],
  },
  cli: { page: 'cli/README.md', says: 'You need Node 20.12 or newer', by: ['runtimes'] },
  mcp: { page: 'mcp/README.md', says: 'You need Node 20 or newer', by: ['runtimes'] },
  'mcp-clients': {
    page: 'mcp/README.md',
    says: 'It lets an assistant (Claude, or any other MCP client) answer',
    by: ['mcp/test/server.test.ts'],
    untried: "An assistant: the tests speak with the server as the protocol's own client does.",
  },
  'claude-desktop': {
    page: 'mcp/README.md',
    says: 'Claude Desktop: Settings → Developer → Edit Config',
    by: [],
    untried: 'It needs a desktop and an account.',
  },
  conformance: {
    page: 'conformance/README.md',
    says: 'Needs Node 20 or later.',
    by: ['runtimes', 'conformance'],
  },
  connectors: {
    page: 'README.md',
    says: '[connectors](connectors/README.md) for n8n, Zapier, Postman, Bruno and Google Sheets',
    by: ['connectors', 'connectors/test/collections.test.ts', 'connectors/test/google-sheets.test.ts'],
    untried:
      "The services and programs themselves: the checks run on the platforms' own libraries, without an account.",
  },
  'examples-in-node': {
    page: 'examples/README.md',
    says: 'a webhook receiver that stores, answers, then works | Node 26',
    by: ['server/test/guides/sdk-examples.test.ts', 'server/test/guides/warehouse-export.test.ts'],
  },
  'examples-slack': {
    page: 'examples/README.md',
    says: 'announces large parties in a Slack channel',
    by: ['server/test/guides/large-parties.test.ts'],
    untried: 'Slack itself: the test has a server of its own in its place.',
  },
  'examples-sqlite': {
    page: 'examples/README.md',
    says: 'keeps a full copy of the venue in an SQLite file, through outages on either side and restored backups | Node 26, or Python 3.9 with SQLite 3.38',
    by: ['python', 'server/test/guides/keep-a-copy.test.ts'],
  },
  'examples-in-python': {
    page: 'examples/README.md',
    says: 'Node 26 with `@venue-data/sdk`, or Python 3.10 with `venue-data`',
    by: ['server/test/guides/sdk-examples.test.ts'],
  },
  'examples-on-workers': {
    page: 'examples/README.md',
    says: "receives webhooks on Cloudflare Workers and keeps tonight's book in D1",
    by: ['server/test/guides/sdk-examples.test.ts'],
    untried: 'Cloudflare itself: the test calls the worker in Node, with SQLite in the place of D1.',
  },
}
