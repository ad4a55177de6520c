import type { Result } from '../run.ts'
import { tally } from './tally.ts'

/** A badge with the share of statements that passed: an SVG, or shields.io JSON for a `.json` file. */
export const badge = (results: readonly Result[], file: string): string => {
  const { passed, failed } = tally(results)
  const message = `${passed}/${results.length}`
  const color = failed > 0 ? 'red' : 'brightgreen'
  return file.endsWith('.json')
    ? `${JSON.stringify({ schemaVersion: 1, label, message, color })}\n`
    : svg(message, failed > 0 ? '#c0392b' : '#2e7d32')
}

const label = 'conformance'
const labelWidth = 86
const characterWidth = 8

const svg = (message: string, color: string): string => {
  const width = message.length * characterWidth + 14
  const whole = labelWidth + width
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="20" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<rect width="${whole}" height="20" rx="3" fill="#555"/>
<rect x="${labelWidth}" width="${width}" height="20" rx="3" fill="${color}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${labelWidth / 2}" y="14">${label}</text><text x="${labelWidth + width / 2}" y="14">${message}</text>
</g>
</svg>
`
}
