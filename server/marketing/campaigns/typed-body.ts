import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import { escapeHtml } from './content/tokens.ts'

/**
 * Text typed without a single tag, for the venue's own layout: a blank line starts a paragraph, and other line breaks
 * stay. Anything with a tag is HTML and stays as it is.
 */
export const bodyFromTyped = (format: BodyFormat, typed: string): string =>
  format !== 'guided' || typed.trim() === '' || /<[a-z/!]|&(?:[a-z]+|#\d+);/i.test(typed)
    ? typed
    : typed
        .replaceAll(/\r\n?/g, '\n')
        .trim()
        .split(/\n[^\S\n]*\n\s*/)
        .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br />\n')}</p>`)
        .join('\n')
