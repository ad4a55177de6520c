/*
 * What a page may promise to work with, by name: databases, runtimes, systems, languages, frameworks and other people's
 * programs and services. Names that nobody has written yet are here, too, so that the first page that does is noticed.
 */

const names: Readonly<Record<string, string>> = {
  databases:
    'PostgreSQL|Citus|PgBouncer|Aurora|AlloyDB|CockroachDB|YugabyteDB|Neon|Supabase|MySQL|MariaDB|SQLite|D1|Oracle|SQL Server|MongoDB|DynamoDB|Cassandra|Spanner|Redis|Valkey|BigQuery|Snowflake|pg_dump',
  runtimes: 'Node|Bun|Deno|(?:Cloudflare )?Workers|workerd|Lambda|Vercel|Netlify|Fly\\.io|Heroku|Render',
  systems:
    'Linux|Debian|Ubuntu|Alpine|Fedora|Red Hat|Amazon Linux|macOS|Windows|FreeBSD|OpenBSD|NetBSD|Solaris|illumos|Docker|Podman|Kubernetes|systemd|iOS|iPadOS|Android',
  languages: 'Python|PHP|Perl|Ruby|Java|Kotlin|Swift|Rust|Elixir|C#|\\.NET|Go(?! live\\b)',
  frameworks: 'Express|Fastify|Hono|Next(?= \\()|Koa|NestJS|Flask|FastAPI|Django|Rails|Laravel|Spring|httpx',
  generators:
    'openapi-typescript|openapi-python-client|oapi-codegen|hey-api|Kiota|openapi-generator|Spectral|Redocly',
  clients:
    'n8n|Zapier|Make\\.com|Pipedream|Postman|Bruno|Insomnia|Hoppscotch|Google Sheets|Excel|Airtable|Claude(?: Desktop| Code)?|ChatGPT|Copilot|Cursor|VS Code|Slack',
  browsers: 'Chrome|Chromium|Firefox|Safari|Edge|WebKit',
  mail: 'Amazon SES|Postmark|SendGrid|Mailgun|Mailjet|Brevo|Postfix|Exim|Gmail|Outlook|Apple Mail|Thunderbird',
  operation: 'Prometheus|Grafana|OpenTelemetry|Datadog|HAProxy|nginx|Caddy|Traefik|Envoy|Twilio|Stripe',
  // Commands that appear in examples everywhere: with a version they become a promise.
  commands: '(?:npm|pnpm|yarn|pip|uv|curl|TypeScript)(?= \\d)',
}

const named = new RegExp(
  `(?<![\\w./@-])(${Object.values(names).join('|')})(?: (\\d+(?:\\.\\d+)*))?(?![\\w-])`,
  'g',
)

/** The names in a text, each with its version where it has one: `Node 20`. */
export const namesIn = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(named)].map(([, name, version]) => (version ? `${name} ${version}` : (name as string))),
  ),
]

/** What a text covers: what it names, and what it names in a version also without. */
export const coveredBy = (text: string): readonly string[] =>
  namesIn(text).flatMap((name) => [name, name.replace(/ [\d.]+$/, '')])
