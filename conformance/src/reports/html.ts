import type { Result } from '../run.ts'
import { escaped } from './markup.ts'
import { bySection, tally } from './tally.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-top: 1px solid #8884 }
td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums }
.failed { color: #c0392b; font-weight: 600 } .passed { color: #2e7d32 } .untried { opacity: .7 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 0; padding: .5rem; background: #8881 }
@media (prefers-color-scheme: dark) { .failed { color: #ff8a80 } .passed { color: #81c784 } }
`

/** A page to read, in one file without scripts. */
export const htmlReport = (results: readonly Result[], baseUrl: string): string => {
  const { passed, failed, notTried } = tally(results)
  const sections = [...bySection(results)].map(
    ([section, of]) =>
      `<h2>${escaped(section)}</h2>\n<table>\n<tr><th>Number</th><th>Outcome</th><th>Statement</th></tr>\n${of.map(row).join('')}</table>\n`,
  )
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Conformance: ${passed} passed, ${failed} failed</title><style>${style}</style></head>
<body>
<h1>Venue Data API: conformance</h1>
<p>${escaped(baseUrl)}: <strong>${passed} passed</strong>, ${failed} failed, ${notTried} not tried.</p>
${sections.join('')}</body>
</html>
`
}

const row = ({ number, outcome, says, because, failure }: Result): string => {
  const kind = outcome === 'not tried' ? 'untried' : outcome
  const why = because === undefined ? '' : `<br><em>${escaped(because)}</em>`
  return `<tr><td>${escaped(number)}</td><td class="${kind}">${outcome}</td><td>${escaped(says)}${why}${failure ? detail(failure) : ''}</td></tr>\n`
}

const detail = ({ expected, seen, request, requestId }: NonNullable<Result['failure']>): string => {
  const text = `expected  ${expected}\nseen      ${seen}\nafter     ${request ?? 'nothing'}\nrequest   ${requestId ?? 'none'}`
  return `<pre>${escaped(text)}</pre>`
}
