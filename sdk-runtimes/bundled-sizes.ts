import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'

type Bundle = { readonly what: string; readonly most: number; readonly text: string }

/** What a program may take of the package, and how many bytes that may be, minified and compressed. */
const bundles: readonly Bundle[] = [
  {
    what: 'everything',
    most: 12 * 1024,
    text: `export * from '@venue-data/sdk'
export * from '@venue-data/sdk/sync'
export * from '@venue-data/sdk/verify'
export * from '@venue-data/sdk/webhooks'
export * from '@venue-data/sdk/dates'
export * from '@venue-data/sdk/cursor-file'`,
  },
  {
    what: 'verifyWebhook alone',
    most: 2 * 1024,
    text: `export { verifyWebhook } from '@venue-data/sdk/webhooks'`,
  },
]

/** The sizes of the packed SDK that is installed in a folder, in bytes. */
export const bundledSizes = (folder: string): { what: string; bytes: number; most: number }[] =>
  bundles.map(({ what, most, text }) => {
    const built = buildSync({
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'es2022',
      write: false,
      stdin: { contents: text, resolveDir: folder },
    })
    const [file] = built.outputFiles
    return { what, most, bytes: gzipSync(file?.contents ?? '', { level: 9 }).length }
  })
