import type { ReadStream } from 'node:tty'
import { InterruptedError } from './failures.ts'
import type { Input } from './world.ts'

type Keyboard = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'setEncoding' | 'on' | 'off' | 'pause' | 'resume'> &
  AsyncIterable<Uint8Array | string>

/** The keyboard, and where prompts go: not to standard output, which may be a file. */
export const terminalInput = (input: Keyboard, screen: { write: (text: string) => unknown }): Input => ({
  isTerminal: input.isTTY,
  [Symbol.asyncIterator]: () => input[Symbol.asyncIterator](),
  ask: (question, { hidden }) =>
    new Promise((resolve, reject) => {
      screen.write(question)
      let typed = ''
      // The terminal echoes what is typed, unless in raw mode.
      input.setRawMode(true)
      input.setEncoding('utf8')
      const end = (settle: () => void): void => {
        input.off('data', read)
        input.setRawMode(false)
        input.pause()
        screen.write('\n')
        settle()
      }
      const read = (text: string): void => {
        for (const character of text) {
          if (character === '\r' || character === '\n') return end(() => resolve(typed.trim()))
          if (character === '\u0003' || character === '\u0004') {
            return end(() => reject(new InterruptedError('Ctrl-C was pressed.')))
          }
          if (character === '\u007f' || character === '\b') {
            if (typed !== '' && !hidden) screen.write('\b \b')
            typed = typed.slice(0, -1)
          } else if (character >= ' ') {
            typed += character
            if (!hidden) screen.write(character)
          }
        }
      }
      input.on('data', read)
      input.resume()
    }),
})
